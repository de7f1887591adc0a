import { isJsonObject } from '../json/json.ts';
import type { Job, ListEntry } from './job.ts';
import type { TreeNode } from './jobTree.ts';
import type { ListKey } from './listKey.ts';

/** A command's argument as a node of the jobs view; undefined when invalid, because any extension can call a command with any argument. */
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
  // Not from JSON: a key built in code has `status: undefined`.
  const status: unknown = value['status'];
  return status === undefined || typeof status === 'string' ? { kind: value['kind'], status } : undefined;
}

/** Access to the loaded jobs and lists. */
export interface LoadedEntries {
  get(kind: string, id: string): Job | undefined;
  list(key: ListKey): { readonly jobs: { readonly entries: readonly ListEntry[] } };
}

/**
 * The items that a row command applies to: the rows passed by the editor (the clicked one and the selected ones), or the view's selection
 * when called by keyboard. Rows that are not items are ignored.
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

/** The list of a node: its own, or that of an ungrouped kind. */
export function listOf(node: TreeNode | undefined): ListKey | undefined {
  if (node === undefined) return undefined;
  if ('key' in node) return node.key;
  return node.type === 'kind' ? { kind: node.kind, status: undefined } : undefined;
}
