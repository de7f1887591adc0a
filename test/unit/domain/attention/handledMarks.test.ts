import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  failuresSinceMs,
  firstLookMs,
  joinMarks,
  markHandled,
  nothingHandled,
  readMarks,
  storedMarks,
  unhandled,
} from '../../../../src/domain/attention/handledMarks.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const failure = (id: string) => bareJob({ id, status: 'error', createdAtMs: 1000, completedAtMs: 2000 });

describe('Handled marks', () => {
  it('hide what was handled, and bring back what failed since', () => {
    const marks = markHandled(nothingHandled, [failure('a')], 5000);
    assert.deepEqual(
      unhandled([failure('a'), failure('b')], marks).map(({ id }) => id),
      ['b'],
    );
  });

  it('never lose a failure that was not among those that were marked, in whatever order windows mark and failures come', () => {
    const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
    const step = fc.record({ window: fc.constantFrom(0, 1), ids: fc.array(ids), joins: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const windows = [nothingHandled, nothingHandled];
        const marked = new Set<string>();
        steps.forEach(({ window, ids: chosen, joins }, at) => {
          const mine = windows[window] ?? nothingHandled;
          windows[window] = markHandled(mine, chosen.map(failure), at);
          for (const id of chosen) marked.add(id);
          if (joins) windows[0] = windows[1] = joinMarks(windows[0] ?? nothingHandled, windows[1] ?? nothingHandled);
        });
        const all = joinMarks(windows[0] ?? nothingHandled, windows[1] ?? nothingHandled);
        const left = unhandled(['a', 'b', 'c', 'd', 'e', 'f'].map(failure), all).map(({ id }) => id);
        assert.deepEqual(
          left,
          ['a', 'b', 'c', 'd', 'e', 'f'].filter((id) => !marked.has(id)),
        );
      }),
      { numRuns: propertyRuns },
    );
  });

  it('are read as they were kept, and are not taken for nothing when they cannot be read', () => {
    const marks = markHandled(nothingHandled, [failure('a')], 5000);
    assert.deepEqual(readMarks(JSON.parse(JSON.stringify(storedMarks(marks)))), marks);
    assert.equal(readMarks(undefined), nothingHandled);
    for (const broken of [
      null,
      1,
      'x',
      [],
      {},
      { version: 1 },
      { version: 2, marks: [] },
      { version: 1, marks: [{}] },
    ]) {
      assert.equal(readMarks(broken), undefined);
    }
  });

  it('let the last day be asked for, and a day before the last mark', () => {
    assert.equal(failuresSinceMs(nothingHandled, 10 * firstLookMs), 9 * firstLookMs);
    const marks = markHandled(nothingHandled, [failure('a')], 5 * firstLookMs);
    assert.equal(failuresSinceMs(marks, 10 * firstLookMs), 4 * firstLookMs);
    assert.equal(failuresSinceMs(marks, 3 * firstLookMs), 2 * firstLookMs);
  });
});
