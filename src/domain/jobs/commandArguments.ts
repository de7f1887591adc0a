import { isJsonObject } from '../json/json.ts';
import type { Job, ListEntry } from './job.ts';
import type { TreeNode } from './jobTree.ts';
import type { ListKey } from './listKey.ts';

/** A command's argument as a node of the jobs view; undefined when it is something else. Anyone can call a command with anything. */
export function asTreeNode(given: unknown): TreeNode | undefined {
  if (!isJsonObject(given)) return undefined;
  const { type, kind, id, key, place } = given;
  switch (type) {
    case 'sampleNote':
    case 'deprecatedNote':
      return { type };
    case 'kind':
      return typeof kind === 'string' ? { type, kind } : undefined;
    case 'job':
      return typeof kind === 'string' && typeof id === 'string' ? { type, kind, id } : undefined;
    case 'group':
    case 'loadMore':
    case 'failure':
    case 'notice':
    case 'empty': {
      const list = asListKey(key);
      return list === undefined ? undefined : { type, key: list };
    }
    case 'unreadable': {
      const list = asListKey(key);
      return list === undefined || typeof place !== 'number' ? undefined : { type, key: list, place };
    }
    default:
      return undefined;
  }
}

function asListKey(value: unknown): { readonly kind: string; readonly status: string | undefined } | undefined {
  if (!isJsonObject(value) || typeof value['kind'] !== 'string') return undefined;
  // Not from JSON: a key made here says `status: undefined`.
  const status: unknown = value['status'];
  return status === undefined || typeof status === 'string' ? { kind: value['kind'], status } : undefined;
}

/** The loaded jobs and lists that rows stand for. */
export interface LoadedEntries {
  get(kind: string, id: string): Job | undefined;
  list(key: ListKey): { readonly jobs: { readonly entries: readonly ListEntry[] } };
}

/**
 * What a row command is about: the rows that the editor hands over (the row it was called on and all that are selected), or the view's
 * selection when it was called from the keyboard. Only rows that stand for items count.
 */
export function entriesOf(
  given: readonly unknown[],
  selection: readonly TreeNode[],
  store: LoadedEntries,
): readonly ListEntry[] {
  const [first, all] = given;
  const row = asTreeNode(first);
  const rows = Array.isArray(all) ? all.map(asTreeNode) : [row];
  const nodes = row === undefined ? selection : rows;
  return nodes.map((node) => entryOf(node, store)).filter((entry) => entry !== undefined);
}

function entryOf(node: TreeNode | undefined, store: LoadedEntries): ListEntry | undefined {
  if (node?.type === 'job') return store.get(node.kind, node.id);
  return node?.type === 'unreadable' ? store.list(node.key).jobs.entries[node.place] : undefined;
}

/** The list that a node is about: its own, or that of a kind that is not grouped. */
export function listOf(node: TreeNode | undefined): ListKey | undefined {
  if (node === undefined) return undefined;
  if ('key' in node) return node.key;
  return node.type === 'kind' ? { kind: node.kind, status: undefined } : undefined;
}
