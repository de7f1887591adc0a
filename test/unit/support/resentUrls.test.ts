import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resentUrls } from '../../soak/checks/resentUrls.ts';

test('what is sent twice at a time is found, and what is sent again when a batch is continued is not', () => {
  const batch = { list: 'calls.txt', urls: ['a', 'b'], runs: [1] };
  assert.deepEqual(resentUrls([batch], ['x', 'a', 'x', 'b', 'x']), []);
  assert.deepEqual(resentUrls([batch], ['x', 'a', 'b', 'a']), ['a']);
  assert.deepEqual(resentUrls([{ ...batch, runs: [1, 3] }], ['x', 'a', 'b', 'b']), []);
  assert.deepEqual(resentUrls([{ ...batch, runs: [1, 3] }], ['x', 'a', 'b', 'b', 'b']), ['b']);
});
