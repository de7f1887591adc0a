import type { ListSource } from '../../../connections/common/connection.ts';
import type { Failure } from '../../../base/failure.ts';
import { jobKinds, type Job, type ListEntry, escapeKeySegment } from '../../../jobs/common/job.ts';
import { type JobFilter, isUnfiltered } from '../../../jobs/common/jobFilter.ts';
import type { ListKey } from '../../../jobs/common/listKey.ts';

/** A node of the jobs view: plain data that identifies what it represents. Its content is looked up when it is rendered. */
export type TreeNode =
  /** These are the sample service's jobs. */
  | { readonly type: 'sampleNote' }
  /** The connection in use, unless it is the sample service. */
  | { readonly type: 'connectionNote' }
  /** The combined endpoint is deprecated (contract 9.3). */
  | { readonly type: 'deprecatedNote' }
  /** All lists have been loaded with the filter and none has a job. */
  | { readonly type: 'noMatch' }
  /** A kind, or all kinds where the connection lists them together. */
  | { readonly type: 'kind'; readonly kind: string | undefined }
  | SavedViewNode
  | { readonly type: 'group'; readonly key: ListKey }
  | { readonly type: 'job'; readonly kind: string; readonly id: string }
  /** An item that is not a valid job; `place` is its index in the list. */
  | { readonly type: 'unreadable'; readonly key: ListKey; readonly place: number }
  | { readonly type: 'loadMore'; readonly key: ListKey }
  /** A request failed; offers a retry. Stands above rows that could not be refreshed, and otherwise where rows are missing. */
  | { readonly type: 'failure'; readonly key: ListKey }
  /** The list ended early or changed while loading. */
  | { readonly type: 'notice'; readonly key: ListKey }
  | { readonly type: 'empty'; readonly key: ListKey }
  | AttentionNode;

/** A node of what needs the user, above the kinds. Its jobs may have another node in their list. */
export type AttentionNode =
  | { readonly type: 'attention' }
  | { readonly type: 'overdue' }
  | { readonly type: 'failures' }
  /** Failures that are alike, by the id of their group. */
  | { readonly type: 'failureGroup'; readonly group: string }
  /** Jobs that are done, although a part of their result failed. */
  | { readonly type: 'partlyFailed' }
  | { readonly type: 'unknownOutcomes' }
  /** A job of a group of failures or of {@link partlyFailedGroup}, or an overdue one when there is no group. */
  | { readonly type: 'attentionJob'; readonly group: string | undefined; readonly kind: string; readonly id: string }
  /** A submission whose outcome is unknown, by its key in the journal. */
  | { readonly type: 'submission'; readonly submission: string };

/** The group of the jobs that failed in part; the ids of groups of failures are JSON, so that none is equal to it. */
export const partlyFailedGroup = 'partlyFailed';

/** What needs the user, as far as it determines nodes. */
export interface AttentionTree {
  readonly overdue: readonly Pick<Job, 'kind' | 'id'>[];
  readonly isOverdueUnknown: boolean;
  readonly mayHaveUnread: boolean;
  readonly groups: readonly { readonly id: string; readonly jobs: readonly Pick<Job, 'kind' | 'id'>[] }[];
  readonly partlyFailed: readonly Pick<Job, 'kind' | 'id'>[];
  readonly unknown: readonly { readonly key: string }[];
}

/** A saved view by its name, below the kinds, and the number of its jobs of a kind. */
export type SavedViewNode =
  | { readonly type: 'view'; readonly view: string }
  | { readonly type: 'viewCount'; readonly view: string; readonly kind: string };

/** The part of a list's state that determines its rows. */
export interface TreeList {
  readonly key: ListKey;
  readonly jobs: { readonly entries: readonly ListEntry[] };
  readonly loaded: boolean;
  readonly hasMore: boolean;
  /** All matching jobs are known to be loaded. */
  readonly isComplete: boolean;
  readonly failure:
    { readonly failure: Failure; readonly during: 'loading' | 'loadingMore' | 'refreshing' } | undefined;
  readonly notice: 'stuck' | 'moved' | undefined;
}

/** How loaded jobs are arranged, where that is not the service's order. */
export interface TreeArrangement {
  /** The places of a list's entries, each once, in the order in which they are shown. */
  places(entries: readonly ListEntry[]): readonly number[];
  lists(lists: readonly TreeList[]): readonly TreeList[];
}

/** Input of the tree. */
export interface TreeSource {
  readonly arrangement?: TreeArrangement | undefined;
  readonly isSample: boolean;
  /** Undefined without a connection. */
  readonly listSource: ListSource | undefined;
  readonly filter: JobFilter;
  /** Names of the saved views. */
  views?(): readonly string[];
  /** Undefined when nothing needs attention. */
  readonly attention?: AttentionTree | undefined;
  kinds(): readonly (string | undefined)[];
  lists(kind: string | undefined): readonly TreeList[];
  list(key: ListKey): TreeList;
}

/** Whether the rows of a list are shown as they were before a refresh that failed. */
export function isStale({ failure, loaded }: Pick<TreeList, 'failure' | 'loaded'>): boolean {
  return loaded && failure?.during === 'refreshing';
}

/** The root nodes. When a filter is set and no list has a match, one says so instead of the kinds. */
export function listRootNodes(source: TreeSource): TreeNode[] {
  return [
    source.isSample ? { type: 'sampleNote' } : { type: 'connectionNote' },
    ...(source.listSource === 'combined' ? [{ type: 'deprecatedNote' } as const] : []),
    ...(source.attention === undefined ? [] : [{ type: 'attention' } as const]),
    ...(hasNoMatch(source)
      ? [{ type: 'noMatch' } as const]
      : source.kinds().map((kind) => ({ type: 'kind', kind }) as const)),
    ...(source.views?.() ?? []).map((view) => ({ type: 'view', view }) as const),
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
      const lists = source.lists(node.kind);
      const [first, ...others] = source.arrangement?.lists(lists) ?? lists;
      if (first === undefined) return [];
      if (first.key.status !== undefined) return [first, ...others].map(({ key }) => ({ type: 'group', key }));
      return [...rowNodes(first, source), ...others.map(({ key }) => ({ type: 'group', key }) as const)];
    }
    case 'group':
      return rowNodes(source.list(node.key), source);
    case 'view':
      return jobKinds.map((kind) => ({ type: 'viewCount', view: node.view, kind }));
    case 'attention':
    case 'overdue':
    case 'failures':
    case 'failureGroup':
    case 'partlyFailed':
    case 'unknownOutcomes':
      return source.attention === undefined ? [] : listAttentionNodes(node, source.attention);
    case 'attentionJob':
    case 'submission':
    case 'sampleNote':
    case 'connectionNote':
    case 'noMatch':
    case 'deprecatedNote':
    case 'viewCount':
    case 'job':
    case 'unreadable':
    case 'loadMore':
    case 'failure':
    case 'notice':
    case 'empty':
      return [];
  }
}

/** The children of a node of what needs the user. */
export function listAttentionNodes({ type, ...node }: AttentionNode, attention: AttentionTree): AttentionNode[] {
  const { overdue, isOverdueUnknown, groups, mayHaveUnread, partlyFailed, unknown } = attention;
  const jobNodes = (jobs: AttentionTree['overdue'], group?: string): AttentionNode[] =>
    jobs.map(({ kind, id }) => ({ type: 'attentionJob', group, kind, id }));
  switch (type) {
    case 'attention':
      return [
        ...(overdue.length > 0 || isOverdueUnknown ? [{ type: 'overdue' } as const] : []),
        ...(groups.length > 0 || mayHaveUnread ? [{ type: 'failures' } as const] : []),
        ...(partlyFailed.length > 0 ? [{ type: 'partlyFailed' } as const] : []),
        ...(unknown.length > 0 ? [{ type: 'unknownOutcomes' } as const] : []),
      ];
    case 'overdue':
      return jobNodes(overdue);
    case 'failures':
      return groups.map(({ id }) => ({ type: 'failureGroup', group: id }));
    case 'failureGroup': {
      const group = 'group' in node ? groups.find(({ id }) => id === node.group) : undefined;
      return group === undefined ? [] : jobNodes(group.jobs, group.id);
    }
    case 'partlyFailed':
      return jobNodes(partlyFailed, partlyFailedGroup);
    case 'unknownOutcomes':
      return unknown.map(({ key }) => ({ type: 'submission', submission: key }));
    case 'attentionJob':
    case 'submission':
      return [];
  }
}

/** All nodes of what needs the user that have nodes below them. */
export function attentionBranches(attention: AttentionTree): readonly AttentionNode[] {
  return [
    { type: 'attention' },
    { type: 'overdue' },
    { type: 'failures' },
    ...attention.groups.map(({ id }) => ({ type: 'failureGroup', group: id }) as const),
    { type: 'partlyFailed' },
    { type: 'unknownOutcomes' },
  ];
}

/** The node above one of what needs the user; undefined for the topmost. */
export function attentionParent(node: AttentionNode): AttentionNode | undefined {
  switch (node.type) {
    case 'attention':
      return undefined;
    case 'overdue':
    case 'failures':
    case 'partlyFailed':
    case 'unknownOutcomes':
      return { type: 'attention' };
    case 'failureGroup':
      return { type: 'failures' };
    case 'attentionJob':
      if (node.group === undefined) return { type: 'overdue' };
      return node.group === partlyFailedGroup ? { type: 'partlyFailed' } : { type: 'failureGroup', group: node.group };
    case 'submission':
      return { type: 'unknownOutcomes' };
  }
}

/** Whether a node belongs to what needs the user. */
export function isAttentionNode(node: TreeNode): node is AttentionNode {
  return attentionTypes.has(node.type);
}

const attentionTypes: ReadonlySet<TreeNode['type']> = new Set<AttentionNode['type']>([
  'attention',
  'overdue',
  'failures',
  'failureGroup',
  'partlyFailed',
  'unknownOutcomes',
  'attentionJob',
  'submission',
]);

const jobNodes = new WeakMap<Job, TreeNode>();

/** The same object for the same job: a list of thousands of rows that one is added to asks for all the others again. */
function jobNode(job: Job): TreeNode {
  const known = jobNodes.get(job);
  if (known !== undefined) return known;
  const node: TreeNode = { type: 'job', kind: job.kind, id: job.id };
  jobNodes.set(job, node);
  return node;
}

function rowNodes(list: TreeList, { arrangement }: TreeSource): TreeNode[] {
  const { key, jobs } = list;
  const { entries } = jobs;
  const above: readonly TreeNode[] = isStale(list) ? [{ type: 'failure', key }] : [];
  const rows = (arrangement?.places(entries) ?? [...entries.keys()]).map((place): TreeNode => {
    const entry = entries[place];
    return entry?.type === 'job' ? jobNode(entry) : { type: 'unreadable', key, place };
  });
  const isCutOff = list.failure !== undefined && !isStale(list);
  if (isCutOff) rows.push({ type: 'failure', key });
  else if (
    list.loaded &&
    rows.length === 0 &&
    (list.isComplete || (!list.hasMore && above.length === 0 && list.notice === undefined))
  )
    rows.push({ type: 'empty', key });
  if (list.notice !== undefined) rows.push({ type: 'notice', key });
  if (list.hasMore && !isCutOff) rows.push({ type: 'loadMore', key });
  return [...above, ...rows];
}

/**
 * The node's id in the editor, unique in the tree. A job's id does not include its status, so that the selection survives a change of
 * status. Parts are escaped, so `/` and `?` separate.
 */
export function nodeId(connection: string, node: TreeNode): string {
  const top = escapeKeySegment(connection);
  switch (node.type) {
    case 'sampleNote':
    case 'connectionNote':
    case 'noMatch':
    case 'deprecatedNote':
      return `${top}?${node.type}`;
    case 'view':
      return `${top}?view=${escapeKeySegment(node.view)}`;
    case 'viewCount':
      return `${top}?view=${escapeKeySegment(node.view)}&kind=${escapeKeySegment(node.kind)}`;
    case 'attention':
      return `${top}?attention`;
    case 'overdue':
    case 'failures':
    case 'partlyFailed':
    case 'unknownOutcomes':
      return `${top}?attention=${node.type}`;
    case 'failureGroup':
      return `${top}?attention=failures/${escapeKeySegment(node.group)}`;
    case 'attentionJob': {
      const above = node.group === undefined ? 'overdue' : `failures/${escapeKeySegment(node.group)}`;
      return `${top}?attention=${above}/${escapeKeySegment(node.kind)}/${escapeKeySegment(node.id)}`;
    }
    case 'submission':
      return `${top}?attention=unknownOutcomes/${escapeKeySegment(node.submission)}`;
    case 'kind':
      return node.kind === undefined ? `${top}?all` : `${top}/${escapeKeySegment(node.kind)}`;
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
  return kind === undefined ? `${top}?all&${ofStatus}` : `${top}/${escapeKeySegment(kind)}?${ofStatus}`;
}
