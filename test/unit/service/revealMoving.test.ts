import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { revealMoving } from '../../../src/service/revealMoving.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';

/** What the editor says of a row that left the place the way led to. */
const moved = new Error('Cannot resolve tree item');

/** An editor that fails as often as is said, and then finds the row. */
function failing(times: number): { readonly calls: () => number; readonly reveal: () => Promise<void> } {
  let calls = 0;
  return {
    calls: () => calls,
    reveal: async () => {
      calls++;
      if (calls <= times) throw moved;
    },
  };
}

describe('Revealing a row that may move', () => {
  test('asks once when the row stays, and sets no timer', async () => {
    const editor = failing(0);
    const clock = new FakeClock();
    await revealMoving(() => true, editor.reveal, clock);
    assert.equal(editor.calls(), 1);
    assert.equal(clock.pending, 0);
  });

  test('looks for a row that moved at its new place, once the editor has taken it in', async () => {
    const editor = failing(2);
    const clock = new FakeClock();
    const revealing = revealMoving(() => true, editor.reveal, clock);
    await clock.advance(0);
    await clock.advance(249);
    assert.equal(editor.calls(), 1);
    await clock.advance(1);
    assert.equal(editor.calls(), 2);
    await clock.advance(250);
    await revealing;
    assert.equal(editor.calls(), 3);
  });

  test('says what the editor said when the row is listed and still not found', async () => {
    const editor = failing(Infinity);
    const clock = new FakeClock();
    const revealing = assert.rejects(
      revealMoving(() => true, editor.reveal, clock),
      moved,
    );
    await clock.advance(0);
    await clock.advance(1000);
    await revealing;
    assert.equal(editor.calls(), 4);
  });

  test('gives up in silence when the row is gone', async () => {
    const editor = failing(Infinity);
    const clock = new FakeClock();
    const revealing = revealMoving(() => editor.calls() === 0, editor.reveal, clock);
    await clock.advance(0);
    await clock.advance(250);
    await revealing;
    assert.equal(editor.calls(), 1);
    const other = failing(0);
    await revealMoving(() => false, other.reveal, clock);
    assert.equal(other.calls(), 0);
  });
});
