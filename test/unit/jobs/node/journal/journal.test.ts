import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { dayMs } from '../../../../../src/base/time.ts';
import {
  rememberedMs,
  sameBodySent,
  type Submission,
  type SubmissionOutcome,
} from '../../../../../src/jobs/common/submission.ts';
import { Journal, maxEntries } from '../../../../../src/jobs/node/journal/journal.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';
import { JournalSegments } from '../../../../../src/jobs/node/journal/journalSegments.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { until } from '../../../../support/until.ts';
import { aNewSubmission, aSubmission } from '../../../features/submit/node/aSubmission.ts';
import { recordLine } from '../../../../../src/jobs/node/journal/recordLine.ts';

const work = { name: 'Work', baseUrl: 'https://api.example.com/base' };
/** Relative to the repository's root, because this test also runs bundled. */
const writerFile = 'test/unit/jobs/node/journal/journalWriter.ts';
const settlerFile = 'test/unit/jobs/node/journal/journalSettler.ts';
const prunerFile = 'test/unit/jobs/node/journal/journalPruner.ts';
const accepted: SubmissionOutcome = { type: 'accepted', status: 201, id: 'x' };

/** Waits, because old entries are removed in the background. */
async function untilThereAre(journal: Journal, count: number): Promise<readonly Submission[]> {
  return until(`there are ${count} entries`, async () => {
    const { submissions } = await journal.read(work);
    return submissions.length === count && submissions;
  });
}

async function journalIn(context: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'tj-journal-'));
  context.after(() => rm(folder, { recursive: true }));
  const clock = new FakeClock();
  const log = new KeptLog();
  return { folder, clock, log, journal: new Journal(folder, clock, log) };
}

test('an entry is "sending" until it is settled, and survives a new journal', async (context) => {
  const { folder, clock, log, journal } = await journalIn(context);
  const entry = await journal.add(work, aNewSubmission({ sentAtMs: clock.now(), expectedByMs: clock.now() + 1000 }));
  assert.equal((await journal.read(work)).submissions[0]?.outcome.type, 'sending');
  await journal.settle(work, entry, accepted);
  const { submissions } = await new Journal(folder, clock, log).read(work);
  assert.deepEqual(submissions, [
    { ...entry, replaces: undefined, label: undefined, audioKeyId: undefined, outcome: accepted },
  ]);
});

test('the outcome of an entry that is not settled in time is unknown', async (context) => {
  const { clock, journal } = await journalIn(context);
  await journal.add(work, aNewSubmission({ sentAtMs: clock.now(), expectedByMs: clock.now() + 1000 }));
  await clock.advance(1001);
  assert.equal((await journal.read(work)).submissions[0]?.outcome.type, 'unknown');
});

test('an outcome is not overwritten by a less certain one', async (context) => {
  const { clock, journal } = await journalIn(context);
  const lesser: readonly SubmissionOutcome[] = [
    { type: 'unknown', code: 'timeout', lookedAtMs: undefined },
    { type: 'unknown', code: undefined, lookedAtMs: clock.now() },
    { type: 'rejected', code: 'rejected', status: 400, requestId: undefined },
    { type: 'notSent', code: 'offline' },
    { type: 'sending' },
    { type: 'accepted', status: undefined, id: undefined },
  ];
  for (const outcome of [accepted, { type: 'accepted', status: 202, id: undefined } as const]) {
    for (const less of lesser) {
      const entry = await journal.add(work, aNewSubmission());
      await journal.settle(work, entry, outcome);
      assert.deepEqual((await journal.settle(work, entry, less)).outcome, outcome);
      const { submissions } = await journal.read(work);
      assert.deepEqual(submissions.find(({ key }) => key === entry.key)?.outcome, outcome);
    }
  }
});

test('a job ID that the service did not return can be added later', async (context) => {
  const { journal } = await journalIn(context);
  const entry = await journal.add(work, aNewSubmission());
  await journal.settle(work, entry, { type: 'accepted', status: 202, id: undefined });
  await journal.settle(work, entry, { type: 'accepted', status: undefined, id: 'found' });
  await journal.settle(work, entry, { type: 'accepted', status: undefined, id: 'another' });
  const { submissions } = await journal.read(work);
  assert.deepEqual(submissions[0]?.outcome, { type: 'accepted', status: 202, id: 'found' });
});

test('each connection and origin has its own journal', async (context) => {
  const { journal } = await journalIn(context);
  await journal.add(work, aNewSubmission());
  for (const other of [
    { ...work, name: 'Play' },
    { ...work, baseUrl: 'https://other.example.com' },
  ]) {
    assert.deepEqual((await journal.read(other)).submissions, []);
  }
  assert.equal((await journal.read({ ...work, baseUrl: 'https://api.example.com/elsewhere' })).submissions.length, 1);
});

test('a renamed connection keeps its submissions, and those that other windows add under its former name', async (context) => {
  const { folder, clock, log, journal } = await journalIn(context);
  const studio = { ...work, name: 'Studio' };
  const attic = { ...work, name: 'Attic' };
  const first = await journal.add(work, aNewSubmission({ file: 'first', sentAtMs: 1 }));
  await journal.continueAs(work, studio);
  // This other window does not know the new name yet.
  const other = new Journal(folder, clock, log);
  const second = await other.add(work, aNewSubmission({ file: 'second', sentAtMs: 2 }));
  await other.settle(work, first, accepted);
  await journal.add(studio, aNewSubmission({ file: 'third', sentAtMs: 3 }));
  await journal.settle(studio, second, accepted);
  await journal.continueAs(studio, attic);
  const { submissions } = await journal.read(attic);
  assert.deepEqual(
    submissions.map(({ file, outcome }) => [file, outcome.type]),
    [
      ['third', 'unknown'],
      ['second', 'accepted'],
      ['first', 'accepted'],
    ],
  );
  // Renaming it back must not create a cycle.
  await journal.continueAs(attic, work);
  assert.equal((await journal.read(work)).submissions.length, 3);
});

test('a connection with a new name and another service has none of the former submissions', async (context) => {
  const { journal } = await journalIn(context);
  await journal.add(work, aNewSubmission());
  const elsewhere = { name: 'Elsewhere', baseUrl: 'https://other.example.com' };
  await journal.continueAs(work, elsewhere);
  assert.deepEqual((await journal.read(elsewhere)).submissions, []);
});

/** Writes settled entries to the file of this day at once, as if they had been added one after another. */
async function appendEntries(
  journal: Journal,
  nowMs: number,
  entries: readonly Partial<Submission>[],
): Promise<readonly Submission[]> {
  const written = entries.map((entry, index): Submission => {
    const sentAtMs = nowMs + index;
    const key = `${String(sentAtMs).padStart(15, '0')}-${index}`;
    return { ...aSubmission({ sentAtMs }), outcome: accepted, ...entry, key };
  });
  await new JournalSegments(join(journal.folderOf(work), 'journal')).append(
    nowMs,
    written.map((each) => ({ schema: 2, type: 'entry', ...each })),
  );
  return written;
}

test('the newest settled entries of earlier days are kept up to the max', async (context) => {
  const { clock, folder, journal } = await journalIn(context);
  const surplus = 3;
  const startMs = clock.now();
  await appendEntries(
    journal,
    startMs,
    Array.from({ length: maxEntries + surplus }, () => ({})),
  );
  await clock.advance(2 * rememberedMs);
  const later = new Journal(folder, clock, new KeptLog());
  await later.add(work, aNewSubmission({ sentAtMs: clock.now() }));
  const submissions = await untilThereAre(later, maxEntries + 1);
  assert.deepEqual([submissions[0]?.sentAtMs, submissions.at(-1)?.sentAtMs], [clock.now(), startMs + surplus]);
});

test('entries of batches are kept as long as the batch, with those that repeat its jobs', async (context) => {
  const { clock, folder, journal } = await journalIn(context);
  const batches = join(journal.folderOf(work), 'batches');
  await mkdir(batches, { recursive: true });
  await writeFile(join(batches, 'kept.ndjson'), '');
  const needed = [
    { batch: 'kept', outcome: { type: 'accepted', status: 201, id: 'of-batch' } },
    { batch: undefined, replaces: 'of-batch' },
  ] as const;
  const others = [{ batch: 'gone' }, { replaces: 'another' }];
  const entries = [...needed, ...others, ...Array.from({ length: maxEntries }, () => ({}))];
  const [first, second] = await appendEntries(journal, clock.now(), entries);
  await clock.advance(2 * rememberedMs);
  const later = new Journal(folder, clock, new KeptLog());
  await later.add(work, aNewSubmission({ sentAtMs: clock.now() }));
  const submissions = await untilThereAre(later, needed.length + maxEntries + 1);
  assert.deepEqual(
    submissions.slice(-needed.length).map(({ key }) => key),
    [second?.key, first?.key],
  );
});

test('reading the newest returns the first entries of a full read, across days, windows and removed files', async (context) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 0, max: 2 * dayMs }), fc.boolean(), fc.integer({ min: 0, max: 2 })), {
        maxLength: 12,
      }),
      fc.integer({ min: 1, max: 14 }),
      async (sent, newest) => {
        const { clock, log, folder, journal } = await journalIn(context);
        const windows = [journal, new Journal(folder, clock, log)];
        for (const [pauseMs, isSettled, late] of sent) {
          await clock.advance(pauseMs);
          const [window = journal, other = journal] = pauseMs % 2 === 0 ? windows : windows.toReversed();
          const entry = await window.add(
            work,
            aNewSubmission({ sentAtMs: clock.now(), expectedByMs: clock.now() + 1 }),
          );
          await clock.advance(late);
          if (isSettled) await (late === 1 ? other : window).settle(work, entry, accepted);
        }
        const whole = await journal.read(work);
        const some = await journal.read(work, newest);
        assert.deepEqual(some.submissions, whole.submissions.slice(0, newest));
        assert.equal(some.hasOlder, whole.submissions.length > newest);
        assert.equal(some.damaged + whole.damaged, 0);
      },
    ),
    // Fewer: each writes a dozen files.
    { numRuns: Math.min(propertyRuns, 30) },
  );
});

test('the newest entries of a day are found first, even after copies of earlier days', async (context) => {
  const { clock, folder, log } = await journalIn(context);
  await clock.advance(40 * dayMs);
  const segments = new JournalSegments(join(new Journal(folder, clock, log).folderOf(work), 'journal'));
  const entries = (from: number, count: number): readonly Submission[] =>
    Array.from({ length: count }, (_, at) => {
      const sentAtMs = from + at;
      return { ...aSubmission({ sentAtMs }), key: `${String(sentAtMs).padStart(15, '0')}-${at}`, outcome: accepted };
    });
  const today = Math.floor(clock.now() / dayMs) * dayMs;
  const records = [...entries(today + 1, 3), ...entries(today - 30 * dayMs, 5), ...entries(today + 10, 2)];
  await segments.append(
    clock.now(),
    records.map((each) => ({ schema: 2, type: 'entry', ...each })),
  );
  const { submissions, hasOlder } = await new Journal(folder, clock, log).read(work, 4);
  assert.deepEqual(
    submissions.map(({ sentAtMs }) => sentAtMs - today),
    [11, 10, 3, 2],
  );
  assert.equal(hasOlder, true);
});

test('entries with an unknown outcome, or that warn about a repeated submission, are never removed', async (context) => {
  const { clock, folder, journal } = await journalIn(context);
  // Old entries: one unsettled, one unknown, and two more settled ones than the limit.
  const old: SubmissionOutcome[] = [
    { type: 'sending' },
    { type: 'unknown', code: 'timeout', lookedAtMs: undefined },
    ...Array.from({ length: maxEntries + 2 }, () => accepted),
  ];
  await appendEntries(
    journal,
    clock.now(),
    old.map((outcome) => ({ outcome })),
  );
  await clock.advance(2 * rememberedMs);
  // A large batch from today: none may be forgotten as long as sending the same body again would cause a warning.
  const today = new Journal(folder, clock, new KeptLog());
  const batch = Array.from({ length: 2 * maxEntries - 1 }, (_, index) => ({ bodyHash: String(index) }));
  await appendEntries(today, clock.now(), batch);
  const last = { bodyHash: String(batch.length), sentAtMs: clock.now() + batch.length };
  await today.settle(work, await today.add(work, aNewSubmission(last)), accepted);
  const submissions = await untilThereAre(today, 2 + maxEntries + 2 * maxEntries);
  assert.equal(submissions.filter(({ outcome }) => outcome.type === 'unknown').length, 2);
  const forgotten = Array.from({ length: 2 * maxEntries }, (_, index) => String(index)).filter(
    (hash) => sameBodySent(submissions, hash, clock.now()) === undefined,
  );
  assert.deepEqual(forgotten, []);
});

for (const moment of ['before', 'after']) {
  test(`no entry to keep is lost if a process ends ${moment} it removes a day`, async (context) => {
    const { clock, folder, log, journal } = await journalIn(context);
    const surplus = 2;
    const unknown: SubmissionOutcome = { type: 'unknown', code: 'timeout', lookedAtMs: undefined };
    const entries = await appendEntries(journal, clock.now(), [
      { outcome: unknown },
      ...Array.from({ length: surplus + maxEntries }, () => ({})),
    ]);
    await clock.advance(2 * rememberedMs);
    const pruner = fork(prunerFile, [folder, String(clock.now()), moment]);
    await once(pruner, 'exit');
    assert.notEqual(pruner.exitCode, 0);
    const { submissions, damaged } = await new Journal(folder, clock, log).read(work);
    const keys = submissions.map(({ key }) => key);
    const kept = entries.filter(({ outcome }, index) => outcome.type === 'unknown' || index > surplus);
    assert.deepEqual(
      kept.filter(({ key }) => !keys.includes(key)),
      [],
    );
    assert.deepEqual([damaged, new Set(keys).size], [0, keys.length]);
    // Includes the entry of the process that died, and the surplus if the file was not removed yet.
    assert.equal(keys.length, kept.length + 1 + (moment === 'before' ? surplus : 0));
  });
}

/** The file with the records of a day. */
async function segmentOf(journal: Journal): Promise<string> {
  const folder = join(journal.folderOf(work), 'journal');
  const [name = assert.fail('no file'), ...others] = await readdir(folder);
  assert.deepEqual(others, []);
  return join(folder, name);
}

test('only the damaged record is skipped, and it is counted', async (context) => {
  const { journal, log } = await journalIn(context);
  const entries: Submission[] = [];
  for (const file of ['first', 'second', 'third']) {
    entries.push(await journal.settle(work, await journal.add(work, aNewSubmission({ file })), accepted));
  }
  const path = await segmentOf(journal);
  const whole = await readFile(path);
  const files = async () => (await journal.read(work)).submissions.map(({ file }) => file).sort();
  for (const { file, key } of entries) {
    const at = whole.indexOf(`"file":"${file}"`) + 8;
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 1;
    await writeFile(path, damaged);
    const { submissions, damaged: count } = await journal.read(work);
    assert.deepEqual(
      submissions.map((each) => each.key).sort(),
      entries
        .map((each) => each.key)
        .filter((each) => each !== key)
        .sort(),
    );
    assert.ok(count > 0);
  }
  assert.ok(log.lines.length > 0 && log.lines.every((line) => /^warn journal: .+ damaged records$/.test(line)));
  await writeFile(path, whole);
  assert.deepEqual(await files(), ['first', 'second', 'third']);
});

test('a record of a later version is skipped and counted', async (context) => {
  const { journal } = await journalIn(context);
  await journal.add(work, aNewSubmission());
  await appendFile(await segmentOf(journal), recordLine({ schema: 3, type: 'entry', anything: true }));
  const { submissions, damaged, fromLaterVersion } = await journal.read(work);
  assert.deepEqual([submissions.length, damaged, fromLaterVersion], [1, 0, 1]);
});

test('the same body is found among those of the last day, with its outcome', async (context) => {
  const { clock, journal } = await journalIn(context);
  const add = async (bodyHash: string, outcome: SubmissionOutcome) => {
    const entry = await journal.add(work, aNewSubmission({ bodyHash, sentAtMs: clock.now() }));
    return journal.settle(work, entry, outcome);
  };
  await add('old', accepted);
  await clock.advance(2 * rememberedMs);
  await add('a', { type: 'unknown', code: 'timeout', lookedAtMs: undefined });
  const b = await add('b', accepted);
  await add('c', accepted);
  const found = await journal.readSame(work, new Set(['old', 'b', 'd']));
  assert.deepEqual(found.submissions, [b]);
});

test(
  'files and folders are only accessible to this account',
  { skip: process.platform === 'win32' },
  async (context) => {
    const { journal } = await journalIn(context);
    await journal.add(work, aNewSubmission());
    const path = await segmentOf(journal);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await stat(dirname(path))).mode & 0o777, 0o700);
  },
);

test('a folder that cannot be created is an error before anything is sent', async (context) => {
  const { folder, clock, log } = await journalIn(context);
  await writeFile(join(folder, 'file'), '');
  await assert.rejects(new Journal(join(folder, 'file', 'journal'), clock, log).add(work, aNewSubmission()), {
    code: 'ENOTDIR',
  });
});

test('an accepted entry stays accepted if two processes settle it at once', async (context) => {
  const { folder, journal } = await journalIn(context);
  const count = 100;
  for (let index = 0; index < count; index++)
    await journal.add(work, aNewSubmission({ sentAtMs: index, file: `${index}` }));
  const settlers = ['accepted', 'unknown'].map((outcome) => fork(settlerFile, [folder, outcome]));
  await Promise.all(settlers.map((settler) => once(settler, 'exit')));
  assert.deepEqual(
    settlers.map(({ exitCode }) => exitCode),
    [0, 0],
  );
  const { submissions } = await journal.read(work);
  const jobs = submissions.map(({ outcome, file }) => outcome.type === 'accepted' && outcome.id === `job ${file}`);
  assert.deepEqual([jobs.length, jobs.filter((isKept) => !isKept).length], [count, 0]);
});

test('two processes that write at once keep all entries', async (context) => {
  const { folder, journal } = await journalIn(context);
  const each = 60;
  const writers = ['a', 'b'].map((name) => fork(writerFile, [folder, name, String(each)]));
  // Concurrent reads must never see partial records.
  while (writers.some(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    assert.equal((await journal.read(work)).damaged, 0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(
    writers.map(({ exitCode }) => exitCode),
    [0, 0],
  );
  const { submissions } = await journal.read(work);
  const of = (name: string) => submissions.filter(({ file }) => file.startsWith(`${name}/`));
  assert.deepEqual([of('a').length, of('b').length], [each, each]);
  assert.ok(submissions.every(({ outcome }) => outcome.type === 'accepted'));
});

test('the outcome is unknown as soon as the process that submits has ended', async (context) => {
  const { folder, journal } = await journalIn(context);
  await mkdir(folder, { recursive: true });
  const writer = fork(writerFile, [folder, 'a', '1', 'dies']);
  await once(writer, 'exit');
  assert.equal((await journal.read(work)).submissions[0]?.outcome.type, 'unknown');
});

test('notifies listeners of added and settled entries until they are disposed', async (context) => {
  const { journal } = await journalIn(context);
  let shown = 0;
  const listening = journal.onDidChange(() => shown++);
  const entry = await journal.add(work, aNewSubmission());
  assert.equal(shown, 1);
  await journal.settle(work, entry, accepted);
  assert.equal(shown, 2);
  await journal.read(work);
  listening.dispose();
  await journal.add(work, aNewSubmission());
  assert.equal(shown, 2);
});
