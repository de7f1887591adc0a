import { strict as assert } from 'node:assert';
import { exactCount } from '../../../src/jobs/node/exactCount.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { countedSource } from '../../support/countedSource/countedSource.ts';
import type { Row } from '../outcome.ts';

const jobs = 1_000_000;

/** Counts a list of a million jobs for which the service returns no total. */
export const row: Row = async () => {
  const { source, asked } = countedSource(jobs);
  const question = { endpoint: 'pre-recorded', params: { statuses: ['done'] } } as const;
  const result = await exactCount(source, question, { clock: systemClock });
  assert.equal(result.type === 'exact' && result.count, jobs);
  return [
    {
      title: 'Exact count',
      measured: 'requests to count 1,000,000 jobs, against 2·log2(n) + 4',
      value: asked.length,
      unit: 'requests',
      atMost: Math.floor(2 * Math.log2(jobs) + 4),
      facts: [],
    },
  ];
};
