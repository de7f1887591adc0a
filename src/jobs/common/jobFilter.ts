import { hourMs, resolveStartOfTodayMs } from '../../base/time.ts';
import { isJobStatus, type Job, type JobStatus, type ListEntry } from './job.ts';
import {
  isArray,
  isJsonObject,
  parseJson,
  writtenText,
  type JsonObject,
  type JsonValue,
} from '../../base/json/json.ts';
import { findMembers, readElements } from '../../base/json/jsonText.ts';
import type { ListParams } from './listParams.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';

/** Condition on the creation time. A day and a range are mutually exclusive (contract 4.5 offers both). */
export type FilterTime =
  | { readonly type: 'any' }
  /** Since the start of the day, in UTC or in the machine's zone. Evaluated on every load. */
  | { readonly type: 'today'; readonly utc: boolean }
  /** The whole previous day, in the machine's zone. */
  | { readonly type: 'yesterday' }
  /** `YYYY-MM-DD`; the zone is the service's choice (contract 4.5 does not specify it). */
  | { readonly type: 'day'; readonly day: string }
  /** Counted back from the time of the request. */
  | { readonly type: 'last'; readonly hours: number }
  /** ISO 8601 date-times in UTC; at least one is set. */
  | { readonly type: 'range'; readonly after: string | undefined; readonly before: string | undefined };

/** The user's filter for jobs. */
export interface JobFilter {
  /** Empty means every status. */
  readonly statuses: readonly JobStatus[];
  readonly time: FilterTime;
  /** Pairs that `custom_metadata` must contain; empty means no condition. */
  readonly metadata: JsonObject;
}

export const noFilter: JobFilter = { statuses: [], time: { type: 'any' }, metadata: {} };

/** Workspace state keys of a connection's filter. Version 0.2.0 stored the filter "yesterday" under the second one. */
export function filterKeys(connection: string): readonly [current: string, former: string] {
  return [`filter/${connection}`, `laterFilter/${connection}`];
}

/** True if the filter has no conditions. */
export function isUnfiltered(filter: JobFilter): boolean {
  return filter.statuses.length === 0 && filter.time.type === 'any' && Object.keys(filter.metadata).length === 0;
}

/** The filter condition that a returned job violates. */
export type Contradiction = 'status' | 'metadata';

/**
 * Returns the condition that a returned job clearly violates, if any. Strings equal numbers of the same text, because
 * contract 4.5 leaves that open. It also leaves open to which time of a job a condition on time applies, so conditions
 * on time are not checked.
 */
export function findContradiction(job: Job, params: ListParams): Contradiction | undefined {
  const { statuses = [], customMetadata = {} } = params;
  if (isJobStatus(job.status) && statuses.length > 0 && !statuses.includes(job.status)) return 'status';
  // The part that was cut off may contain the requested metadata.
  const isKnown = job.cutFields?.includes('custom_metadata') !== true;
  return isKnown && Object.keys(customMetadata).length > 0 && !hasMetadata(job, customMetadata)
    ? 'metadata'
    : undefined;
}

/** In characters. A filter is a part of a URL, so it never has a longer list. */
const maxComparedList = 100_000;

/** In characters. Longer metadata is not compared, because the service has matched it. */
const maxComparedMetadata = 50_000;

/** In characters. Finding the metadata of longer items takes long enough to be done in steps. */
const maxSoughtAtOnce = 20_000;

/** Finds the metadata of items for {@link findContradiction}. The caller can yield to the event loop between the steps. */
export function* findMetadata(
  entries: readonly ListEntry[],
  { customMetadata = {} }: ListParams,
): Generator<undefined> {
  if (Object.keys(customMetadata).length === 0) return;
  for (const entry of entries) {
    if (entry.type !== 'job' || entry.raw.length <= maxSoughtAtOnce) continue;
    foundMetadata(entry);
    yield;
  }
}

const foundMetadata = rememberPerObject(({ raw }: Job) => findMembers(raw, ['custom_metadata']));

/** Looks up only the requested keys, because items may have any number of others. */
function hasMetadata(job: Job, wanted: JsonObject): boolean {
  const found = job.raw.length > maxSoughtAtOnce ? foundMetadata(job) : findMembers(job.raw, ['custom_metadata']);
  const metadata = found.get('custom_metadata');
  return metadata !== undefined && (metadata.length > maxComparedMetadata || isMatch(metadata, wanted));
}

/** @param found JSON text */
function isMatch(found: string, wanted: JsonValue): boolean {
  if (isJsonObject(wanted)) {
    const members = findMembers(found, Object.keys(wanted));
    return (
      found.startsWith('{') &&
      Object.entries(wanted).every(([key, value]) => {
        const member = members.get(key);
        return member !== undefined && isMatch(member, value);
      })
    );
  }
  if (isArray(wanted)) {
    const elements = found.startsWith('[') && found.length <= maxComparedList ? readElements(found) : undefined;
    return (
      elements?.length === wanted.length && wanted.every((value, index) => isMatch(elements[index] ?? 'null', value))
    );
  }
  if (wanted === null) return found === 'null';
  const text = writtenText(wanted);
  // An escape has at most six characters per character.
  if (!found.startsWith('"') || found.length > 6 * text.length + 2) return found === text;
  return parseJson(found) === text;
}

/**
 * Returns the date and metadata parameters for this filter; statuses are added per group.
 * @param nowMs the time from which "last hours" counts back, milliseconds since the epoch.
 */
export function buildFilterParams(filter: JobFilter, nowMs: number): ListParams {
  const metadata = Object.keys(filter.metadata).length === 0 ? {} : { customMetadata: filter.metadata };
  const { time } = filter;
  switch (time.type) {
    case 'any':
      return metadata;
    case 'today': {
      const start = resolveStartOfTodayMs(nowMs, time.utc ? 'UTC' : undefined);
      return { ...metadata, afterDate: new Date(start).toISOString() };
    }
    case 'yesterday': {
      const end = resolveStartOfTodayMs(nowMs, undefined);
      const start = resolveStartOfTodayMs(end - 1, undefined);
      return { ...metadata, afterDate: new Date(start).toISOString(), beforeDate: new Date(end).toISOString() };
    }
    case 'day':
      return { ...metadata, date: time.day };
    case 'last':
      return { ...metadata, afterDate: new Date(nowMs - time.hours * hourMs).toISOString() };
    case 'range':
      return {
        ...metadata,
        ...(time.after === undefined ? {} : { afterDate: time.after }),
        ...(time.before === undefined ? {} : { beforeDate: time.before }),
      };
  }
}
