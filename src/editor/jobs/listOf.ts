import type { TreeNode } from '../../domain/jobs/jobTree.ts';
import type { ListKey } from '../../domain/jobs/listKey.ts';

/** The list that a node is about: its own, or that of a kind that is not grouped. */
export function listOf(node: TreeNode | undefined): ListKey | undefined {
  if (node === undefined) return undefined;
  if ('key' in node) return node.key;
  return node.type === 'kind' ? { kind: node.kind, status: undefined } : undefined;
}
