import { type JsonObject, type JsonValue, isJsonObject } from '../domain/json/json.ts';
import { type SampleJob, type SampleKind, type SampleStatus, statusAt } from './sampleJob.ts';

/** Which jobs a list shows (contract 4.5). */
export interface SampleFilter {
  readonly kinds: readonly SampleKind[];
  readonly statuses: readonly SampleStatus[];
  /** Epoch milliseconds, included. */
  readonly createdFrom: number;
  /** Epoch milliseconds, excluded. */
  readonly createdBefore: number;
  /** Each must be contained in the job's custom metadata. */
  readonly metadata: readonly JsonObject[];
}

/** Whether a list with this filter shows the job at a moment (epoch milliseconds). */
export function matchesFilter(job: SampleJob, filter: SampleFilter, now: number): boolean {
  return (
    filter.kinds.includes(job.kind) &&
    filter.statuses.includes(statusAt(job, now)) &&
    job.createdAt >= filter.createdFrom &&
    job.createdAt < filter.createdBefore &&
    matchesMetadata(job.fields['custom_metadata'], filter.metadata)
  );
}

/** Whether the metadata contains every wanted object. A number or boolean equals its text: bracket keys carry only text. */
export function matchesMetadata(metadata: JsonValue | undefined, wanted: readonly JsonObject[]): boolean {
  return wanted.every((each) => contains(metadata, each));
}

function contains(value: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  if (wanted === undefined) return true;
  if (isList(wanted)) {
    return isList(value) && value.length === wanted.length && wanted.every((each, at) => contains(value[at], each));
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(value)) return false;
    return Object.entries(wanted).every(([key, each]) => Object.hasOwn(value, key) && contains(value[key], each));
  }
  if (value === null || wanted === null) return value === wanted;
  return typeof value !== 'object' && value !== undefined && String(value) === String(wanted);
}

/** `Array.isArray` as a guard for lists that are read-only. */
function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}
