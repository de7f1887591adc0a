import { isJsonObject } from '../../../base/json/json.ts';
import type { Job, ListEntry } from '../../../jobs/common/job.ts';
import type { TreeNode } from './jobTree.ts';
import type { ListKey } from '../../../jobs/common/listKey.ts';

/**
 * Decodes a command's argument as a node of the jobs view. Returns undefined if invalid, because any extension can call a command with any
 * argument.
 */
export function asTreeNode(given: unknown): TreeNode | undefined {
  if (!isJsonObject(given)) return undefined;
  const { type, kind, id, key, place, group, submission } = given;
  switch (type) {
    case 'sampleNote':
    case 'connectionNote':
    case 'noMatch':
    case 'deprecatedNote':
    case 'attention':
    case 'overdue':
    case 'failures':
    case 'partlyFailed':
    case 'unknownOutcomes':
      return { type };
    case 'failureGroup':
      return typeof group === 'string' ? { type, group } : undefined;
    case 'submission':
      return typeof submission === 'string' ? { type, submission } : undefined;
    case 'attentionJob':
      return typeof kind === 'string' && typeof id === 'string'
        ? { type, kind, id, group: typeof group === 'string' ? group : undefined }
        : undefined;
    case 'kind':
      return kind === undefined || typeof kind === 'string' ? { type, kind } : undefined;
    case 'view':
      return typeof given['view'] === 'string' ? { type, view: given['view'] } : undefined;
    case 'viewCount':
      return typeof given['view'] === 'string' && typeof kind === 'string'
        ? { type, view: given['view'], kind }
        : undefined;
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

function asListKey(value: unknown): ListKey | undefined {
  if (!isJsonObject(value)) return undefined;
  // Not decoded from JSON: a key built in code has `undefined` for all.
  const { kind, status }: { readonly kind?: unknown; readonly status?: unknown } = value;
  const isKey = (part: unknown): part is string | undefined => part === undefined || typeof part === 'string';
  return isKey(kind) && isKey(status) ? { kind, status } : undefined;
}

/** Access to the loaded jobs and lists. */
export interface LoadedEntries {
  get(kind: string, id: string): Job | undefined;
  list(key: ListKey): { readonly jobs: { readonly entries: readonly ListEntry[] } };
}

/**
 * Returns the rows that a command applies to: those passed by the editor (the clicked row and the selected rows, unless the click was
 * outside of them), or the view's selection when called by keyboard.
 */
export function rowsOf([first, all]: readonly unknown[], selection: readonly TreeNode[]): readonly TreeNode[] {
  const row = asTreeNode(first);
  if (row === undefined) return selection;
  const rows = Array.isArray(all) ? all.flatMap((each) => asTreeNode(each) ?? []) : [];
  const clicked = identityOf(row);
  return rows.some((each) => identityOf(each).every((part, index) => part === clicked[index])) ? rows : [row];
}

/** Returns the parts that distinguish a row from others. */
function identityOf(row: TreeNode): readonly unknown[] {
  return Object.values(row).flatMap((part: unknown) => (isJsonObject(part) ? [part['kind'], part['status']] : [part]));
}

/** Returns the items of rows. Ignores rows that are not items. */
export function entriesOf(rows: readonly TreeNode[], store: LoadedEntries): readonly ListEntry[] {
  return rows.flatMap((row) => entryOf(row, store) ?? []);
}

function entryOf(node: TreeNode, store: LoadedEntries): ListEntry | undefined {
  if (node.type === 'job' || node.type === 'attentionJob') return store.get(node.kind, node.id);
  return node.type === 'unreadable' ? store.list(node.key).jobs.entries[node.place] : undefined;
}

/** Returns the list of a node: its own, or that of an ungrouped kind. */
export function listOf(node: TreeNode | undefined): ListKey | undefined {
  if (node === undefined) return undefined;
  if ('key' in node) return node.key;
  return node.type === 'kind' ? { kind: node.kind, status: undefined } : undefined;
}
