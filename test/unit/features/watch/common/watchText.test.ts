import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FinishedJob } from '../../../../../src/features/watch/common/watchPlan.ts';
import { finishedText, hasLosses } from '../../../../../src/features/watch/common/watchText.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';

function finished(changes: Partial<Job> = {}): FinishedJob {
  const watched = {
    connection: 'Work',
    origin: 'https://a.example',
    kind: 'pre-recorded',
    id: 'a',
    label: 'Call',
  } as const;
  return { watched: { ...watched, sinceMs: 0, createdAtMs: undefined, misses: 0 }, job: bareJob(changes) };
}

const done = finished();
const failed = finished({ status: 'error', errorCode: 503 });
const partly = finished({ raw: '{"id":"a","result":{"translation":{"success":false}}}' });
const withoutSummary = finished({ raw: '{"id":"a","result":{"summarization":{"success":false}}}' });

test('a job that finished alone is named, with what failed in it', () => {
  assert.equal(finishedText([done], {}), '"Call" is done.');
  assert.equal(finishedText([failed], {}), '"Call" failed: error 503.');
  assert.equal(finishedText([partly], {}), '"Call" failed in part: Translation failed.');
});

test('jobs that finished together are counted, and those without a part of their result are not simply done', () => {
  assert.equal(finishedText([done, done], {}), '2 jobs are done.');
  assert.equal(finishedText([failed, failed], {}), '2 jobs failed.');
  assert.equal(finishedText([done, failed], {}), '2 jobs finished: 1 done · 1 failed.');
  assert.equal(finishedText([done, partly], {}), '2 jobs finished: 2 done, 1 of them without its translation.');
  assert.equal(
    finishedText([partly, partly, done, failed], {}),
    '4 jobs finished: 3 done, 2 of them without their translations · 1 failed.',
  );
  assert.equal(finishedText([partly, withoutSummary], {}), '2 jobs finished: 2 done, 2 of them failed in part.');
});

test('a job that failed in part is a loss', () => {
  assert.deepEqual([done, failed, partly].map(hasLosses), [false, true, true]);
});
