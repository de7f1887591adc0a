import { noFilter, type JobFilter } from '../../../jobs/common/jobFilter.ts';
import type { SavedView } from '../../views/common/savedView.ts';
import { asTreeNode } from '../../tree/common/commandArguments.ts';
import { jobStatuses, type Job } from '../../../jobs/common/job.ts';
import type { ListParams } from '../../../jobs/common/listParams.ts';
import { attempt, list, optional, text, Undecodable, number, type Decoder } from '../../../base/decode/decoder.ts';
import { decodeScope, encodeScope, type BoardScope } from './boardProtocol.ts';
import type { FacetCondition, TimeRange } from './boardView.ts';

/** Days that a board shows where the filter says nothing of time. */
const usualHours = 7 * 24;

/** The window of a board for a filter: its time, or the last seven days. */
export function windowed(filter: JobFilter): JobFilter {
  return filter.time.type === 'any' ? { ...filter, time: { type: 'last', hours: usualHours } } : filter;
}

/** What {@link startBoard} takes of the jobs view. */
interface StartFacts {
  readonly connection: string;
  readonly filter: JobFilter;
  readonly views: readonly SavedView[];
  /** What needs attention, as it is shown. */
  readonly attention: CountedFailures | undefined;
}

/** Groups of failures, and from when on their failures were counted. */
interface CountedFailures {
  readonly groups: readonly { readonly id: string; readonly jobs: readonly Pick<Job, 'createdAtMs'>[] }[];
  readonly sinceMs: number;
}

/**
 * What a board shows that is opened from a row of the jobs view, which may be any value: the jobs of the filter in use, narrowed down to
 * those of the row, or those of a saved view. Failures that need attention are shown in the time in which they were counted.
 */
export function startBoard(given: unknown, facts: StartFacts): BoardScope {
  const row = asTreeNode(given);
  const scope = (conditions: readonly FacetCondition[], filter = facts.filter): BoardScope => ({
    connection: facts.connection,
    filter: windowed(filter),
    conditions,
    range: undefined,
  });
  switch (row?.type) {
    case 'kind':
      return scope(conditionsOn(row.kind, undefined));
    case 'group':
      return scope(conditionsOn(row.key.kind, row.key.status));
    case 'attention':
    case 'failures':
      return scope([is('status', 'error')], counted(facts));
    case 'failureGroup':
      return scope([is('status', 'error'), ...conditionsOf(row.group)], counted(facts, row.group));
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

/** The filter of the jobs view for a board of a filter, its brushed range and what else the service is asked for. */
export function filterOfBoard(
  filter: JobFilter,
  range: TimeRange | undefined,
  { statuses, customMetadata }: Pick<ListParams, 'statuses' | 'customMetadata'>,
): JobFilter {
  return {
    statuses: statuses === undefined ? filter.statuses : jobStatuses.filter((each) => statuses.includes(each)),
    time:
      range === undefined
        ? filter.time
        : { type: 'range', after: new Date(range.fromMs).toISOString(), before: new Date(range.toMs).toISOString() },
    metadata: { ...filter.metadata, ...customMetadata },
  };
}

/** Whether two boards are about the same jobs, whatever range of time is brushed. */
export function isSameScope(one: BoardScope, other: BoardScope): boolean {
  // Decoding brings the fields into one order.
  const [left, right] = [one, other].map((each) => decodeScope(encodeScope({ ...each, range: undefined })));
  return !(left instanceof Undecodable) && JSON.stringify(left) === JSON.stringify(right);
}

const minuteMs = 60_000;

/**
 * What needs attention is not of the filter in use: all jobs since failures are counted, or since the first of a group was created, which
 * may have failed much later. Without what was counted, the time of the filter.
 * @param group by its id; all groups by default
 */
function counted({ filter, attention }: StartFacts, group?: string): JobFilter {
  if (attention === undefined) return { ...noFilter, time: filter.time };
  const jobs = attention.groups.filter(({ id }) => group === undefined || id === group).flatMap((each) => each.jobs);
  const fromMs = jobs.reduce((first, { createdAtMs = first }) => Math.min(first, createdAtMs), attention.sinceMs);
  // Full minutes: the board that is there is found again, and its time reads well.
  const after = new Date(Math.floor(fromMs / minuteMs) * minuteMs).toISOString();
  return { ...noFilter, time: { type: 'range', after, before: undefined } };
}

function is(key: string, value: string): FacetCondition {
  return { key, value, isExcluded: false };
}

const groupId: Decoder<readonly [number | undefined, string | undefined, string | undefined]> = (value, path) => {
  const [code, key, of] = list((each: unknown) => each)(value, path);
  return [optional(number)(code), optional(text)(key), optional(text)(of)];
};

/** The conditions of a group of failures, from its id: see `failureGroups.ts`. */
function conditionsOf(id: string): readonly FacetCondition[] {
  let parts: unknown;
  try {
    parts = JSON.parse(id);
  } catch {
    return [];
  }
  const read = attempt(groupId, parts);
  if (read instanceof Undecodable) return [];
  const [code, key, value] = read;
  return [
    ...(code === undefined ? [] : [is('error_code', String(code))]),
    ...(key === undefined || value === undefined ? [] : [is(`custom_metadata.${key}`, value)]),
  ];
}
