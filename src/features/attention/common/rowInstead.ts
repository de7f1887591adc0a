import {
  attentionParent,
  listAttentionNodes,
  nodeId,
  type AttentionNode,
  type AttentionTree,
} from '../../tree/common/jobTree.ts';

/**
 * The row of Needs attention to turn to after one: itself if it is still there, else the next of those beside it, else the one before it, else
 * what stands in for the row above. Undefined when nothing needs attention any more.
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
