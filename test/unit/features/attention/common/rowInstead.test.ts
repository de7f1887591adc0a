import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { rowInstead } from '../../../../../src/features/attention/common/rowInstead.ts';
import {
  listAttentionNodes,
  nodeId,
  type AttentionNode,
  type AttentionTree,
} from '../../../../../src/features/tree/common/jobTree.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const nothing: AttentionTree = {
  overdue: [],
  isOverdueUnknown: false,
  mayHaveUnread: false,
  groups: [],
  partlyFailed: [],
  unknown: [],
};

const jobs = (...ids: readonly string[]) => ids.map((id) => ({ kind: 'live', id }));
const job = (group: string, id: string): AttentionNode => ({ type: 'attentionJob', group, kind: 'live', id });

/** Returns all rows, topmost first. */
function rowsOf(tree: AttentionTree, from: AttentionNode = { type: 'attention' }): readonly AttentionNode[] {
  return [from, ...listAttentionNodes(from, tree).flatMap((each) => rowsOf(tree, each))];
}

describe('The row to select when a row of Needs attention is gone', () => {
  const before = {
    ...nothing,
    groups: [
      { id: 'a', jobs: jobs('1', '2', '3') },
      { id: 'b', jobs: jobs('4', '5') },
    ],
  };
  const after = (a: readonly string[], b: readonly string[]): AttentionTree => ({
    ...nothing,
    groups: [
      ...(a.length > 0 ? [{ id: 'a', jobs: jobs(...a) }] : []),
      ...(b.length > 0 ? [{ id: 'b', jobs: jobs(...b) }] : []),
    ],
  });

  it('is the next row, otherwise the previous row, otherwise the next group', () => {
    assert.deepEqual(rowInstead(job('a', '2'), before, after(['1', '3'], ['4'])), job('a', '3'));
    assert.deepEqual(rowInstead(job('a', '3'), before, after(['1', '2'], ['4'])), job('a', '2'));
    assert.deepEqual(rowInstead(job('a', '2'), before, after([], ['4', '5'])), { type: 'failureGroup', group: 'b' });
    assert.deepEqual(rowInstead({ type: 'failureGroup', group: 'b' }, before, after(['1', '2'], [])), {
      type: 'failureGroup',
      group: 'a',
    });
  });

  it('is a row above if none is left beside it, and none if no row is left', () => {
    const overdue = { ...before, overdue: jobs('9') };
    assert.deepEqual(rowInstead({ type: 'failures' }, overdue, { ...nothing, overdue: jobs('9') }), {
      type: 'overdue',
    });
    assert.deepEqual(rowInstead({ type: 'failures' }, before, { ...nothing, mayHaveUnread: true }), {
      type: 'failures',
    });
    assert.equal(rowInstead(job('a', '1'), before, undefined), undefined);
  });

  it('property: is always one of the remaining rows', () => {
    const someJobs = fc.uniqueArray(fc.constantFrom('1', '2', '3', '4')).map((ids) => jobs(...ids));
    const tree = fc.record<AttentionTree>({
      overdue: someJobs,
      isOverdueUnknown: fc.boolean(),
      mayHaveUnread: fc.boolean(),
      groups: fc.uniqueArray(fc.record({ id: fc.constantFrom('a', 'b', 'c'), jobs: someJobs }), {
        selector: ({ id }) => id,
      }),
      partlyFailed: someJobs,
      unknown: fc.uniqueArray(fc.record({ key: fc.constantFrom('x', 'y') }), { selector: ({ key }) => key }),
    });
    fc.assert(
      fc.property(tree, tree, fc.nat(), (shown, left, seed) => {
        const rows = rowsOf(shown);
        const gone = rows[seed % rows.length] as AttentionNode;
        const instead = rowInstead(gone, shown, left);
        const ids = rowsOf(left).map((row) => nodeId('', row));
        if (instead !== undefined) assert.ok(ids.includes(nodeId('', instead)));
        else assert.equal(gone.type, 'attention');
      }),
      { numRuns: propertyRuns },
    );
  });
});
