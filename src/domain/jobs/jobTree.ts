import type { Failure } from '../failure.ts';
import { type ListEntry, escapeKeySegment } from './job.ts';
import { type JobFilter, isUnfiltered } from '../filter/jobFilter.ts';
import type { ListKey } from './listKey.ts';

/** A node of the jobs view: plain data that says what it stands for. What it shows is looked up when it is drawn. */
export type TreeNode =
  /** These are the sample service's jobs. */
  | { readonly type: 'sampleNote' }
  /** The combined endpoint is deprecated (contract 9.3). */
  | { readonly type: 'deprecatedNote' }
  | { readonly type: 'kind'; readonly kind: string }
  | { readonly type: 'group'; readonly key: ListKey }
  | { readonly type: 'job'; readonly kind: string; readonly id: string }
  /** An item that cannot be a job; `place` is its place in the list. */
  | { readonly type: 'unreadable'; readonly key: ListKey; readonly place: number }
  | { readonly type: 'loadMore'; readonly key: ListKey }
  /** Something failed; leads to trying again. */
  | { readonly type: 'failure'; readonly key: ListKey }
  /** The list ended early or moved. */
  | { readonly type: 'notice'; readonly key: ListKey }
  | { readonly type: 'empty'; readonly key: ListKey };

/** The part of a list's state that decides which rows it has. */
export interface TreeList {
  readonly key: ListKey;
  readonly jobs: { readonly entries: readonly ListEntry[] };
  readonly loaded: boolean;
  readonly hasMore: boolean;
  /** What was seen implies that every job that matches has come. */
  readonly isComplete: boolean;
  readonly failure: { readonly failure: Failure } | undefined;
  readonly notice: 'stuck' | 'moved' | undefined;
}

/** What the tree is made of. */
export interface TreeSource {
  readonly isSample: boolean;
  readonly listSource: 'byKind' | 'combined';
  readonly filter: JobFilter;
  kinds(): readonly string[];
  lists(kind: string): readonly TreeList[];
  list(key: ListKey): TreeList;
}

/** The top of the tree. Empty when a filter is set and everything that was asked has no match: the view then says so. */
export function listRootNodes(source: TreeSource): TreeNode[] {
  if (hasNoMatch(source)) return [];
  return [
    ...(source.isSample ? [{ type: 'sampleNote' } as const] : []),
    ...(source.listSource === 'combined' ? [{ type: 'deprecatedNote' } as const] : []),
    ...source.kinds().map((kind) => ({ type: 'kind', kind }) as const),
  ];
}

/** Whether the filter has been asked of every list and none has a job. */
export function hasNoMatch(source: TreeSource): boolean {
  if (isUnfiltered(source.filter)) return false;
  return source
    .kinds()
    .flatMap((kind) => source.lists(kind))
    .every((list) => list.loaded && list.failure === undefined && list.jobs.entries.length === 0 && list.isComplete);
}

/** The list whose rows stand directly below a node; undefined when groups do, or nothing. */
export function listBelow(node: TreeNode, source: TreeSource): ListKey | undefined {
  if (node.type === 'group') return node.key;
  const first = node.type === 'kind' ? source.lists(node.kind)[0] : undefined;
  return first !== undefined && first.key.status === undefined ? first.key : undefined;
}

/** What stands below a node. */
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
 * The id by which the editor knows a node, unique in the tree. A job's has no status in it, so that selection survives a change of
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
