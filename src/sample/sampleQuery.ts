import { dayMs, parseDateTimeMs } from '../base/time.ts';
import { type JobKind, jobKinds, type JobStatus, jobStatuses } from '../jobs/common/job.ts';
import { type SampleJob, statusAt } from './sampleJob.ts';
import {
  type JsonObject,
  type JsonValue,
  isArray,
  isJsonObject,
  isPlainValue,
  parseJson,
  writtenText,
} from '../base/json/json.ts';
import { readExactJson } from '../base/json/readJson.ts';

const defaultLimit = 20;
/** Larger limits are lowered to this, to bound memory: the contract has no maximum. */
const largestLimit = 10_000;

/** Parameters of a list request (contract 4.5). */
export interface SampleQuery {
  readonly filter: SampleFilter;
  /** The requested statuses; empty when the query has none. */
  readonly statuses: readonly JobStatus[];
  readonly offset: number;
  readonly limit: number;
}

/**
 * Decodes the query of a list request. `onlyKind` is the kind that a kind-specific endpoint lists; without it the query may name the kinds.
 * A date is a day of UTC.
 * @throws Refusal with a sentence for each invalid parameter.
 */
export function sampleQuery(search: string, onlyKind: JobKind | undefined): SampleQuery {
  const parameters = new SampleParameters(search);
  const offset = parameters.whole('offset', 0, 0);
  const limit = Math.min(parameters.whole('limit', 1, defaultLimit), largestLimit);
  const day = parameters.instant('date');
  const before = parameters.instant('before_date') ?? Infinity;
  const after = parameters.instant('after_date') ?? -Infinity;
  const statuses = parameters.choices('status', jobStatuses);
  const kinds = onlyKind === undefined ? parameters.choices('kind', jobKinds) : [onlyKind];
  const metadata = parameters.objects('custom_metadata').filter((each) => Object.keys(each).length > 0);
  if (parameters.problems.length > 0) throw new Refusal(400, 'Invalid parameters', parameters.problems);

  const dayStart = day === undefined ? undefined : Math.floor(day / dayMs) * dayMs;
  const filter: SampleFilter = {
    kinds: kinds.length > 0 ? kinds : jobKinds,
    statuses: statuses.length > 0 ? statuses : jobStatuses,
    createdFrom: Math.max(after + 1, dayStart ?? -Infinity),
    createdBefore: Math.min(before, dayStart === undefined ? Infinity : dayStart + dayMs),
    metadata,
  };
  return { filter, statuses, offset, limit };
}

/**
 * Decodes the parameters of a query string, in every notation that clients use, and collects a sentence for each
 * invalid one. Unknown parameters are ignored.
 */
class SampleParameters {
  readonly problems: string[] = [];
  readonly #parameters: URLSearchParams;

  constructor(search: string) {
    if (!isPercentEncoded(search)) this.problems.push('the query is not valid percent-encoding');
    this.#parameters = new URLSearchParams(search);
  }

  /** Returns a whole number of at least `min`; `otherwise` if the query has none. */
  whole(name: string, min: number, otherwise: number): number {
    const text = this.#once(name);
    if (text === undefined) return otherwise;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < min || !Number.isSafeInteger(value))
      this.problems.push(`${name} must be a whole number, ${min} or more`);
    return value;
  }

  /** Returns a date or date-time in epoch milliseconds. */
  instant(name: string): number | undefined {
    const text = this.#once(name);
    if (text === undefined) return undefined;
    // An unescaped plus sign arrives as a space: rejected, because it would change the time zone.
    const at = /\s/.test(text) ? undefined : parseDateTimeMs(text);
    if (at === undefined) this.problems.push(`${name} must be an ISO 8601 date or date-time`);
    return at;
  }

  /** Returns the allowed values in the query without duplicates: repeated, with commas, as `name[]` or `name[0]`. */
  choices<T extends string>(name: string, allowed: readonly T[]): readonly T[] {
    const texts = [...this.#parameters]
      .filter(([key]) => key.startsWith(name) && /^(?:\[\d*\])?$/.test(key.slice(name.length)))
      .flatMap(([, text]) => text.split(','));
    const chosen = texts.map((text) => allowed.find((value) => value === text));
    if (chosen.includes(undefined)) this.problems.push(`each value of ${name} must be one of ${allowed.join(', ')}`);
    return [...new Set(chosen.filter((value) => value !== undefined))];
  }

  /** Returns objects given as JSON text (`name={"a":"b"}`) or with keys in brackets (`name[a][b]=c`), one per occurrence. */
  objects(name: string): readonly JsonObject[] {
    return [...this.#parameters]
      .filter(([key]) => key === name || key.startsWith(`${name}[`))
      .flatMap(([key, text]) => {
        const value =
          key === name
            ? parseJson(text) === undefined
              ? undefined
              : readExactJson(text)
            : nested(key.slice(name.length), text);
        if (isJsonObject(value)) return [value];
        this.problems.push(`${name} must be a JSON object or have keys in brackets`);
        return [];
      });
  }

  #once(name: string): string | undefined {
    const values = this.#parameters.getAll(name);
    if (values.length > 1) this.problems.push(`${name} must be given once`);
    return values[0];
  }
}

/** Checks the encoding, because `URLSearchParams` itself accepts invalid encoding. */
function isPercentEncoded(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch {
    return false;
  }
}

function nested(brackets: string, text: string): JsonValue | undefined {
  if (!/^(?:\[[^[\]]+\])+$/.test(brackets)) return undefined;
  const path = brackets.slice(1, -1).split('][');
  return path.reduceRight<JsonValue>((value, key) => ({ [key]: value }), text);
}

/** Conditions on the jobs of a list (contract 4.5). */
export interface SampleFilter {
  readonly kinds: readonly JobKind[];
  readonly statuses: readonly JobStatus[];
  /** Epoch milliseconds, included. */
  readonly createdFrom: number;
  /** Epoch milliseconds, excluded. */
  readonly createdBefore: number;
  /** The job's custom metadata must contain each of them. */
  readonly metadata: readonly JsonObject[];
}

/** True if a list with this filter shows the job at a moment (epoch milliseconds). */
export function matchesFilter(job: SampleJob, filter: SampleFilter, now: number): boolean {
  return (
    filter.kinds.includes(job.kind) &&
    filter.statuses.includes(statusAt(job, now)) &&
    job.createdAt >= filter.createdFrom &&
    job.createdAt < filter.createdBefore &&
    matchesMetadata(job.metadata, filter.metadata)
  );
}

/** True if the metadata contain every given object. A number or boolean equals its text: bracket keys carry only text. */
export function matchesMetadata(metadata: JsonValue | undefined, wanted: readonly JsonObject[]): boolean {
  return wanted.every((each) => contains(metadata, each));
}

function contains(value: JsonValue | undefined, wanted: JsonValue | undefined): boolean {
  if (wanted === undefined) return true;
  if (isArray(wanted)) {
    return isArray(value) && value.length === wanted.length && wanted.every((each, at) => contains(value[at], each));
  }
  if (isJsonObject(wanted)) {
    if (!isJsonObject(value)) return false;
    return Object.entries(wanted).every(([key, each]) => Object.hasOwn(value, key) && contains(value[key], each));
  }
  if (wanted === null) return value === wanted;
  return isPlainValue(value) && writtenText(value) === writtenText(wanted);
}

/** Reason why a request is rejected; sent as a flat JSON error. The message is the service's own English. */
export class Refusal extends Error {
  readonly statusCode: number;
  readonly validationErrors: readonly string[];

  constructor(statusCode: number, message: string, validationErrors: readonly string[] = []) {
    super(message);
    this.name = 'Refusal';
    this.statusCode = statusCode;
    this.validationErrors = validationErrors;
  }
}
