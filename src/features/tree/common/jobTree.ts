import type { ListSource } from '../../../connections/common/connection.ts';
import { isServiceFailure, type Failure } from '../../../base/failure.ts';
import { jobKinds, type Job, type ListEntry, escapeKeySegment } from '../../../jobs/common/job.ts';
import { type JobFilter, isUnfiltered } from '../../../jobs/common/jobFilter.ts';
import type { ListKey } from '../../../jobs/common/listKey.ts';

/** A node of the jobs view: plain data that identifies what it represents. Its content is looked up when it is rendered. */
export type TreeNode =
  /** Note that the jobs come from the sample service. */
  | { readonly type: 'sampleNote' }
  /** Current connection, unless it is the sample service. */
  | { readonly type: 'connectionNote' }
  /** Note that the combined endpoint is deprecated (contract 9.3). */
  | { readonly type: 'deprecatedNote' }
  /** All lists have been loaded with the filter and have no jobs. */
  | { readonly type: 'noMatch' }
  /** Kind, or all kinds if the connection lists them together. */
  | { readonly type: 'kind'; readonly kind: string | undefined }
  | SavedViewNode
  | { readonly type: 'group'; readonly key: ListKey }
  | { readonly type: 'job'; readonly kind: string; readonly id: string }
  /** Item that is not a valid job; `place` is its index in the list. */
  | { readonly type: 'unreadable'; readonly key: ListKey; readonly place: number }
  /** The first response of a list is pending. */
  | { readonly type: 'loading'; readonly key: ListKey }
  | { readonly type: 'loadMore'; readonly key: ListKey }
  /** A request failed; offers a retry. Shown above rows that could not be refreshed, or in place of missing rows. */
  | { readonly type: 'failure'; readonly key: ListKey }
  /** The list ended early or changed while loading. */
  | { readonly type: 'notice'; readonly key: ListKey }
  | { readonly type: 'empty'; readonly key: ListKey }
  | AttentionNode;

/** Node of Needs attention, above the kinds. Its jobs may have another node in their list. */
export type AttentionNode =
  | { readonly type: 'attention' }
  | { readonly type: 'overdue' }
  | { readonly type: 'failures' }
  /** Similar failures, by the ID of their group. */
  | { readonly type: 'failureGroup'; readonly group: string }
  /** Jobs that are done although a part of their result failed. */
  | { readonly type: 'partlyFailed' }
  | { readonly type: 'unknownOutcomes' }
  /** Job of a group of failures or of {@link partlyFailedGroup}; an overdue job if there is no group. */
  | { readonly type: 'attentionJob'; readonly group: string | undefined; readonly kind: string; readonly id: string }
  /** Submission with an unknown outcome, by its key in the journal. */
  | { readonly type: 'submission'; readonly submission: string };

/** Group of the partly failed jobs. IDs of failure groups are JSON, so none equals it. */
export const partlyFailedGroup = 'partlyFailed';

/** Part of Needs attention that determines nodes. */
export interface AttentionTree {
  readonly overdue: readonly Pick<Job, 'kind' | 'id'>[];
  readonly isOverdueUnknown: boolean;
  readonly mayHaveUnread: boolean;
  readonly groups: readonly { readonly id: string; readonly jobs: readonly Pick<Job, 'kind' | 'id'>[] }[];
  readonly partlyFailed: readonly Pick<Job, 'kind' | 'id'>[];
  readonly unknown: readonly { readonly key: string }[];
}

/** Saved view by name, above the kinds, and the number of its jobs of a kind. */
export type SavedViewNode =
  | { readonly type: 'view'; readonly view: string }
  | { readonly type: 'viewCount'; readonly view: string; readonly kind: string };

/** Part of a list's state that determines its rows. */
export interface TreeList {
  readonly key: ListKey;
  readonly jobs: { readonly entries: readonly ListEntry[] };
  readonly loaded: boolean;
  readonly hasMore: boolean;
  /** True if all matching jobs are known to be loaded. */
  readonly isComplete: boolean;
  readonly failure:
    { readonly failure: Failure; readonly during: 'loading' | 'loadingMore' | 'refreshing' } | undefined;
  readonly notice: 'stuck' | 'moved' | undefined;
}

/** Order of loaded jobs, if it is not the service's order. */
export interface TreeArrangement {
  /** Returns the indexes of a list's entries, each once, in display order. */
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
  /** Undefined if nothing needs attention. */
  readonly attention?: AttentionTree | undefined;
  /** Why the service does not answer, as the row of the connection shows it. */
  readonly trouble?: { readonly failure: Failure } | undefined;
  kinds(): readonly (string | undefined)[];
  lists(kind: string | undefined): readonly TreeList[];
  list(key: ListKey): TreeList;
}

/** True if the rows of a list are outdated because a refresh failed. */
export function isStale({ failure, loaded }: Pick<TreeList, 'failure' | 'loaded'>): boolean {
  return loaded && failure?.during === 'refreshing';
}

/** Returns the root nodes. If a filter is set and no list has a match, returns a note instead of the kinds. */
export function listRootNodes(source: TreeSource): TreeNode[] {
  return [
    source.isSample ? { type: 'sampleNote' } : { type: 'connectionNote' },
    ...(source.listSource === 'combined' ? [{ type: 'deprecatedNote' } as const] : []),
    ...(source.attention === undefined ? [] : [{ type: 'attention' } as const]),
    ...(source.views?.() ?? []).map((view) => ({ type: 'view', view }) as const),
    ...(hasNoMatch(source)
      ? [{ type: 'noMatch' } as const]
      : source.kinds().map((kind) => ({ type: 'kind', kind }) as const)),
  ];
}

/** True if all lists have been loaded with the filter and have no jobs. */
export function hasNoMatch(source: TreeSource): boolean {
  if (isUnfiltered(source.filter)) return false;
  return source
    .kinds()
    .flatMap((kind) => source.lists(kind))
    .every((list) => list.loaded && list.failure === undefined && list.jobs.entries.length === 0 && list.isComplete);
}

/** Returns the list whose rows are direct children of a node; undefined if the children are groups, or there are none. */
export function listBelow(node: TreeNode, source: TreeSource): ListKey | undefined {
  if (node.type === 'group') return node.key;
  const first = node.type === 'kind' ? source.lists(node.kind)[0] : undefined;
  return first !== undefined && first.key.status === undefined ? first.key : undefined;
}

/** Returns the children of a node. */
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
    case 'loading':
    case 'loadMore':
    case 'failure':
    case 'notice':
    case 'empty':
      return [];
  }
}

/** Returns the children of a node of Needs attention. */
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
      return groups.flatMap(({ id, jobs }) =>
        isSingle({ jobs }) ? jobNodes(jobs, id) : [{ type: 'failureGroup', group: id }],
      );
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

/** Returns all nodes of Needs attention that have children. */
export function attentionBranches(attention: AttentionTree): readonly AttentionNode[] {
  return [
    { type: 'attention' },
    { type: 'overdue' },
    { type: 'failures' },
    ...attention.groups
      .filter((group) => !isSingle(group))
      .map(({ id }) => ({ type: 'failureGroup', group: id }) as const),
    { type: 'partlyFailed' },
    { type: 'unknownOutcomes' },
  ];
}

/** True if the only failure of a group is shown in place of the group. */
export function isSingle({ jobs }: Pick<AttentionTree['groups'][number], 'jobs'>): boolean {
  return jobs.length === 1;
}

/** Returns the parent of a node of Needs attention; undefined for the topmost node. */
export function attentionParent(
  node: AttentionNode,
  attention: Pick<AttentionTree, 'groups'> | undefined,
): AttentionNode | undefined {
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
      if (node.group === partlyFailedGroup) return { type: 'partlyFailed' };
      return attention?.groups.some((group) => group.id === node.group && isSingle(group)) === true
        ? { type: 'failures' }
        : { type: 'failureGroup', group: node.group };
    case 'submission':
      return { type: 'unknownOutcomes' };
  }
}

/** True if a node belongs to Needs attention. */
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

/** Returns the same object for the same job: adding a row to a list of thousands requests all other rows again. */
function jobNode(job: Job): TreeNode {
  const known = jobNodes.get(job);
  if (known !== undefined) return known;
  const node: TreeNode = { type: 'job', kind: job.kind, id: job.id };
  jobNodes.set(job, node);
  return node;
}

function rowNodes(list: TreeList, source: TreeSource): TreeNode[] {
  const { key, jobs } = list;
  const { entries } = jobs;
  // A failure of the service is shown once, in the row of the connection.
  const above: readonly TreeNode[] =
    isStale(list) && !isExplained(list, source.trouble) ? [{ type: 'failure', key }] : [];
  const rows = (source.arrangement?.places(entries) ?? [...entries.keys()]).map((place): TreeNode => {
    const entry = entries[place];
    return entry?.type === 'job' ? jobNode(entry) : { type: 'unreadable', key, place };
  });
  if (!list.loaded && list.failure === undefined) rows.push({ type: 'loading', key });
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

/** True if the row of the connection shows the failure of the service that a list could not be read for. Its reason may have changed since. */
export function isExplained({ failure }: Pick<TreeList, 'failure'>, trouble: TreeSource['trouble']): boolean {
  return failure !== undefined && trouble !== undefined && isServiceFailure(failure.failure);
}

/**
 * Returns the node's ID in the editor, unique in the tree. A job's ID does not include its status, so that the selection survives a change
 * of status. Parts are escaped, so `/` and `?` separate them.
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
    case 'loading':
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
