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
  const parent = attentionParent(gone, before);
  if (parent === undefined || after === undefined) return undefined;
  const isIt = (each: AttentionNode): boolean => idOf(each) === idOf(gone);
  const parentNow = attentionParent(gone, after);
  if (parentNow !== undefined && listAttentionNodes(parentNow, after).some(isIt)) return gone;
  const rows = listAttentionNodes(parent, after);
  const left = new Set(rows.map(idOf));
  const beside = listAttentionNodes(parent, before);
  const at = beside.findIndex(isIt);
  const others = [...beside.slice(at + 1), ...beside.slice(0, Math.max(0, at)).toReversed()];
  const next = others.find((each) => left.has(idOf(each)));
  if (next !== undefined) return next;
  const [first] = rows;
  if (first === undefined) return parent.type === 'attention' ? parent : rowInstead(parent, before, after);
  // The only failure of a group is shown in its place.
  return parent.type === 'failureGroup' && rows.length === 1 ? first : parent;
}

function idOf(node: AttentionNode): string {
  return nodeId('', node);
}
