import {
  attempt,
  choice,
  flag,
  formVersion,
  integer,
  jsonObject,
  list,
  optional,
  record,
  text,
  Undecodable,
  word,
  type Decoder,
} from '../../base/decode/decoder.ts';
import { dayOf } from '../../base/time.ts';
import { isArray, isJsonObject, parseJson, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import { readExactJson } from '../../base/json/readJson.ts';
import { jobStatuses } from './job.ts';
import type { JobFilter } from './jobFilter.ts';

/** Increment when the stored format changes, so that older versions ignore it. */
const version = 1;

/** Encodes the filter for storage: plain JSON with a format version. */
export function encodeStoredFilter(filter: JobFilter): object {
  return { version, ...filter, metadata: encodeMetadata(filter.metadata) };
}

/** Encodes metadata for storage where numbers are doubles, as in settings: as JSON text if a double would change a number. */
export function encodeMetadata(metadata: JsonObject): JsonObject | string {
  const text = JSON.stringify(metadata);
  return JSON.stringify(parseJson(text)) === text ? metadata : text;
}

/** In characters of their JSON. A filter is a part of a URL. */
const maxMetadata = 10_000;

const decodeMetadata: Decoder<JsonObject> = (value, path = '') => {
  const json = typeof value === 'string' ? value : writeJson(jsonObject(value, path));
  if (json.length > maxMetadata) throw new Undecodable(`${path}: expected fewer metadata`);
  return jsonObject(parseJson(json) === undefined ? undefined : readExactJson(json), path);
};

const maxDepth = 100;
const maxValues = 2500;

/**
 * Returns an empty text for a value that is nested too deeply or has too many members, which would be slow in
 * `JSON.stringify`.
 */
function writeJson(value: JsonObject): string {
  return isLarge(value, maxDepth, { values: maxValues }) ? '' : JSON.stringify(value);
}

function isLarge(value: JsonValue, levels: number, left: { values: number }): boolean {
  if (--left.values < 0) return true;
  if (isArray(value)) return levels === 0 || value.some((each) => isLarge(each, levels - 1, left));
  if (!isJsonObject(value)) return false;
  if (levels === 0) return true;
  for (const key in value) if (isLarge(value[key] ?? null, levels - 1, left)) return true;
  return false;
}

/** A year. */
export const maxLastHours = 24 * 366;

/** Decodes a stored filter, which may be damaged or from another version. */
export function decodeStoredFilter(stored: unknown): JobFilter | Undecodable {
  const read = attempt(decodeFilter, stored);
  if (read instanceof Undecodable) return read;
  const { statuses, time, metadata } = read;
  return { statuses: jobStatuses.filter((status) => statuses.includes(status)), time, metadata };
}

const day: Decoder<string> = (value, path = '') => {
  const read = dayOf(text(value, path));
  if (read === undefined) throw new Undecodable(`${path}: expected a day that exists`);
  return read;
};

const instant: Decoder<string> = (value, path = '') => {
  const read = text(value, path);
  if (dayOf(read.slice(0, 10)) === undefined || Number.isNaN(Date.parse(read)) || !read.endsWith('Z')) {
    throw new Undecodable(`${path}: expected a date-time in UTC`);
  }
  return read;
};

const fields = record({
  version: formVersion(version),
  statuses: list(word(...jobStatuses)),
  time: choice({
    any: {},
    today: { utc: flag },
    yesterday: {},
    day: { day },
    last: { hours: integer(1, maxLastHours) },
    range: { after: optional(instant), before: optional(instant) },
  }),
  metadata: decodeMetadata,
});

const decodeFilter: Decoder<JobFilter> = (value, path = '') => {
  const read = fields(value, path);
  const { time } = read;
  if (time.type === 'range') {
    const { after = '', before } = time;
    if (after === '' && before === undefined) throw new Undecodable(`${path}.time: expected a start or an end`);
    if (before !== undefined && Date.parse(before) <= Date.parse(after)) {
      throw new Undecodable(`${path}.time: the end comes before the start`);
    }
  }
  return read;
};
