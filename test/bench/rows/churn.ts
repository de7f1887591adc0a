import { alternate } from '../alternate.ts';
import { median } from '../median.ts';
import { timed } from '../timed.ts';
import { openStore } from '../lists/openStore.ts';
import { sdkList } from '../lists/sdkList.ts';
import type { Fact, Row } from '../outcome.ts';
import { startBenchService } from '../service/startBenchService.ts';

const jobs = 10_000;
const pageSize = 100;
const changes = jobs / 20;

/** Reads a list while some of its jobs arrive and leave, and compares with the jobs that were present throughout. */
export const row: Row = async ({ quick, peers }) => {
  const counted: Record<'ours' | 'sdk', { readonly lost: number[]; readonly repeated: number[] }> = {
    ours: { lost: [], repeated: [] },
    sdk: { lost: [], repeated: [] },
  };
  const compare = async (who: 'ours' | 'sdk', read: (baseUrl: string) => Promise<readonly string[]>): Promise<void> => {
    const service = await startBenchService({ jobs, changes });
    const listed = await read(service.baseUrl);
    const truth = (await (await fetch(`${service.baseUrl}/truth`)).json()) as readonly string[];
    service.stop();
    const once = new Set(listed);
    counted[who].lost.push(truth.filter((id) => !once.has(id)).length);
    counted[who].repeated.push(listed.length - once.size);
  };
  const runs = await alternate(
    {
      ours: () =>
        compare('ours', async (baseUrl) => {
          const { loadAll, ids, dispose } = openStore(baseUrl, pageSize);
          await loadAll(2 * jobs);
          dispose();
          return ids();
        }),
      sdk: () => compare('sdk', (baseUrl) => sdkList(peers, baseUrl, pageSize)),
    },
    { rounds: quick ? 1 : 7, warmUps: 0 },
  );
  const fact = (who: 'ours' | 'sdk', name: string, what: 'lost' | 'repeated'): Fact => {
    const values = counted[who][what];
    return { what: `${what} by ${name}`, value: median(values), unit: 'jobs', runs: values };
  };
  return [
    {
      title: 'Churn',
      measured: `Load All of 10,000 jobs while ${changes} arrive or leave: jobs lost or repeated`,
      value: Math.max(...counted.ours.lost, ...counted.ours.repeated),
      unit: 'jobs',
      atMost: 0,
      facts: [
        fact('ours', 'Load All', 'lost'),
        fact('ours', 'Load All', 'repeated'),
        fact('sdk', '@gladiaio/sdk', 'lost'),
        fact('sdk', '@gladiaio/sdk', 'repeated'),
        timed('Load All, service started', runs.ours),
        timed('@gladiaio/sdk, service started', runs.sdk),
      ],
    },
  ];
};
