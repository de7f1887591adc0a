import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { revealMoving } from '../../../src/editor/jobs/revealMoving.ts';

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
  test('asks once when the row stays', async () => {
    const editor = failing(0);
    await revealMoving(() => true, editor.reveal);
    assert.equal(editor.calls(), 1);
  });

  test('looks for a row that moved at its new place', async () => {
    const editor = failing(2);
    await revealMoving(() => true, editor.reveal);
    assert.equal(editor.calls(), 3);
  });

  test('says what the editor said when the row is listed and still not found', async () => {
    const editor = failing(Infinity);
    await assert.rejects(
      revealMoving(() => true, editor.reveal),
      moved,
    );
    assert.equal(editor.calls(), 3);
  });

  test('gives up in silence when the row is gone', async () => {
    const editor = failing(Infinity);
    await revealMoving(() => editor.calls() === 0, editor.reveal);
    assert.equal(editor.calls(), 1);
    const other = failing(0);
    await revealMoving(() => false, other.reveal);
    assert.equal(other.calls(), 0);
  });
});
