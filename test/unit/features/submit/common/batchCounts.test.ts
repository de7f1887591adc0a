import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeLedger, replayLedger, type Batch } from '../../../../../src/features/submit/common/batch.ts';
import {
  batchCounts,
  batchFates,
  batchSource,
  describeFinished,
  fateLabel,
  jobsOfBatch,
} from '../../../../../src/features/submit/common/batchCounts.ts';
import type { JobFate, SubmissionOutcome } from '../../../../../src/jobs/common/submission.ts';
import { aSubmission } from '../node/aSubmission.ts';

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

test('counts outcomes while no final state is known', () => {
  assert.equal(batchFates(batchOf(accepted('a'), accepted('b'), rejected)), '2 accepted · 1 rejected');
});

test('counts the final states of jobs first, then the outcomes of the others', () => {
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
  assert.deepEqual(jobsOfBatch({ ...batch, resubmitted: new Map([['d', aSubmission()]]) }), {
    failed: ['b', 'd'],
    toResubmit: ['b'],
    done: ['a'],
    open: ['c'],
  });
  assert.deepEqual(describeFinished(batch), { outcome: undefined, hasLosses: true });
});

test('says how many of the failed jobs were resubmitted', () => {
  const failed = (...ids: readonly string[]) => ids.map((id) => accepted(id, { status: 'error' }));
  const counted = (all: readonly string[], ...resubmitted: readonly string[]): string =>
    batchFates({
      ...batchOf(...failed(...all)),
      resubmitted: new Map(resubmitted.map((id) => [id, aSubmission()])),
    });
  assert.equal(counted(['a'], 'a'), '1 failed, resubmitted');
  assert.equal(counted(['a', 'b'], 'a'), '2 failed, 1 of them resubmitted');
  assert.equal(counted(['a', 'b', 'c'], 'a', 'c'), '3 failed, 2 of them resubmitted');
});

test('says which of the jobs that are done lack a part', () => {
  const done = (...failedAddOns: readonly string[]) => accepted('a', { status: 'done', failedAddOns });
  const whole = accepted('b', { status: 'done' });
  const batch = batchOf(whole, done('translation'), whole, accepted('c', { status: 'error' }));
  assert.equal(batchFates(batch), '3 done, 1 of them without its translation · 1 failed');
  assert.deepEqual(describeFinished(batch), {
    outcome: 'Batch of 4: 3 done, 1 of them without its translation · 1 failed.',
    hasLosses: true,
  });
  assert.deepEqual(jobsOfBatch(batch), { failed: ['a', 'c'], toResubmit: ['a', 'c'], done: ['b', 'a', 'b'], open: [] });
  assert.equal(batchFates(batchOf(done('translation', 'subtitles'))), '1 done, failed in part');
  assert.equal(batchFates(batchOf(done('subtitles'), done('summarization'))), '2 done, 2 of them failed in part');
  assert.equal(batchFates(batchOf(done('subtitles'), done('subtitles'))), '2 done, 2 of them without their subtitles');
  assert.equal(describeFinished(batchOf(whole, whole))?.hasLosses, false);
  assert.equal(describeFinished(batchOf(whole)), undefined, 'one job is described like any other');
  assert.deepEqual(
    [whole, done('x'), accepted('d', { status: 'error' }), accepted('e'), { type: 'sending' } as const].map(fateLabel),
    ['done', 'failed in part', 'failed', 'accepted', 'being sent'],
  );
});

test('an invalid final state in a ledger counts as damage, and as no final state', () => {
  for (const fate of [
    'done',
    { status: 'archived' },
    { status: 'done', errorCode: 'x' },
    { status: 'done', failedAddOns: [1] },
  ]) {
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
  assert.equal(named({ type: 'resubmit', jobs: [] }), 'Resubmitted jobs');
  assert.equal(named({ type: 'resubmit', jobs: [], list: 'file:///w/calls.csv' }), 'calls.csv, resubmitted');
});
