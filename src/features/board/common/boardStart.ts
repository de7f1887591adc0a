import { hourMs, minuteMs } from '../../../base/time.ts';
import { noFilter, type JobFilter } from '../../../jobs/common/jobFilter.ts';
import type { SavedView } from '../../views/common/savedView.ts';
import { asTreeNode } from '../../tree/common/commandArguments.ts';
import { jobStatuses, type Job } from '../../../jobs/common/job.ts';
import type { ListParams } from '../../../jobs/common/listParams.ts';
import { Undecodable } from '../../../base/decode/decoder.ts';
import { parseGroupId } from '../../attention/common/failureGroups.ts';
import { decodeScope, encodeScope, type BoardScope } from './boardStorage.ts';
import type { ChosenRange, FacetCondition } from './boardView.ts';

/** Length of the window if the filter has no time: 7 days, in hours. */
const usualHours = 7 * 24;

/** Returns the filter with a time window: its own time, or the last seven days. */
export function windowed(filter: JobFilter): JobFilter {
  return filter.time.type === 'any' ? { ...filter, time: { type: 'last', hours: usualHours } } : filter;
}

/** State of the jobs view that {@link startBoard} uses. */
interface StartFacts {
  readonly connection: string;
  readonly filter: JobFilter;
  readonly views: readonly SavedView[];
  /** Needs attention as shown. */
  readonly attention: CountedFailures | undefined;
}

/** Groups of failures, and the time since which their failures are counted. */
interface CountedFailures {
  readonly groups: readonly {
    readonly id: string;
    readonly jobs: readonly Pick<Job, 'createdAtMs' | 'completedAtMs'>[];
    /** Values of other groups with the same code. */
    readonly without: readonly { readonly key: string; readonly value: string }[];
    /** Time since which the group is more frequent. */
    readonly rise: { readonly sinceMs: number } | undefined;
  }[];
  readonly sinceMs: number;
  readonly atMs: number;
}

/**
 * Returns the scope of a board opened from a row of the jobs view, which may be any value: the jobs of the current filter, narrowed down to
 * those of the row, or those of a saved view. For failures that need attention, the window is the time in which they were counted, and the
 * range is the time since which they are more frequent.
 */
export function startBoard(given: unknown, facts: StartFacts): BoardScope {
  const row = asTreeNode(given);
  const scope = (conditions: readonly FacetCondition[], filter = facts.filter, range?: ChosenRange): BoardScope => ({
    connection: facts.connection,
    filter: windowed(filter),
    conditions,
    range,
  });
  switch (row?.type) {
    case 'kind':
      return scope(conditionsOn(row.kind, undefined));
    case 'group':
      return scope(conditionsOn(row.key.kind, row.key.status));
    case 'attention':
    case 'failures':
      return scope([is('status', 'error')], counted(facts));
    case 'failureGroup': {
      const group = facts.attention?.groups.find(({ id }) => id === row.group);
      const others = (group?.without ?? []).map(({ key, value }) => isNot(`custom_metadata.${key}`, value));
      const conditions = [is('status', 'error'), ...conditionsOf(row.group), ...others];
      return scope(conditions, counted(facts, row.group), rangeOf(group, facts.attention));
    }
    case 'view':
    case 'viewCount': {
      const view = facts.views.find(({ name }) => name === row.view);
      return scope([], view?.filter);
    }
    default:
      return scope([]);
  }
}

function conditionsOn(kind: string | undefined, status: string | undefined): readonly FacetCondition[] {
  return [...(kind === undefined ? [] : [is('kind', kind)]), ...(status === undefined ? [] : [is('status', status)])];
}

/** Returns the filter of the jobs view for a board: its filter, its brushed range and its supported conditions. */
export function filterOfBoard(
  filter: JobFilter,
  range: ChosenRange | undefined,
  { statuses, customMetadata }: Pick<ListParams, 'statuses' | 'customMetadata'>,
): JobFilter {
  return {
    statuses: statuses === undefined ? filter.statuses : jobStatuses.filter((each) => statuses.includes(each)),
    time:
      range === undefined
        ? filter.time
        : { type: 'range', after: new Date(range.fromMs).toISOString(), before: endOf(range) },
    metadata: { ...filter.metadata, ...customMetadata },
  };
}

function endOf({ toMs }: ChosenRange): string | undefined {
  return toMs === undefined ? undefined : new Date(toMs).toISOString();
}

/** True if two boards show the same jobs, regardless of the brushed range of time. */
export function isSameScope(one: BoardScope, other: BoardScope): boolean {
  // Decoding normalizes the order of the fields.
  const [left, right] = [one, other].map((each) => decodeScope(encodeScope({ ...each, range: undefined })));
  return !(left instanceof Undecodable) && JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Returns the filter for jobs that need attention, which does not depend on the current filter: all jobs since the time from which failures
 * are counted, or since the creation of the first job of a group, which may have failed much later, or since an hour before the group became
 * more frequent: What Changed? finds when that was only next to the time before it. Without counted failures, uses the time of the current
 * filter.
 * @param group ID of a group; all groups by default
 */
function counted({ filter, attention }: StartFacts, group?: string): JobFilter {
  if (attention === undefined) return { ...noFilter, time: filter.time };
  const groups = attention.groups.filter(({ id }) => group === undefined || id === group);
  const times = groups.flatMap(({ jobs, rise }) => [
    ...jobs.flatMap(({ createdAtMs }) => createdAtMs ?? []),
    ...(rise === undefined ? [] : [rise.sinceMs - hourMs]),
  ]);
  const fromMs = times.reduce((first, atMs) => Math.min(first, atMs), attention.sinceMs);
  // Rounds down to full minutes, so that an open board with the same scope is found again and its time reads well. The service may exclude
  // jobs created at this time, so it is before that of the first job.
  const after = new Date(Math.floor((fromMs - 1) / minuteMs) * minuteMs).toISOString();
  return { ...noFilter, time: { type: 'range', after, before: undefined } };
}

/** Returns the time since which the jobs of a group were created that failed since it is more frequent, in full minutes. */
function rangeOf(
  group: CountedFailures['groups'][number] | undefined,
  attention: CountedFailures | undefined,
): ChosenRange | undefined {
  if (group?.rise === undefined || attention === undefined) return undefined;
  const { sinceMs } = group.rise;
  const created = group.jobs.flatMap(({ createdAtMs, completedAtMs }) =>
    createdAtMs === undefined || (completedAtMs ?? createdAtMs) < sinceMs ? [] : [createdAtMs],
  );
  const fromMs = created.reduce((first, atMs) => Math.min(first, atMs), attention.atMs);
  return { fromMs: Math.floor(fromMs / minuteMs) * minuteMs, toMs: undefined };
}

function is(key: string, value: string): FacetCondition {
  return { key, value, isExcluded: false };
}

function isNot(key: string, value: string): FacetCondition {
  return { key, value, isExcluded: true };
}

/** Returns the conditions of a group of failures from its ID. */
function conditionsOf(id: string): readonly FacetCondition[] {
  const name = parseGroupId(id);
  if (name === undefined) return [];
  const { code, pair } = name;
  return [
    ...(code === undefined ? [] : [is('error_code', String(code))]),
    ...(pair === undefined ? [] : [is(`custom_metadata.${pair.key}`, pair.value)]),
  ];
}
