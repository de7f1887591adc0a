import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { RenderedTree } from '../../../../../src/features/tree/common/renderedTree.ts';
import type { TreeNode } from '../../../../../src/features/tree/common/jobTree.ts';

const key = { kind: 'live', status: 'queued' } as const;
const group: TreeNode = { type: 'group', key };
const above = 'group';
const job = (id: string): TreeNode => ({ type: 'job', kind: 'live', id });

describe('a refresh renders', () => {
  let tree: RenderedTree;
  let rows: readonly TreeNode[];
  /** The current look of nodes that differ from the default. */
  let looks: Map<TreeNode, object>;
  const lookOf = (node: TreeNode): object => looks.get(node) ?? { label: 'as usual' };
  const stale = (): readonly TreeNode[] => tree.stale(group, above, () => rows, lookOf);
  /** Requests all rows, as the editor does. */
  const draw = (): void => {
    tree.list(above, rows);
    for (const node of [group, ...rows]) tree.look(node, lookOf(node));
  };

  beforeEach(() => {
    tree = new RenderedTree();
    rows = [job('a'), job('b'), job('c')];
    looks = new Map();
    draw();
  });

  test('nothing, if nothing has changed', () => {
    assert.deepEqual(stale(), []);
  });

  test('only the rows that look different', () => {
    looks.set(rows[1] ?? group, { label: 'as usual', description: '4 minutes ago' });
    assert.deepEqual(stale(), [rows[1]]);
    draw();
    assert.deepEqual(stale(), []);
  });

  for (const [what, change] of [
    ['a row is added', () => [...rows, job('d')]],
    ['a row is removed', () => rows.slice(1)],
    ['rows change places', () => rows.toReversed()],
    ['a row is replaced', () => [job('d'), ...rows.slice(1)]],
  ] as const) {
    test(`the whole list, when ${what}`, () => {
      rows = change();
      assert.deepEqual(stale(), [group]);
    });
  }

  test('the whole list, when its own row looks different', () => {
    looks.set(group, { label: 'as usual', description: '4' });
    assert.deepEqual(stale(), [group]);
  });

  test('rows with a new age individually, however many, except those far below', () => {
    rows = Array.from({ length: 300 }, (_, place) => job(`${place}`));
    draw();
    assert.deepEqual(tree.staleRows(above, lookOf), []);
    for (const row of rows) looks.set(row, { label: 'as usual', description: '4m' });
    assert.deepEqual(tree.staleRows(above, lookOf), rows.slice(0, 100));
    assert.deepEqual(tree.staleRows('unknown', lookOf), []);
  });

  test('the whole list, when many of its rows look different', () => {
    rows = Array.from({ length: 100 }, (_, place) => job(`${place}`));
    draw();
    for (const row of rows.slice(0, 20)) looks.set(row, { label: 'older' });
    assert.equal(stale().length, 20);
    looks.set(rows[20] ?? group, { label: 'older' });
    assert.deepEqual(stale(), [group]);
  });

  test('rows that the editor does not have only once, in case it lost them', () => {
    tree.forget(above);
    rows = [job('d')];
    assert.deepEqual(stale(), [group]);
    tree.forget(above);
    assert.deepEqual(stale(), []);
    looks.set(group, { label: 'as usual', description: '1' });
    assert.deepEqual(stale(), [group]);
    draw();
    tree.forget(above);
    assert.deepEqual(stale(), [group]);
  });

  test('everything that was never rendered', () => {
    tree.clear();
    assert.deepEqual(stale(), [group]);
  });
});
