import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readBenchArguments } from '../../bench/benchArguments.ts';
import { UsageError } from '../../support/run/runMain.ts';

const known = ['list', 'memory', 'board'];

test('without arguments all rows run for the record', () => {
  assert.deepEqual(readBenchArguments([], known), { quick: false, rows: known, forTheRecord: true });
});

test('a quick run, or one of some rows, is not for the record', () => {
  assert.deepEqual(readBenchArguments(['--quick'], known), { quick: true, rows: known, forTheRecord: false });
  assert.deepEqual(readBenchArguments(['--rows', 'board,list'], known), {
    quick: false,
    rows: ['list', 'board'],
    forTheRecord: false,
  });
});

test('some rows are for the record when that is asked for', () => {
  assert.deepEqual(readBenchArguments(['--rows', 'memory', '--record'], known), {
    quick: false,
    rows: ['memory'],
    forTheRecord: true,
  });
});

for (const args of [['list'], ['--rows'], ['--rows', 'toString'], ['--rows', ''], ['--quick', '--record']]) {
  test(`${args.join(' ')} is refused in one line`, () => {
    assert.throws(
      () => readBenchArguments(args, known),
      (error) => error instanceof UsageError && !error.message.includes('\n'),
    );
  });
}
