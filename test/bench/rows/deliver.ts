import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deliverer } from '../../../src/features/deliver/node/deliverer.ts';
import { DeliveryStore } from '../../../src/features/deliver/node/deliveryStore.ts';
import { makeJobFiles } from '../../../src/features/deliver/node/jobFiles.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import { bareJob } from '../../support/builders/bareJob.ts';
import { preRecordedItem } from '../../support/builders/jobItem.ts';
import { DiskFolder } from '../../support/deliver/diskFolder.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { fileFacts, wantedJob } from '../../unit/features/deliver/node/wantedJobs.ts';
import { alternate } from '../alternate.ts';
import { medianRatio } from '../median.ts';
import type { Outcome, Row } from '../outcome.ts';
import { withLargeResult } from '../page/largeResult.ts';
import { timed } from '../timed.ts';

const origin = 'https://api.example.com';
const formats = ['markdown', 'srt'] as const;

/** Measures the saving of results, each once and after records of it, against making and writing the same files. */
export const row: Row = async ({ quick }) => {
  const count = quick ? 20 : 100;
  const jobs = Array.from({ length: count }, (_, index) => hourOfSpeech(`job-${index}`));
  const root = await mkdtemp(join(tmpdir(), 'tj-bench-deliver-'));
  let runs = 0;
  try {
    const times = await alternate(
      {
        written: async () => {
          const folder = join(root, `written-${runs++}`);
          await mkdir(folder);
          for (const job of jobs) {
            const content = await makeJobFiles(job, wantedJob(origin, job.id, folder, { formats }).plan, fileFacts);
            for (const { bytes, nameOf } of content?.files ?? []) await writeFile(join(folder, nameOf(1)), bytes);
          }
        },
        delivered: async () => {
          const folder = join(root, `delivered-${runs++}`);
          const store = new DeliveryStore(join(root, `records-${runs}`), Date, new KeptLog());
          const deliverer = new Deliverer({ store, clock: Date, openFolder: async () => new DiskFolder(folder) });
          const wanted = jobs.map(({ id }) => wantedJob(origin, id, folder, { formats }));
          await store.want(wanted);
          for (const [index, each] of wanted.entries()) {
            const job = jobs[index];
            if (job === undefined) continue;
            const { type } = await deliverer.deliver(each, () => makeJobFiles(job, each.plan, fileFacts));
            if (type !== 'delivered') throw new Error(type);
          }
        },
      },
      { rounds: quick ? 3 : 7, warmUps: 1 },
    );
    const outcome: Outcome = {
      title: 'Save results when done',
      measured: `${count} results of an hour of speech, as Markdown and SubRip, each recorded and saved once, against making and writing the same files`,
      value: medianRatio(times.delivered, times.written),
      unit: '×',
      atMost: 1.5,
      facts: [timed('made and written', times.written), timed('saved once', times.delivered)],
    };
    return [outcome];
  } finally {
    await rm(root, { recursive: true });
  }
};

/** Returns a job with an hour of speech, with the times of its words. */
function hourOfSpeech(id: string): Job {
  const { item } = withLargeResult(preRecordedItem({ id, status: 'done', custom_metadata: { title: id } }), 3600);
  return bareJob({ id, kind: 'pre-recorded', status: 'done', raw: JSON.stringify(item) });
}
