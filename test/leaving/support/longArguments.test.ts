import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLongArguments } from '../../support/run/longArguments.ts';
import { UsageError } from '../../support/run/runMain.ts';

test('without arguments the properties and the soak run', () => {
  assert.deepEqual(readLongArguments([]), { properties: true, soak: true, emptySoak: false, soakEnv: {} });
});

test('a part can be chosen, and how long the soak lasts and which choices it makes', () => {
  assert.deepEqual(readLongArguments(['soak', '--minutes', '2.5', '--seed', '7']), {
    properties: false,
    soak: true,
    emptySoak: false,
    soakEnv: { SOAK_MINUTES: '2.5', SOAK_SEED: '7' },
  });
});

test('the soak of an empty tree runs only when it is asked for', () => {
  const { properties, soak, emptySoak } = readLongArguments(['empty', 'soak']);
  assert.deepEqual({ properties, soak, emptySoak }, { properties: false, soak: true, emptySoak: true });
});

for (const args of [
  ['host'],
  ['soak', '--minutes', '1'],
  ['--minutes', '0.5'],
  ['--minutes'],
  ['--minutes', 'long'],
  ['--toString', '1'],
]) {
  test(`${args.join(' ')} is refused in one line`, () => {
    assert.throws(
      () => readLongArguments(args),
      (error) => error instanceof UsageError && !error.message.includes('\n'),
    );
  });
}
