import { jobKinds, jobStatuses, type JobStatus } from '../../../src/jobs/common/job.ts';
import { JobPoller } from '../../../src/jobs/node/store/jobPoller.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { MovingList } from '../../support/movingList/movingList.ts';
import type { Fact, Row } from '../outcome.ts';

const minutes = 10;
const intervalMs = 5_000;

interface Case {
  readonly what: string;
  readonly status: JobStatus;
  readonly visible: boolean;
  readonly focused: boolean;
}

const cases: readonly Case[] = [
  { what: 'view hidden', status: 'processing', visible: false, focused: true },
  { what: 'window without focus', status: 'processing', visible: true, focused: false },
  { what: 'nothing unfinished', status: 'done', visible: true, focused: true },
];

/** Simulates ten minutes with nothing to poll, and once with something to poll. */
export const row: Row = async () => {
  const watched = await pass({ what: '', status: 'processing', visible: true, focused: true });
  if (watched.requests === 0) throw new Error('nothing is polled while somebody looks, so silence says nothing');
  const idle = await Promise.all(cases.map(async (each) => ({ ...each, ...(await pass(each)) })));
  const facts = idle.flatMap(({ what, requests, timers }): Fact[] => [
    { what: `${what}: requests`, value: requests, unit: 'requests' },
    { what: `${what}: timers`, value: timers, unit: 'timers' },
  ]);
  const common = { atMost: 0, measured: `in ${minutes} minutes hidden, unfocused, or with nothing unfinished` };
  const max = (of: 'requests' | 'timers'): number => Math.max(...idle.map((each) => each[of]));
  return [
    { title: 'Idle', unit: 'requests', value: max('requests'), facts, ...common },
    { title: 'Idle', unit: 'timers', value: max('timers'), facts: [], ...common },
  ];
};

/** Returns the number of requests during the time, and the max number of timers at any moment. */
async function pass({ status, visible, focused }: Case): Promise<{ requests: number; timers: number }> {
  const clock = new FakeClock();
  const list = new MovingList({ jobs: 40, status: () => status });
  const store = new JobStore(() => ({ limit: 20, groupBy: 'status', listSource: 'byKind' }), clock, new KeptLog());
  store.use(list);
  const poller = new JobPoller(store, clock, () => intervalMs);
  poller.setWatched(true, true);
  const keys = jobKinds.flatMap((kind) => jobStatuses.map((each) => ({ kind, status: each })));
  await Promise.all(keys.map((key) => store.load(key)));
  poller.setWatched(visible, focused);
  list.asked.length = 0;
  let timers = 0;
  for (let second = 0; second < minutes * 60; second++) {
    timers = Math.max(timers, clock.pending);
    await clock.advance(1000);
  }
  poller.dispose();
  store.dispose();
  return { requests: list.asked.length, timers };
}
