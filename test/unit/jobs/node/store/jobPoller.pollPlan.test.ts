import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pollDelayMs, type PollState } from '../../../../../src/jobs/node/store/jobPoller.ts';

const watched: PollState = {
  visible: true,
  focused: true,
  unfinished: true,
  intervalMs: 15_000,
  nowMs: 1_000_000,
  lastMs: 1_000_000,
  failures: 0,
  retryAtMs: undefined,
  returned: false,
};

test('polls only while the view is visible, the window focused and a job unfinished', () => {
  assert.equal(pollDelayMs(watched), 15_000);
  assert.equal(pollDelayMs({ ...watched, intervalMs: 0, returned: true }), undefined, 'off');
  for (const missing of ['visible', 'focused', 'unfinished'] as const) {
    assert.equal(pollDelayMs({ ...watched, [missing]: false, returned: true }), undefined, missing);
  }
});

test('counts the interval from the last poll', () => {
  assert.equal(pollDelayMs({ ...watched, nowMs: watched.lastMs + 4_000 }), 11_000);
  assert.equal(pollDelayMs({ ...watched, nowMs: watched.lastMs + 60_000 }), 0);
});

test('doubles with each failure up to five minutes', () => {
  const delays = [0, 1, 2, 3, 4, 5, 50].map((failures) => pollDelayMs({ ...watched, failures }));
  assert.deepEqual(delays, [15_000, 30_000, 60_000, 120_000, 240_000, 300_000, 300_000]);
});

test('keeps an interval of more than five minutes after a failure', () => {
  assert.equal(pollDelayMs({ ...watched, intervalMs: 3_600_000, failures: 3 }), 3_600_000);
});

test('waits until the time to retry, even if the user has returned', () => {
  const retryAtMs = watched.nowMs + 90_000;
  assert.equal(pollDelayMs({ ...watched, retryAtMs }), 90_000);
  assert.equal(pollDelayMs({ ...watched, retryAtMs, returned: true, lastMs: 0 }), 90_000);
  assert.equal(pollDelayMs({ ...watched, retryAtMs: watched.nowMs - 1 }), 15_000);
});

test('waits no longer than a pause if the clock was set back', () => {
  const setBack = { ...watched, nowMs: watched.lastMs - 32_400_000, touchedMs: watched.lastMs };
  assert.equal(pollDelayMs({ ...setBack, retryAtMs: watched.lastMs + 90_000 }), 15_000);
  assert.equal(pollDelayMs({ ...setBack, failures: 2 }), 60_000);
});

test('polls at once if the user has returned, unless the last poll was just before', () => {
  const returned = { ...watched, returned: true, failures: 4 };
  assert.equal(pollDelayMs({ ...returned, nowMs: watched.lastMs + 20_000 }), 0);
  assert.equal(pollDelayMs({ ...returned, nowMs: watched.lastMs + 1_000 }), 4_000);
});

test('waits while the user is busy in the list, but not forever', () => {
  const due = watched.lastMs + 15_000;
  assert.equal(pollDelayMs({ ...watched, nowMs: due - 1000, touchedMs: due - 2000 }), 4_000);
  assert.equal(pollDelayMs({ ...watched, nowMs: due - 1000, touchedMs: due - 9000 }), 1_000);
  assert.equal(pollDelayMs({ ...watched, nowMs: due + 3000, touchedMs: due + 3000 }), 5_000);
  assert.equal(pollDelayMs({ ...watched, nowMs: due + 60_000, touchedMs: due + 60_000 }), 0);
});
