import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { type SubmissionOutcome } from '../../../../src/domain/submission/submission.ts';
import { Journal } from '../../../../src/service/journal/journal.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { until } from '../../../support/until.ts';
import { aNewSubmission, aSubmission } from '../../../unit/service/submit/aSubmission.ts';

const work = { name: 'Work', baseUrl: 'https://api.example.com/base' };
const accepted: SubmissionOutcome = { type: 'accepted', status: 201, id: 'x' };

async function journalIn(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tj-journal-'));
  context.after(() => rm(folder, { recursive: true }));
  const clock = new FakeClock();
  const log = new KeptLog();
  return { folder, clock, log, journal: new Journal(folder, clock, log) };
}

test('broken files of version 0.1.0 are set aside as they are, those of a later one left alone', async (context) => {
  const { log, journal } = await journalIn(context);
  await journal.add(work, aNewSubmission());
  const entries = join(journal.folderOf(work), 'entries');
  await mkdir(entries);
  const broken = ['', '{"schema":1', '[]', '{"schema":1,"key":3}', '{"schema":"1"}', '{"key":"a"}'];
  for (const [index, text] of broken.entries()) await writeFile(join(entries, `broken${index}.json`), text);
  await writeFile(join(entries, 'later.json'), '{"schema":2,"anything":true}');

  const first = await journal.read(work);
  assert.deepEqual([first.submissions.length, first.quarantined.length, first.fromLaterVersion], [1, broken.length, 1]);
  const kept = await Promise.all(first.quarantined.map((path) => readFile(path, 'utf8')));
  assert.deepEqual(kept, broken);
  assert.ok(log.lines.every((line) => line.startsWith('warn journal:')) && log.lines.length === broken.length);

  const again = await journal.read(work);
  assert.deepEqual([again.submissions.length, again.quarantined.length, again.fromLaterVersion], [1, 0, 1]);
});

test('an entry of version 0.1.0 is settled, found by its body, and named by its file', async (context) => {
  const { clock, journal } = await journalIn(context);
  const entries = join(journal.folderOf(work), 'entries');
  await mkdir(entries, { recursive: true });
  const key = `${String(clock.now()).padStart(15, '0')}-x`;
  const entry = aSubmission({ key: '../../../elsewhere', sentAtMs: clock.now(), bodyHash: 'b1' });
  await writeFile(join(entries, `${key}.json`), JSON.stringify({ schema: 1, ...entry }));
  const [read = assert.fail()] = (await journal.readSameBodies(work, new Set(['b1']))).submissions;
  assert.equal(read.key, key);
  await journal.settle(work, read, accepted);
  assert.deepEqual((await journal.readSameBodies(work, new Set(['b1']))).submissions[0]?.outcome, accepted);
  assert.deepEqual((await journal.readSameBodies(work, new Set(['b2']))).submissions, []);
});

test('what version 0.1.0 left unfinished is removed, unless it may still be writing', async (context) => {
  const { clock, journal } = await journalIn(context);
  const entries = join(journal.folderOf(work), 'entries');
  await mkdir(entries, { recursive: true });
  for (const [name, ageMs] of [
    ['a.json.x.tmp', 120_000],
    ['b.json.y.tmp', 1000],
  ] as const) {
    await writeFile(join(entries, name), '{');
    const at = new Date(clock.now() - ageMs);
    await utimes(join(entries, name), at, at);
  }
  await journal.add(work, aNewSubmission());
  await until('the old one is gone', async () => (await readdir(entries)).length === 1);
  assert.deepEqual(await readdir(entries), ['b.json.y.tmp']);
});
