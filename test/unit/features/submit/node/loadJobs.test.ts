import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadJobs, loadSubmitted } from '../../../../../src/features/submit/node/loadJobs.ts';
import { countedSource } from '../../../../support/countedSource/countedSource.ts';

const { signal } = new AbortController();

test('jobs are found by their ids, and reading ends with the last of them', async () => {
  const { source, asked } = countedSource(1000);
  const found = await loadJobs(source, new Set(['j3', 'j70']), signal);
  assert.deepEqual(found.map(({ id }) => id).sort(), ['j3', 'j70']);
  assert.equal(asked.length, 1);
});

test('searching for a missing job ends after a bounded number of requests', async () => {
  const { source, asked } = countedSource(1_000_000);
  assert.deepEqual(await loadJobs(source, new Set(['elsewhere']), signal), []);
  assert.ok(asked.length <= 40, String(asked.length));
});

test('jobs submitted close together are found with one list, and jobs of another day with another', async () => {
  const { source, asked } = countedSource(100);
  const hour = 3_600_000;
  const times = new Map([
    ['j3', 50 * hour],
    ['j1', hour],
    ['j2', 1.9 * hour],
    ['gone', 50 * hour],
  ]);
  const found = await loadSubmitted(source, times, signal);
  assert.deepEqual(
    found.map(({ id }) => id),
    ['j1', 'j2', 'j3'],
  );
  assert.deepEqual(
    [...new Set(asked.map(({ afterDate, beforeDate }) => `${afterDate} ${beforeDate}`))],
    ['1970-01-01T00:45:00.000Z 1970-01-01T02:09:00.000Z', '1970-01-03T01:45:00.000Z 1970-01-03T02:15:00.000Z'],
  );
  assert.equal((await loadSubmitted(source, new Map(), signal)).length, 0);
});
