// A process like a window that writes entries and settles them. Arguments: folder, name, number of entries, and
// optionally `dies` to be killed before settling the first.
import { Journal } from '../../../../../src/jobs/node/journal/journal.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { aNewSubmission } from '../../../features/submit/node/aSubmission.ts';

const [folder = '', name = '', count = '0', dies] = process.argv.slice(2);
const journal = new Journal(folder, Date, new KeptLog());
const work = { name: 'Work', baseUrl: 'https://api.example.com' };
for (let index = 0; index < Number(count); index++) {
  const nowMs = Date.now();
  const file = `${name}/${index}`;
  const entry = await journal.add(work, aNewSubmission({ file, sentAtMs: nowMs, expectedByMs: nowMs + 3_600_000 }));
  if (dies !== undefined) process.kill(process.pid, 'SIGKILL');
  await journal.settle(work, entry, { type: 'accepted', status: 201, id: file });
}
