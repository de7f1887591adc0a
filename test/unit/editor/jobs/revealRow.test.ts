import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { revealMoving } from '../../../../src/editor/jobs/revealRow.ts';

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

/** Pauses that take no time. */
function noting(): { readonly pauses: number[]; readonly pause: (ms: number) => Promise<void> } {
  const pauses: number[] = [];
  return {
    pauses,
    pause: async (ms) => {
      pauses.push(ms);
    },
  };
}

describe('Revealing a row that may move', () => {
  test('asks once when the row stays', async () => {
    const editor = failing(0);
    const { pauses, pause } = noting();
    await revealMoving(() => true, editor.reveal, pause);
    assert.equal(editor.calls(), 1);
    assert.deepEqual(pauses, []);
  });

  test('looks for a row that moved at its new place, once the editor has taken it in', async () => {
    const editor = failing(2);
    const { pauses, pause } = noting();
    await revealMoving(() => true, editor.reveal, pause);
    assert.equal(editor.calls(), 3);
    assert.deepEqual(pauses, [250, 250]);
  });

  test('says what the editor said when the row is listed and still not found', async () => {
    const editor = failing(Infinity);
    await assert.rejects(
      revealMoving(() => true, editor.reveal, noting().pause),
      moved,
    );
    assert.equal(editor.calls(), 4);
  });

  test('gives up in silence when the row is gone', async () => {
    const editor = failing(Infinity);
    await revealMoving(() => editor.calls() === 0, editor.reveal, noting().pause);
    assert.equal(editor.calls(), 1);
    const other = failing(0);
    await revealMoving(() => false, other.reveal);
    assert.equal(other.calls(), 0);
  });
});
