import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJobQuery } from '../../../../src/jobs/common/findJobs.ts';
import type { Job } from '../../../../src/jobs/common/job.ts';
import { LoadedSearch } from '../../../../src/jobs/node/jobSearch.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';

const customers = ['Indigo', 'Umber', 'Beryl', 'Sable'];

function job(index: number): Job {
  const id = `job-${index.toString(36).padStart(6, '0')}`;
  const metadata = { customer: customers[index % 4] ?? '', note: 'recorded for quality '.repeat(20) };
  const item = { id, request_id: `G-${index}`, status: 'done', custom_metadata: metadata };
  return bareJob({ id, raw: JSON.stringify(item) });
}

const never = new AbortController().signal;

const itself = (job: Job): Job => job;

test('a hundred thousand loaded jobs never hold the editor up, and are read once', async () => {
  let reads = 0;
  const jobs = Array.from({ length: 100_000 }, (_, index): Job => {
    const { raw, ...rest } = job(index);
    return {
      ...rest,
      get raw() {
        reads++;
        return raw;
      },
    };
  });
  const search = new LoadedSearch(jobs, itself);
  // Counts event loop turns of other work, because durations depend on the machine's load.
  let turns = 0;
  const ticking = setInterval(() => turns++, 0);
  const first = await search.find(parseJobQuery('customer: beryl'), 50_000, never);
  const turnsOfFirst = turns;
  const readsOfFirst = reads;
  const again = await search.find(parseJobQuery('g-99999'), 50_000, never);
  clearInterval(ticking);
  assert.equal(first?.length, 25_000);
  assert.equal(again?.[0]?.id, job(99_999).id);
  assert.ok(turnsOfFirst > 10, `${turnsOfFirst} turns`);
  assert.ok(readsOfFirst >= jobs.length);
  assert.equal(reads, readsOfFirst, 'items were read again');
});
