import {
  attentionParent,
  listAttentionNodes,
  nodeId,
  type AttentionNode,
  type AttentionTree,
} from '../../tree/common/jobTree.ts';

/**
 * Returns the row of Needs attention that gets the focus after another one: the row itself if it still exists, else the next sibling, else
 * the previous sibling, else the replacement of the parent row. Returns undefined if nothing needs attention any more.
 */
export function rowInstead(
  gone: AttentionNode,
  before: AttentionTree,
  after: AttentionTree | undefined,
): AttentionNode | undefined {
  const parent = attentionParent(gone);
  if (parent === undefined || after === undefined) return undefined;
  const left = new Set(listAttentionNodes(parent, after).map(idOf));
  if (left.has(idOf(gone))) return gone;
  const beside = listAttentionNodes(parent, before);
  const at = beside.findIndex((each) => idOf(each) === idOf(gone));
  const others = [...beside.slice(at + 1), ...beside.slice(0, Math.max(0, at)).toReversed()];
  const isParentLeft = left.size > 0 || parent.type === 'attention';
  return others.find((each) => left.has(idOf(each))) ?? (isParentLeft ? parent : rowInstead(parent, before, after));
}

function idOf(node: AttentionNode): string {
  return nodeId('', node);
}
