import { readFileSync } from 'node:fs';

/** The number of objects with the same retaining path, and their size. */
export interface Held {
  readonly count: number;
  readonly bytes: number;
}

/** The parts of a V8 heap snapshot that are read here. */
interface Snapshot {
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
      readonly edge_fields: readonly string[];
      readonly edge_types: readonly [readonly string[], ...unknown[]];
    };
  };
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
  readonly strings: readonly string[];
}

/** Types of the engine's own objects: compiled code, runtime feedback, the shapes of objects. */
const engineTypes = new Set(['code', 'object shape', 'hidden']);

/** Paths are cut at this length: deeper objects count towards the cut path. */
const maxPathLength = 1500;

/**
 * Returns the contents of a heap by shortest path from the roots, with all list and table indexes treated alike: paths can be compared
 * between snapshots although object ids differ, which shows what retains the objects that were added.
 */
export function heapPaths(file: string): ReadonlyMap<string, Held> {
  const heap = JSON.parse(readFileSync(file, 'utf8')) as Snapshot;
  const { nodes, edges, strings } = heap;
  const { meta } = heap.snapshot;
  const nodeSize = meta.node_fields.length;
  const edgeSize = meta.edge_fields.length;
  const [typeAt, nameAt, bytesAt, edgesAt] = ['type', 'name', 'self_size', 'edge_count'].map((field) =>
    meta.node_fields.indexOf(field),
  ) as [number, number, number, number];
  const of = (node: number, field: number): number => nodes[node * nodeSize + field] ?? 0;
  const count = nodes.length / nodeSize;
  const edgesFrom = new Int32Array(count + 1);
  for (let node = 0; node < count; node++) edgesFrom[node + 1] = (edgesFrom[node] ?? 0) + of(node, edgesAt) * edgeSize;
  const [nodeTypes] = meta.node_types;
  const [edgeTypes] = meta.edge_types;

  const nodeName = (node: number): string => {
    const type = nodeTypes[of(node, typeAt)] ?? '';
    const name = (strings[of(node, nameAt)] ?? '').slice(0, 60);
    if (type.endsWith('string') || type === 'number') return `(${type})`;
    return type === 'closure' || engineTypes.has(type) ? `(${type}) ${name}` : name;
  };
  const edgeName = (edge: number): string => {
    const type = edgeTypes[edges[edge] ?? 0];
    const name = (strings[edges[edge + 1] ?? 0] ?? '').slice(0, 40);
    return type === 'element' || type === 'hidden' || /^\d+(?: \/ part of key|$)/.test(name) ? '[]' : name;
  };

  const paths: (string | undefined)[] = [''];
  const held = new Map<string, { count: number; bytes: number }>();
  const queue = [0];
  for (const node of queue) {
    const path = paths[node] ?? '';
    const sum = held.get(path) ?? { count: 0, bytes: 0 };
    held.set(path, { count: sum.count + 1, bytes: sum.bytes + of(node, bytesAt) });
    for (let edge = edgesFrom[node] ?? 0; edge < (edgesFrom[node + 1] ?? 0); edge += edgeSize) {
      const type = edgeTypes[edges[edge] ?? 0];
      const to = (edges[edge + 2] ?? 0) / nodeSize;
      if (type === 'weak' || type === 'shortcut' || paths[to] !== undefined) continue;
      const step = ` .${edgeName(edge)}:${nodeName(to)}`;
      // Linked objects of the same kind share one path, whatever their number.
      paths[to] = path.endsWith(step) || path.length > maxPathLength ? path : path + step;
      queue.push(to);
    }
  }
  return held;
}

/** Returns the differences between two heaps, largest first. */
export function changedPaths(
  before: ReadonlyMap<string, Held>,
  after: ReadonlyMap<string, Held>,
): readonly (Held & { readonly path: string })[] {
  const nothing: Held = { count: 0, bytes: 0 };
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((path) => {
      const [from, to] = [before.get(path) ?? nothing, after.get(path) ?? nothing];
      return { path, count: to.count - from.count, bytes: to.bytes - from.bytes };
    })
    .sort((one, other) => Math.abs(other.bytes) - Math.abs(one.bytes));
}

/** True if the objects at this path belong to the engine: they grow as code is used, and not with the data of a program. */
export function isOfEngine(path: string): boolean {
  const type = /:\((?<type>[a-z ]+)\) [^:]*$/.exec(path)?.groups?.['type'];
  return type !== undefined && engineTypes.has(type);
}
