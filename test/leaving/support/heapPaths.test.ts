import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { changedPaths, heapPaths } from '../../support/heap/heapPaths.ts';

const folder = mkdtempSync(join(tmpdir(), 'tj-heap-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const nodeTypes = ['synthetic', 'object', 'string'];
const edgeTypes = ['property', 'element', 'weak'];

/** A snapshot in which a view holds a number of rows, each with its text; a cache references every row only weakly. */
function snapshotWith(name: string, rows: number): string {
  const strings = ['', 'View', 'Row', 'text', 'rows', 'view', 'cache'];
  // Type, name, bytes, edges.
  const nodes = [
    [0, 0, 0, 2],
    [1, 1, 10, rows],
    [1, 6, 10, rows],
  ];
  const edges = [
    [0, 5, 1],
    [0, 6, 2],
  ];
  for (let row = 0; row < rows; row++) edges.push([1, row, 3 + 2 * row]);
  for (let row = 0; row < rows; row++) edges.push([2, row, 3 + 2 * row]);
  for (let row = 0; row < rows; row++) {
    nodes.push([1, 2, 100, 1], [2, 0, 40, 0]);
    edges.push([0, 3, 4 + 2 * row]);
  }
  const meta = {
    node_fields: ['type', 'name', 'self_size', 'edge_count'],
    node_types: [nodeTypes],
    edge_fields: ['type', 'name_or_index', 'to_node'],
    edge_types: [edgeTypes],
  };
  const file = join(folder, `${name}.heapsnapshot`);
  const places = edges.map(([type, label, to = 0]) => [type, label, to * meta.node_fields.length]);
  writeFileSync(file, JSON.stringify({ snapshot: { meta }, nodes: nodes.flat(), edges: places.flat(), strings }));
  return file;
}

test('what has grown shows by the way it is held, whatever its place in a list', () => {
  const [first, second, ...others] = changedPaths(
    heapPaths(snapshotWith('before', 3)),
    heapPaths(snapshotWith('after', 10)),
  );
  assert.deepEqual(first, { path: ' .view:View .[]:Row', count: 7, bytes: 700 });
  assert.deepEqual(second, { path: ' .view:View .[]:Row .text:(string)', count: 7, bytes: 280 });
  assert.ok(others.every(({ count, bytes }) => count === 0 && bytes === 0));
});
