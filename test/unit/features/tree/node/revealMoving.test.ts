import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { revealMoving } from '../../../../../src/features/tree/node/revealMoving.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';

/** The editor's error if a row has moved away from the path to it. */
const moved = new Error('Cannot resolve tree item');

/** Creates an editor that fails a number of times, with an error or silently, and then finds the row. */
function failing(
  times: number,
  how: 'throws' | 'returns' = 'throws',
): { readonly calls: () => number; readonly reveal: () => Promise<boolean> } {
  let calls = 0;
  return {
    calls: () => calls,
    reveal: async () => {
      calls++;
      if (calls <= times && how === 'throws') throw moved;
      return calls > times;
    },
  };
}

describe('Revealing a row that may move', () => {
  test('calls the editor once if the row stays, and sets no timer', async () => {
    const editor = failing(0);
    const clock = new FakeClock();
    await revealMoving(() => true, editor.reveal, clock);
    assert.equal(editor.calls(), 1);
    assert.equal(clock.pending, 0);
  });

  test('looks for a moved row at its new place, once the editor has updated', async () => {
    const editor = failing(2);
    const clock = new FakeClock();
    const revealing = revealMoving(() => true, editor.reveal, clock);
    await clock.advance(0);
    await clock.advance(249);
    assert.equal(editor.calls(), 1);
    await clock.advance(1);
    assert.equal(editor.calls(), 2);
    // The delay is doubled, for a busy editor.
    await clock.advance(499);
    assert.equal(editor.calls(), 2);
    await clock.advance(1);
    await revealing;
    assert.equal(editor.calls(), 3);
  });

  test('tries again if the editor does not show the row and reports no error', async () => {
    const editor = failing(1, 'returns');
    const clock = new FakeClock();
    const revealing = revealMoving(() => true, editor.reveal, clock);
    await clock.advance(0);
    await clock.advance(250);
    await revealing;
    assert.equal(editor.calls(), 2);
    assert.equal(clock.pending, 0);
  });

  test('reports no error if the editor never confirmed the row, which it may show', async () => {
    const editor = failing(Infinity, 'returns');
    const clock = new FakeClock();
    const revealing = revealMoving(() => true, editor.reveal, clock);
    await clock.advance(0);
    await clock.advance(8000);
    await revealing;
    assert.equal(editor.calls(), 6);
  });

  test('reports the error of the editor if the row is listed but never found', async () => {
    const editor = failing(Infinity);
    const clock = new FakeClock();
    const revealing = assert.rejects(
      revealMoving(() => true, editor.reveal, clock),
      moved,
    );
    await clock.advance(0);
    await clock.advance(8000);
    await revealing;
    assert.equal(editor.calls(), 6);
  });

  test('gives up silently if the row is gone', async () => {
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
