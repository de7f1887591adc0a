import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Journal } from '../../../src/jobs/node/journal/journal.ts';
import { JournalSegments } from '../../../src/jobs/node/journal/journalSegments.ts';
import { digest } from '../../../src/base/digest.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { alternate } from '../alternate.ts';
import { medianRatio } from '../median.ts';
import type { Outcome, Row } from '../outcome.ts';
import { timed } from '../timed.ts';

const owner = { name: 'Work', baseUrl: 'https://api.example.com' };

/** The number of submissions that Show Submissions lists first. */
const listedFirst = 200;

/**
 * Measures the wait before the confirmation of a submission, and opening the list of submissions, against reading one file of that size.
 */
export const row: Row = async ({ quick }) => {
  const entries = quick ? 2_000 : 10_000;
  const folder = await mkdtemp(join(tmpdir(), 'tj-bench-journal-'));
  try {
    const nowMs = Date.now();
    const journal = new Journal(folder, { now: () => nowMs }, new KeptLog());
    const segments = join(journal.folderOf(owner), 'journal');
    await new JournalSegments(segments).append(
      nowMs,
      Array.from({ length: entries }, (_, at) => records(nowMs, at)).flat(),
    );
    const [name = ''] = await readdir(segments);
    const path = join(segments, name);
    const { size } = await stat(path);
    const bodyHashes = new Set([digest(String(entries >> 1))]);
    const times = await alternate(
      {
        file: async () => void (await readFile(path, 'utf8')),
        sameBody: async () => {
          const { submissions } = await journal.readSame(owner, bodyHashes);
          if (submissions.length !== 1) throw new Error(`${submissions.length} submissions`);
        },
        opened: async () => {
          const { submissions, hasOlder } = await journal.read(owner, listedFirst);
          if (submissions.length !== listedFirst || !hasOlder) throw new Error(`${submissions.length} submissions`);
        },
        all: async () => {
          const { submissions } = await journal.read(owner);
          if (submissions.length !== entries) throw new Error(`${submissions.length} submissions`);
        },
      },
      { rounds: quick ? 5 : 15, warmUps: 3 },
    );
    const count = entries.toLocaleString('en');
    const reference = timed(`one file of ${Math.round(size / 1024).toLocaleString('en')} KB`, times.file);
    const outcomes: readonly Outcome[] = [
      {
        title: 'Journal: before a submission',
        measured: `looking for the same body among ${count} submissions of the last day, against reading one file of the same bytes`,
        value: medianRatio(times.sameBody, times.file),
        unit: '×',
        atMost: 4,
        facts: [reference, timed('the same body', times.sameBody)],
      },
      {
        title: 'Journal: opened',
        measured: `the newest ${listedFirst} of ${count} submissions, all checked, against reading one file of the same bytes`,
        value: medianRatio(times.opened, times.file),
        unit: '×',
        atMost: 4,
        facts: [
          reference,
          timed(`the newest ${listedFirst}`, times.opened),
          timed('all, as when older ones are asked for', times.all),
        ],
      },
    ];
    return outcomes;
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Returns a submission and its outcome, as the journal writes them. */
function records(nowMs: number, at: number): readonly object[] {
  const key = `${String(nowMs).padStart(15, '0')}-${String(at).padStart(36, '0')}`;
  const entry = {
    schema: 2,
    type: 'entry',
    key,
    bodyHash: digest(String(at)),
    sentAtMs: nowMs,
    expectedByMs: nowMs + 45_000,
    file: `file:///work/calls/${at}.transcription.json`,
    audioHash: digest(`audio ${at}`),
    connection: owner.name,
    origin: owner.baseUrl,
    sender: 1,
    outcome: { type: 'sending' },
  };
  const outcome = { type: 'accepted', status: 201, id: key.slice(-36) };
  return [entry, { schema: 2, type: 'outcome', key, outcome }];
}
