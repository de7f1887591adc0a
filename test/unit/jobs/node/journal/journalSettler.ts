// A process like a window that settles entries of others. Arguments: folder, and `accepted` or any other word for unknown.
import { Journal } from '../../../../../src/jobs/node/journal/journal.ts';
import { KeptLog } from '../../../../support/keptLog.ts';

const [folder = '', word] = process.argv.slice(2);
const journal = new Journal(folder, Date, new KeptLog());
const work = { name: 'Work', baseUrl: 'https://api.example.com' };
const { submissions } = await journal.read(work);
for (const submission of submissions) {
  await journal.settle(
    work,
    submission,
    word === 'accepted'
      ? { type: 'accepted', status: 201, id: `job ${submission.file}` }
      : { type: 'unknown', code: 'timeout', lookedAtMs: Date.now() },
  );
}
