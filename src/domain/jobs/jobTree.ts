import type { Failure } from '../failure.ts';
import { type ListEntry, escapeKeySegment } from './job.ts';
import { type JobFilter, isUnfiltered } from '../filter/jobFilter.ts';
import type { ListKey } from './listKey.ts';

/** A node of the jobs view: plain data that identifies what it represents. Its content is looked up when it is rendered. */
export type TreeNode =
  /** These are the sample service's jobs. */
  | { readonly type: 'sampleNote' }
  /** The combined endpoint is deprecated (contract 9.3). */
  | { readonly type: 'deprecatedNote' }
  | { readonly type: 'kind'; readonly kind: string }
  | { readonly type: 'group'; readonly key: ListKey }
  | { readonly type: 'job'; readonly kind: string; readonly id: string }
  /** An item that is not a valid job; `place` is its index in the list. */
  | { readonly type: 'unreadable'; readonly key: ListKey; readonly place: number }
  | { readonly type: 'loadMore'; readonly key: ListKey }
  /** A request failed; offers a retry. */
  | { readonly type: 'failure'; readonly key: ListKey }
  /** The list ended early or changed while loading. */
  | { readonly type: 'notice'; readonly key: ListKey }
  | { readonly type: 'empty'; readonly key: ListKey };

/** The part of a list's state that determines its rows. */
export interface TreeList {
  readonly key: ListKey;
  readonly jobs: { readonly entries: readonly ListEntry[] };
  readonly loaded: boolean;
  readonly hasMore: boolean;
  /** All matching jobs are known to be loaded. */
  readonly isComplete: boolean;
  readonly failure: { readonly failure: Failure } | undefined;
  readonly notice: 'stuck' | 'moved' | undefined;
}

/** Input of the tree. */
export interface TreeSource {
  readonly isSample: boolean;
  readonly listSource: 'byKind' | 'combined';
  readonly filter: JobFilter;
  kinds(): readonly string[];
  lists(kind: string): readonly TreeList[];
  list(key: ListKey): TreeList;
}

/** The root nodes. Empty when a filter is set and no list has a match: the view then shows a message. */
export function listRootNodes(source: TreeSource): TreeNode[] {
  if (hasNoMatch(source)) return [];
  return [
    ...(source.isSample ? [{ type: 'sampleNote' } as const] : []),
    ...(source.listSource === 'combined' ? [{ type: 'deprecatedNote' } as const] : []),
    ...source.kinds().map((kind) => ({ type: 'kind', kind }) as const),
  ];
}

/** Whether all lists have been loaded with the filter and none has a job. */
export function hasNoMatch(source: TreeSource): boolean {
  if (isUnfiltered(source.filter)) return false;
  return source
    .kinds()
    .flatMap((kind) => source.lists(kind))
    .every((list) => list.loaded && list.failure === undefined && list.jobs.entries.length === 0 && list.isComplete);
}

/** The list whose rows are direct children of a node; undefined when the children are groups, or there are none. */
export function listBelow(node: TreeNode, source: TreeSource): ListKey | undefined {
  if (node.type === 'group') return node.key;
  const first = node.type === 'kind' ? source.lists(node.kind)[0] : undefined;
  return first !== undefined && first.key.status === undefined ? first.key : undefined;
}

/** The children of a node. */
export function listChildNodes(node: TreeNode, source: TreeSource): TreeNode[] {
  switch (node.type) {
    case 'kind': {
      const [first, ...others] = source.lists(node.kind);
      if (first === undefined) return [];
      if (first.key.status !== undefined) return [first, ...others].map(({ key }) => ({ type: 'group', key }));
      return [...rowNodes(first), ...others.map(({ key }) => ({ type: 'group', key }) as const)];
    }
    case 'group':
      return rowNodes(source.list(node.key));
    case 'sampleNote':
    case 'deprecatedNote':
    case 'job':
    case 'unreadable':
    case 'loadMore':
    case 'failure':
    case 'notice':
    case 'empty':
      return [];
  }
}

function rowNodes(list: TreeList): TreeNode[] {
  const { key, jobs } = list;
  const rows = jobs.entries.map((entry, place): TreeNode => {
    return entry.type === 'job' ? { type: 'job', kind: entry.kind, id: entry.id } : { type: 'unreadable', key, place };
  });
  if (list.failure !== undefined) rows.push({ type: 'failure', key });
  else if (list.loaded && rows.length === 0 && list.isComplete) rows.push({ type: 'empty', key });
  if (list.notice !== undefined) rows.push({ type: 'notice', key });
  if (list.hasMore && list.failure === undefined) rows.push({ type: 'loadMore', key });
  return rows;
}

/**
 * The node's id in the editor, unique in the tree. A job's id does not include its status, so that the selection survives a change of
 * status. Parts are escaped, so `/` and `?` separate.
 */
export function nodeId(connection: string, node: TreeNode): string {
  const top = escapeKeySegment(connection);
  switch (node.type) {
    case 'sampleNote':
    case 'deprecatedNote':
      return `${top}?${node.type}`;
    case 'kind':
      return `${top}/${escapeKeySegment(node.kind)}`;
    case 'job':
      return `${top}/${escapeKeySegment(node.kind)}/${escapeKeySegment(node.id)}`;
    case 'unreadable':
      return `${listNodeId(top, node.key)}&unreadable=${node.place}`;
    case 'group':
      return listNodeId(top, node.key);
    case 'loadMore':
    case 'failure':
    case 'notice':
    case 'empty':
      return `${listNodeId(top, node.key)}&${node.type}`;
  }
}

function listNodeId(top: string, { kind, status }: ListKey): string {
  const ofStatus = status === undefined ? 'all' : `status=${escapeKeySegment(status)}`;
  return `${top}/${escapeKeySegment(kind)}?${ofStatus}`;
}
