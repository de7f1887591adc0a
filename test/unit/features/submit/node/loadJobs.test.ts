import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadJobs } from '../../../../../src/features/submit/node/loadJobs.ts';
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
