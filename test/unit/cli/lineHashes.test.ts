import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashLines } from '../../../src/cli/lineHashes.ts';

// Texts and hashes of `src/fingerprints.test.ts` of github/codeql-action.
const ending = [
  'e9496ae3ebfced30:1',
  'fb7c023a8b9ccb3f:1',
  'ce8ba1a563dcdaca:1',
  'e20e36e16fcb0cc8:1',
  'b3edc88f2938467e:1',
  'c8e28b0b4002a3a0:1',
  'c129715d7a2bc9a3:1',
];
const published: readonly (readonly [text: string, hashes: readonly string[]])[] = [
  ['', ['c129715d7a2bc9a3:1']],
  [' a\nb\n  \t\tc\n d', ['271789c17abda88f:1', '54703d4cd895b18:1', '180aee12dab6264:1', 'a23a3dc5e078b07b:1']],
  [' hello; \t\nworld!!!\n\n\n  \t\tGreetings\n End\n', ending],
  [' hello; \t\nworld!!!\r\r\r  \t\tGreetings\r End\r', ending],
  [' hello; \t\r\nworld!!!\r\n\r\n\r\n  \t\tGreetings\r\n End\r\n', ending],
  [' hello; \t\nworld!!!\r\n\n\r  \t\tGreetings\r End\r\n', ending],
  [
    'Lorem ipsum dolor sit amet.\n'.repeat(10),
    [
      ...[1, 2, 3, 4, 5, 6].map((count) => `a7f2ff13bc495cf2:${count}`),
      'a7f2ff1481e87703:1',
      'a9cf91f7bbf1862b:1',
      '55ec222b86bcae53:1',
      'cc97dc7b1d7d8f7b:1',
      'c129715d7a2bc9a3:1',
    ],
  ],
];

test('the hashes of lines are those that GitHub calculates', () => {
  for (const [text, hashes] of published) assert.deepEqual(hashLines(text), hashes, text);
});
