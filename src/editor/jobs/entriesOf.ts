import type { ListEntry } from '../../domain/jobs/job.ts';
import type { TreeNode } from '../../domain/jobs/jobTree.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import { asTreeNode } from './asTreeNode.ts';

/**
 * What a row command is about: the rows that the editor hands over (the row it was called on and all that are selected), or the view's
 * selection when it was called from the keyboard. Only rows that stand for items count.
 */
export function entriesOf(
  given: readonly unknown[],
  selection: readonly TreeNode[],
  store: JobStore,
): readonly ListEntry[] {
  const [first, all] = given;
  const row = asTreeNode(first);
  const rows = Array.isArray(all) ? all.map(asTreeNode) : [row];
  const nodes = row === undefined ? selection : rows;
  return nodes.map((node) => entryOf(node, store)).filter((entry) => entry !== undefined);
}

function entryOf(node: TreeNode | undefined, store: JobStore): ListEntry | undefined {
  if (node?.type === 'job') return store.get(node.kind, node.id);
  return node?.type === 'unreadable' ? store.list(node.key).jobs.entries[node.place] : undefined;
}
