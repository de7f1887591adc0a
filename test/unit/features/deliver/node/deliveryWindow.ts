// A process like a window that watches jobs and saves their files. Arguments: folder of the records, folder of the files,
// base URL of the service, and the moment of its death: the number of a change of the folder and its name.
import { setTimeout } from 'node:timers/promises';
import { watchKey, type WatchedJob } from '../../../../../src/features/watch/common/watchPlan.ts';
import { JobWatcher } from '../../../../../src/features/watch/node/jobWatcher.ts';
import { Deliverer } from '../../../../../src/features/deliver/node/deliverer.ts';
import { DeliveryStore } from '../../../../../src/features/deliver/node/deliveryStore.ts';
import { makeJobFiles } from '../../../../../src/features/deliver/node/jobFiles.ts';
import { DiskFolder } from '../../../../support/deliver/diskFolder.ts';
import { faultRun } from '../../../../support/faults/faultRun.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { fileFacts } from './wantedJobs.ts';

const [records = '', folder = '', origin = '', key = '', dyingChange = '', dyingMoment = ''] = process.argv.slice(2);
const run = faultRun(origin, undefined, key);
const log = new KeptLog();
const store = new DeliveryStore(records, Date, log);
let changes = 0;
const observe = (moment: string): void => {
  if (moment === dyingMoment && ++changes === Number(dyingChange)) process.kill(process.pid, 'SIGKILL');
};
const deliverer = new Deliverer({
  store,
  clock: Date,
  openFolder: async () => new DiskFolder(folder, observe),
});
const pending = (await store.pending()).map(({ wanted }) => wanted);
const watcher = new JobWatcher({
  clock: run.clock,
  log,
  sourceOf: () => run.lists,
  isFocused: () => true,
  observing: () => () => undefined,
  deliver: async (watched, job) => {
    const wanted = pending.find(({ id }) => id === watched.id);
    if (wanted === undefined) throw new Error('not wanted');
    const outcome = await deliverer.deliver(wanted, () => makeJobFiles(job, wanted.plan, fileFacts));
    if (outcome.type === 'failed') throw outcome.error;
    // Lets the other window write.
    if (outcome.type === 'claimed') await setTimeout(1);
    return outcome.type === 'claimed';
  },
});
const jobs = pending.map(({ connection, kind, id, label }): WatchedJob => {
  return { connection, origin, kind, id, label, sinceMs: Date.now(), createdAtMs: undefined, misses: 0 };
});
watcher.watch(jobs);
const left = new Set(jobs.map(watchKey));
await new Promise<void>((resolve) => {
  const check = (finished: readonly { readonly watched: WatchedJob }[] = []): void => {
    for (const { watched } of finished) left.delete(watchKey(watched));
    if (left.size === 0) resolve();
  };
  watcher.onDidFinish(check);
  check();
});
watcher.dispose();
run.client.dispose();
if (log.lines.length > 0) throw new Error(log.lines.join('\n'));
process.disconnect();
