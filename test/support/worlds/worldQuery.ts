import { isObject, type JobState, type WorldJob } from './worldJobs.ts';
import type { ArrayEncoding, DateKnob, MetadataEncoding, WorldKind, WorldKnobs } from './worldSpec.ts';

/** The requested jobs; undefined fields do not filter. Contract 4.5. */
export interface WorldQuery {
  readonly kinds?: readonly WorldKind[];
  readonly statuses?: readonly string[];
  /** ISO 8601, as `before_date`; a knob of the world defines its meaning. */
  readonly before?: string;
  /** As `after_date`. */
  readonly after?: string;
  /** As `date`. */
  readonly on?: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** A list request as the service understood it, or the error status. */
export type ListRequest =
  | { readonly refused: number; readonly because: string }
  | { readonly refused: undefined; readonly offset: number; readonly limit: number; readonly query: WorldQuery };

/** Parses the query string of a list request as this world does. */
export function readListRequest(knobs: WorldKnobs, endpoint: string, params: URLSearchParams): ListRequest {
  const offset = wholeNumber(params.get('offset'), 0);
  const limit = wholeNumber(params.get('limit'), knobs.limit.default);
  if (offset === undefined || offset < 0) return { refused: 400, because: 'offset must be at least 0' };
  if (limit === undefined || limit < 1) return { refused: 400, because: 'limit must be at least 1' };
  const { max, above } = knobs.limit;
  const isAbove = max !== null && limit > max;
  if (isAbove && above !== 'capped') return { refused: above, because: `limit must not be greater than ${max}` };
  for (const [name, knob] of datesOf(knobs)) {
    if (!params.has(name)) continue;
    if (knob.kind === 'refused') return { refused: knob.status, because: `${name} is not supported` };
    if (Number.isNaN(Date.parse(params.get(name) ?? ''))) return { refused: 400, because: `${name} is not a date` };
  }
  const statuses = readArray(knobs, params, 'status');
  const kinds = endpoint === 'transcription' ? readArray(knobs, params, 'kind') : [endpoint];
  const metadata = readMetadata(knobs, params);
  for (const value of [statuses, kinds, metadata]) {
    if (typeof value === 'number') return { refused: value, because: 'a parameter is not in the form expected' };
  }
  const query = {
    ...(Array.isArray(statuses) && { statuses }),
    ...(Array.isArray(kinds) && { kinds: kinds.filter((kind) => kind === 'live' || kind === 'pre-recorded') }),
    ...(params.has('before_date') && { before: params.get('before_date') ?? '' }),
    ...(params.has('after_date') && { after: params.get('after_date') ?? '' }),
    ...(params.has('date') && { on: params.get('date') ?? '' }),
    ...(isObject(metadata) && { metadata }),
  };
  return { refused: undefined, offset, limit: isAbove ? max : limit, query };
}

/** True if a job in this state matches the query as this world interprets it. */
export function matchesQuery(knobs: WorldKnobs, query: WorldQuery, job: WorldJob, state: JobState): boolean {
  return (
    state.isListed &&
    (query.kinds === undefined || query.kinds.includes(job.kind)) &&
    (query.statuses === undefined || query.statuses.includes(state.status)) &&
    (query.before === undefined ||
      holds(knobs.beforeDate, job, state, Date.parse(query.before), (own, bound) => own < bound)) &&
    (query.after === undefined ||
      holds(knobs.afterDate, job, state, Date.parse(query.after), (own, bound) => own > bound)) &&
    (query.on === undefined || holds(knobs.onDate, job, state, Date.parse(query.on), () => false)) &&
    Object.entries(query.metadata ?? {}).every(([name, value]) => String(job.metadata[name]) === String(value))
  );
}

function datesOf(knobs: WorldKnobs): readonly (readonly [string, DateKnob])[] {
  return [
    ['before_date', knobs.beforeDate],
    ['after_date', knobs.afterDate],
    ['date', knobs.onDate],
  ];
}

function holds(
  knob: DateKnob,
  job: WorldJob,
  state: JobState,
  bound: number,
  isBeyond: (own: number, bound: number) => boolean,
): boolean {
  if (knob.kind !== 'honoured') return true;
  const own = knob.field === 'created_at' ? job.createdAt : state.completedAt;
  if (own === undefined) return false;
  const grainMs = { millisecond: 1, second: 1000, day: 86_400_000 }[knob.grain];
  const [left, right] = [Math.floor(own / grainMs), Math.floor(bound / grainMs)];
  return isBeyond(left, right) || (knob.inclusive && left === right);
}

/** Returns the values of an array parameter, an error status, or undefined if there is no such filter. */
function readArray(knobs: WorldKnobs, params: URLSearchParams, name: string): string[] | number | undefined {
  const entries = [...params].filter(([key]) => key === name || key.startsWith(`${name}[`));
  const [first] = entries;
  if (first === undefined) return undefined;
  const { understands, otherwise } = knobs.arrays;
  for (const encoding of understands) {
    const values = decodeArray(encoding, name, entries);
    if (values !== undefined) return values;
  }
  if (otherwise === 'ignored') return undefined;
  if (otherwise === 'first') return [first[1].split(',')[0] ?? ''];
  return otherwise === 'nothing' ? [] : otherwise;
}

function decodeArray(
  encoding: ArrayEncoding,
  name: string,
  entries: readonly (readonly [string, string])[],
): string[] | undefined {
  const values = entries.map(([, value]) => value);
  const isPlain = entries.every(([key]) => key === name);
  switch (encoding) {
    case 'repeat':
      return isPlain && values.every((value) => /^[a-z-]*$/u.test(value)) ? values : undefined;
    case 'comma':
      return isPlain && values.length === 1 && !values.join('').startsWith('[')
        ? values.join('').split(',')
        : undefined;
    case 'brackets':
      return entries.every(([key]) => key === `${name}[]`) ? values : undefined;
    case 'indexed':
      return entries.every(([key]) => /\[\d+\]$/u.test(key)) ? values : undefined;
    case 'json': {
      const value = isPlain && values.length === 1 ? parsed(values.join('')) : undefined;
      return Array.isArray(value) ? value.map(String) : undefined;
    }
  }
}

function readMetadata(
  knobs: WorldKnobs,
  params: URLSearchParams,
): Readonly<Record<string, unknown>> | number | undefined {
  const entries = [...params].filter(([key]) => /^custom_metadata(?:$|[[.])/u.test(key));
  if (entries.length === 0) return undefined;
  const { understands, otherwise } = knobs.metadata;
  for (const encoding of understands) {
    const value = decodeMetadata(encoding, entries);
    if (value !== undefined) return value;
  }
  if (typeof otherwise === 'number') return otherwise;
  return otherwise === 'nothing' ? { 'not understood': true } : undefined;
}

function decodeMetadata(
  encoding: MetadataEncoding,
  entries: readonly (readonly [string, string])[],
): Readonly<Record<string, unknown>> | undefined {
  if (encoding === 'json') {
    const value = entries.length === 1 ? parsed(entries[0]?.[1] ?? '') : undefined;
    return isObject(value) ? value : undefined;
  }
  const form = encoding === 'brackets' ? /^custom_metadata\[(.+)\]$/u : /^custom_metadata\.(.+)$/u;
  const asked: Record<string, string> = {};
  for (const [key, value] of entries) {
    const name = form.exec(key)?.[1];
    if (name === undefined) return undefined;
    asked[name] = value;
  }
  return asked;
}

function wholeNumber(text: string | null, otherwise: number): number | undefined {
  if (text === null) return otherwise;
  return /^-?\d{1,15}$/u.test(text) ? Number(text) : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
