// A process like a window that adds an entry, and is killed while it removes old ones. Arguments: folder, the time in
// milliseconds, and whether it dies `before` or `after` the first file of a day is gone.
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { Journal } from '../../../../../src/jobs/node/journal/journal.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { aNewSubmission } from '../../../features/submit/node/aSubmission.ts';

const [folder = '', time = '0', moment] = process.argv.slice(2);
const { rm } = promises;
promises.rm = async (path, options) => {
  if (moment === 'after') await rm(path, options);
  process.kill(process.pid, 'SIGKILL');
};
syncBuiltinESMExports();

const sentAtMs = Number(time);
const journal = new Journal(folder, { now: () => sentAtMs }, new KeptLog());
await journal.add(
  { name: 'Work', baseUrl: 'https://api.example.com/base' },
  aNewSubmission({ sentAtMs, expectedByMs: sentAtMs + 3_600_000 }),
);
