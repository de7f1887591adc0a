import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLedger, maxLeftOut, replayLedger, type Batch } from '../../../../../src/features/submit/common/batch.ts';
import {
  batchCounts,
  batchFates,
  batchSource,
  batchSummary,
  jobsOfBatch,
} from '../../../../../src/features/submit/common/batchSummary.ts';
import type { JobFate, SubmissionOutcome } from '../../../../../src/jobs/common/submission.ts';

const english = { language: 'en', timeZone: 'UTC' };

/** Returns a batch as read from a ledger, with these outcomes. */
function batchOf(...outcomes: readonly object[]): Batch {
  const files = outcomes.map((_, index) => `file:///w/${index}.json`);
  const plan = { connection: 'Work', origin: 'https://a.example', startedAtMs: 0, total: files.length, skipped: [] };
  const lines = [
    { type: 'plan', schema: 2, ...plan, source: { type: 'files', files } },
    { type: 'run', run: 'r', sender: 1, n: 0 },
    ...outcomes.flatMap((outcome, index) => [
      { type: 'send', run: 'r', item: `${index}`, label: `${index}.json`, file: files[index], n: 2 * index + 1 },
      { type: 'outcome', run: 'r', item: `${index}`, outcome, n: 2 * index + 2 },
    ]),
  ];
  const { lines: decoded, damaged } = decodeLedger(lines.map((line) => JSON.stringify(line)));
  return replayLedger(decoded, damaged) ?? assert.fail('no batch');
}

function accepted(id: string, fate?: JobFate): SubmissionOutcome {
  return { type: 'accepted', status: 201, id, ...(fate && { fate }) };
}

const rejected = { type: 'rejected', code: 'rejected', status: 422 };

test('a report ends with the rows of the list that were left out, also if the plan has none', () => {
  const ledger = (plan: object): Batch => {
    const { lines, damaged } = decodeLedger([
      JSON.stringify({
        type: 'plan',
        schema: 2,
        connection: 'Work',
        origin: 'https://a.example',
        startedAtMs: 0,
        total: 1,
        source: { type: 'list', template: 'file:///w/t.json' },
        skipped: [],
        ...plan,
      }),
    ]);
    return replayLedger(lines, damaged) ?? assert.fail('no batch');
  };
  const leftOut = [
    { row: 3, reason: 'no URL' },
    { row: 7, reason: 'duplicate' },
  ];
  const { text } = batchSummary(ledger({ leftOut }), [], english);
  assert.match(text, /\n\nLeft out of the list:\nRow 3: no URL\nRow 7: duplicate\n$/);
  assert.doesNotMatch(batchSummary(ledger({}), [], english).text, /Left out/);
  const many = Array.from({ length: maxLeftOut }, (_, row) => ({ row, reason: 'no URL' }));
  assert.match(batchSummary(ledger({ leftOut: many }), [], english).text, /Further rows are not listed\.\n$/);
});

test('a request that was not sent yet is named by its label, or else by its file', () => {
  const template = 'file:///w/base.json';
  const untried = [{ file: template, label: 'a.example/1.wav' }, { file: template }];
  const { text } = batchSummary(batchOf(accepted('a')), untried, english);
  assert.match(text, /^not sent {2}a\.example\/1\.wav$/m);
  assert.match(text, /^not sent {2}base\.json$/m);
});

test('a report shows the outcomes of the requests while no final state is known', () => {
  const batch = batchOf(accepted('a'), accepted('b'), rejected);
  assert.equal(batchFates(batch), '2 accepted · 1 rejected');
  assert.match(batchSummary(batch, [], english).text, /^accepted {2}0\.json {2}a$/m);
});

test('a report then shows the final state of each job, and offers to check the others and to resubmit failed ones', () => {
  const batch = batchOf(
    accepted('b', { status: 'error', errorCode: 503 }),
    accepted('a', { status: 'done' }),
    accepted('c'),
    accepted('d', { status: 'error' }),
    rejected,
    { type: 'accepted' },
  );
  assert.equal(batchFates(batch), '1 done · 2 failed · 2 accepted · 1 rejected');
  assert.equal(batchCounts(batch), '5 accepted · 1 rejected', 'of sending alone');
  assert.deepEqual(jobsOfBatch(batch), { failed: ['b', 'd'], open: ['c'] });
  const { text, links } = batchSummary(batch, [], english);
  assert.deepEqual(text.split('\n').slice(2, 8), [
    'Resubmit 2 Failed…   Check 1 Jobs',
    '',
    'failed    0.json  error 503  b',
    'done      1.json  a',
    'accepted  2.json  c',
    'failed    3.json  d',
  ]);
  const linked = links.map(({ offset, length, target }) => [text.slice(offset, offset + length), target.type]);
  assert.deepEqual(linked.slice(0, 6), [
    ['Resubmit 2 Failed…', 'action'],
    ['Check 1 Jobs', 'action'],
    ['0.json', 'file'],
    ['b', 'job'],
    ['1.json', 'file'],
    ['a', 'job'],
  ]);
});

test('once every job has ended, each is shown as done or failed', () => {
  const batch = batchOf(accepted('a', { status: 'done' }), accepted('b', { status: 'error' }));
  assert.equal(batchFates(batch), '1 done · 1 failed');
  assert.match(batchSummary(batch, [], english).text, /^done {4}0\.json {2}a$/m);
});

test('an invalid final state in a ledger counts as damage, and as no final state', () => {
  for (const fate of ['done', { status: 'archived' }, { status: 'done', errorCode: 'x' }]) {
    const batch = batchOf({ type: 'accepted', id: 'a', fate });
    assert.equal(batch.damaged, 1);
    assert.deepEqual(jobsOfBatch(batch).failed, []);
  }
});

test('a batch is named after its list, its template or its files', () => {
  const named = (source: Batch['plan']['source'], total = 3): string => {
    const batch = batchOf(accepted('a'));
    return batchSource({ ...batch, plan: { ...batch.plan, source, total } });
  };
  const template = 'file:///w/daily%20calls.transcription.json';
  assert.equal(named({ type: 'list', template, list: undefined }), 'daily calls.transcription.json');
  assert.equal(named({ type: 'list', template, list: 'file:///w/november.csv' }), 'november.csv');
  assert.equal(
    named({ type: 'files', files: [template, 'file:///w/b.json', 'file:///w/c.json'] }),
    'daily calls.transcription.json and 2 more',
  );
  assert.equal(
    named({ type: 'files', files: ['untitled:%E0%A4%A'] }, 1),
    '%E0%A4%A',
    'a name that cannot be decoded stays',
  );
  assert.equal(named({ type: 'resubmit', jobs: [] }), 'resubmitted jobs');
});
