import { itemOf } from './worldItems.ts';
import { mixSeed, stateAt, type JobState, type WorldJob } from './worldJobs.ts';
import { matchesQuery, type ListRequest, type WorldQuery } from './worldQuery.ts';
import type { NextShape, WorldKnobs } from './worldSpec.ts';

/** A row of the service's list; a job may have two. */
export interface WorldRow {
  readonly job: WorldJob;
  readonly state: JobState;
}

/** Returns all rows in the world's order, unfiltered. The order of ties depends on `draw` if they are shuffled. */
export function orderedRows(knobs: WorldKnobs, jobs: readonly WorldJob[], moment: number, draw: number): WorldRow[] {
  const rows = jobs.flatMap((job): WorldRow[] => {
    const state = stateAt(job, moment);
    return state?.isListed === true ? [{ job, state }] : [];
  });
  const compare = comparison(knobs.order);
  const tie =
    knobs.ties === 'stable'
      ? (row: WorldRow) => -row.job.key
      : (row: WorldRow) => mixSeed(knobs.seed, draw, row.job.key);
  const sorted = rows.sort((left, right) => compare(left, right) || tie(left) - tie(right));
  const { repeats } = knobs;
  if (repeats === null) return sorted;
  return sorted.flatMap((row) => {
    if (row.job.key % repeats.every !== 0) return [row];
    const [first = row.state] = row.job.states;
    return [row, repeats.stale ? { job: row.job, state: { ...first, isListed: true } } : row];
  });
}

/** Returns the page for a request (contract 2.1), or the error status. */
export function pageOf({
  knobs,
  rows,
  request,
  endpoint,
  origin,
  takesEmptyPage,
}: {
  readonly knobs: WorldKnobs;
  readonly rows: readonly WorldRow[];
  readonly request: Extract<ListRequest, { refused: undefined }>;
  readonly endpoint: string;
  readonly origin: string;
  /** Called when a page may be empty without need: returns true if it is, this time. */
  readonly takesEmptyPage: () => boolean;
}): Readonly<Record<string, unknown>> | number {
  const { limit, query } = request;
  const { beyond, emptyPages } = knobs;
  const matches = (row: WorldRow): boolean => matchesQuery(knobs, query, row.job, row.state);
  const isOfEndpoint = (row: WorldRow): boolean => query.kinds === undefined || query.kinds.includes(row.job.kind);
  const pool = rows.filter(knobs.cut === 'afterFilter' ? matches : isOfEndpoint);

  let { offset } = request;
  let end = pool.length;
  if (beyond !== null && (beyond.counts === 'offset' ? offset >= beyond.at : offset + limit > beyond.at)) {
    if (typeof beyond.answer === 'number') return beyond.answer;
    if (beyond.answer === 'stuck') offset = Math.min(offset, beyond.at);
    else end = Math.min(end, beyond.counts === 'offset' ? offset : beyond.at);
  }
  const cut = pool.slice(offset, Math.min(end, offset + limit));
  let shown = cut.filter(matches);
  let hasMore = hasNext(knobs, { offset, limit, end, returned: shown.length });
  if (beyond?.answer === 'stuck' && request.offset >= beyond.at) hasMore = true;
  if (emptyPages !== null && offset >= emptyPages.from && offset < emptyPages.to && offset < end && takesEmptyPage()) {
    shown = [];
    hasMore = true;
  }
  const url = (at: number): string => pageUrl(origin, query, at, limit);
  return {
    first: url(0),
    current: url(offset),
    next: nextValue(hasMore ? knobs.next.more : knobs.next.end, url(offset + limit)),
    items: shown.map(({ job, state }) => itemOf(knobs, job, state, endpoint)),
  };
}

function hasNext(
  { next, cut }: WorldKnobs,
  { offset, limit, end, returned }: { readonly [name in 'offset' | 'limit' | 'end' | 'returned']: number },
): boolean {
  if (next.nullFrom !== null && offset + limit >= next.nullFrom) return false;
  if (next.late === 'never') return true;
  if (cut === 'beforeFilterShortIsEnd' && returned < limit) return false;
  return offset + limit < end || (next.late === 'onePage' && offset < end);
}

/** Contract 2.1: the path of the deprecated list, with only status, offset and limit. */
function pageUrl(origin: string, { statuses = [] }: WorldQuery, offset: number, limit: number): string {
  const params = [
    ...statuses.map((status) => `status=${encodeURIComponent(status)}`),
    `offset=${offset}`,
    `limit=${limit}`,
  ];
  return `${origin}/v2/transcription?${params.join('&')}`;
}

function nextValue(shape: NextShape, url: string): unknown {
  switch (shape) {
    case 'url':
      return url;
    case 'elsewhere':
      return url.replace(/^https?:\/\/[^/]+/u, 'https://elsewhere.example');
    case 'relative':
      return url.replace(/^https?:\/\/[^/]+/u, '');
    case 'null':
      return null;
    case 'missing':
      return undefined;
    case 'true':
      return true;
    case 'false':
      return false;
    case 'object':
      return { url };
    case 'number':
      return 2;
    case 'zero':
      return 0;
    case 'empty':
      return '';
  }
}

function comparison(order: WorldKnobs['order']): (left: WorldRow, right: WorldRow) => number {
  const completion = ({ state }: WorldRow): number => state.completedAt ?? Number.MAX_SAFE_INTEGER;
  switch (order) {
    case 'newest':
      return (left, right) => right.job.createdAt - left.job.createdAt;
    case 'oldest':
      return (left, right) => left.job.createdAt - right.job.createdAt;
    case 'completedFirst':
      return (left, right) => completion(left) - completion(right);
    case 'completedLast':
      return (left, right) => completion(right) - completion(left);
    case 'id':
      return (left, right) => (left.job.id < right.job.id ? -1 : left.job.id > right.job.id ? 1 : 0);
    case 'changed':
      return (left, right) => right.state.moment - left.state.moment || right.job.createdAt - left.job.createdAt;
  }
}
