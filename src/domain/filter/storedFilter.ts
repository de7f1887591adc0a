import {
  attempt,
  choice,
  flag,
  formVersion,
  list,
  number,
  optional,
  record,
  text,
  Undecodable,
  word,
  type Decoder,
} from '../decode/decoder.ts';
import { dayOf } from './filterTime.ts';
import { jobStatuses } from '../jobs/job.ts';
import type { JobFilter } from './jobFilter.ts';
import { isJsonObject, type JsonObject } from '../json/json.ts';

/** Another form of the stored filter gets another version, so that an older program leaves it alone. */
const version = 1;

/** The filter as it is stored: plain JSON, told apart by its version. */
export function storedFilter(filter: JobFilter): object {
  return { version, ...filter };
}

/** Reads a filter that was stored, perhaps by another version of the program or a damaged file. */
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

const hours: Decoder<number> = (value, path = '') => {
  const read = number(value, path);
  if (!Number.isInteger(read) || read < 1 || read > 24 * 366) throw new Undecodable(`${path}: expected whole hours`);
  return read;
};

const metadata: Decoder<JsonObject> = (value, path = '') => {
  if (!isJsonObject(value)) throw new Undecodable(`${path}: expected an object`);
  return value;
};

const fields = record({
  version: formVersion(version),
  statuses: list(word(...jobStatuses)),
  time: choice({
    any: {},
    today: { utc: flag },
    day: { day },
    last: { hours },
    range: { after: optional(instant), before: optional(instant) },
  }),
  metadata,
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
