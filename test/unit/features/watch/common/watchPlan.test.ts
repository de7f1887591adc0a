import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  judgeWatchedJob,
  maxMissMs,
  maxWatchMs,
  maxMisses,
  type WatchedJob,
} from '../../../../../src/features/watch/common/watchPlan.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';

const watched: WatchedJob = {
  connection: 'Work',
  origin: 'https://api.example.com',
  kind: 'pre-recorded',
  id: 'a',
  label: 'a',
  sinceMs: 0,
  createdAtMs: 0,
  misses: 0,
};

test('a finished job is reported as finished, however long it took', () => {
  const done = bareJob({ status: 'done' });
  assert.equal(judgeWatchedJob(watched, done, 'open', 2 * maxWatchMs).type, 'finished');
});

test('an unfinished job is given up after exactly a day', () => {
  const running = bareJob({ status: 'processing', createdAtMs: 0 });
  assert.equal(judgeWatchedJob(watched, running, 'open', maxWatchMs - 1).type, 'waiting');
  const { type, ...rest } = judgeWatchedJob(watched, running, 'open', maxWatchMs);
  assert.deepEqual([type, 'why' in rest && rest.why], ['givenUp', 'tooLong']);
});

test('a job is reported as gone after the max number of misses, if the first was long enough ago', () => {
  const missed = { ...watched, missedSinceMs: 1000 };
  const judged = (misses: number, nowMs: number) =>
    judgeWatchedJob({ ...missed, misses }, undefined, 'proved', nowMs).type;
  assert.equal(judged(maxMisses - 1, 1000 + maxMissMs), 'givenUp');
  assert.equal(judged(maxMisses - 2, 1000 + maxMissMs), 'waiting');
  assert.equal(judged(maxMisses - 1, 999 + maxMissMs), 'waiting');
});
