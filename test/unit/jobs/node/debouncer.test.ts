import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Debouncer } from '../../../../src/jobs/node/debouncer.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';

function gathering(): {
  readonly clock: FakeClock;
  readonly shown: (readonly number[])[];
  readonly debouncer: Debouncer<number>;
} {
  const clock = new FakeClock();
  const shown: (readonly number[])[] = [];
  return { clock, shown, debouncer: new Debouncer<number>(clock, (gathered) => shown.push(gathered)) };
}

test('values that arrive close together are delivered at once, after five quiet seconds', async () => {
  const { clock, shown, debouncer } = gathering();
  debouncer.add([1], false);
  await clock.advance(4000);
  debouncer.add([2, 3], false);
  await clock.advance(4999);
  assert.deepEqual([shown, debouncer.held], [[], [1, 2, 3]]);
  await clock.advance(1);
  assert.deepEqual([shown, debouncer.held], [[[1, 2, 3]], []]);
});

test('no value waits for more than half a minute, however many arrive', async () => {
  const { clock, shown, debouncer } = gathering();
  for (let second = 0; second < 40; second += 4) {
    debouncer.add([second], false);
    await clock.advance(4000);
  }
  assert.deepEqual(shown, [[0, 4, 8, 12, 16, 20, 24, 28]]);
});

test('the last value is delivered with the pending ones, and an empty one alone delivers nothing', async () => {
  const { clock, shown, debouncer } = gathering();
  debouncer.add([], true);
  debouncer.add([1], false);
  debouncer.add([2], true);
  await clock.advance(60_000);
  assert.deepEqual(shown, [[1, 2]]);
});

test('nothing is delivered after disposal', async () => {
  const { clock, shown, debouncer } = gathering();
  debouncer.add([1], false);
  debouncer.dispose();
  await clock.advance(60_000);
  assert.deepEqual(shown, []);
});
