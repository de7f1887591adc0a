import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmationLevels } from '../../../src/language/check.ts';

test('a folder can make a rule stricter for a confirmation, but never less strict', () => {
  const user = new Map([
    ['a', 'off'],
    ['b', 'warning'],
    ['c', 'hint'],
  ] as const);
  const effective = new Map([
    ['a', 'warning'],
    ['b', 'off'],
    ['c', 'info'],
    ['d', 'off'],
    ['e', 'warning'],
    ['f', 'hint'],
  ] as const);
  assert.deepEqual(
    [...confirmationLevels(user, effective)],
    [
      ['a', 'warning'],
      ['b', 'warning'],
      ['c', 'info'],
      ['e', 'warning'],
    ],
  );
});
