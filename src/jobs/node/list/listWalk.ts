import { isFailure, type FailureCode } from '../../../base/failure.ts';
import { isUnfinished, type Job, type ListEntry } from '../../common/job.ts';
import { isByCreation, isFixedOrder, observeOrder, unseenOrder, type ListOrder } from '../../common/listOrder.ts';
import type { ListParams, ListQuery } from '../../common/listParams.ts';
import type { ListPage } from '../../common/decodePage.ts';
import type { ListReader } from './listReader.ts';
import type { ServiceTraits, SeveralName } from './serviceTraits.ts';

/**
 * An upper bound for the creation time, sent as `before_date` with later pages so that new jobs do not shift them. Taken from
 * times that the service itself put on jobs.
 */
interface Pin {
  /** ISO 8601. */
  readonly before: string;
  /** A page requested with the pin matched one requested without it. An unproved pin is dropped when it does not match. */
  readonly isProved: boolean;
}

/**
 * A part of a list that is read with its own upper bound for the creation time, because the service refuses its offsets
 * in the whole list.
 */
interface Segment {
  /** Offset of its first item in the whole list. */
  readonly from: number;
  /** ISO 8601. */
  readonly before: string;
}

/** How far a list has been read, and what the responses have shown about it. Immutable. */
export interface ListWalk {
  /** Offset after the last item received. Includes unreadable items and jobs that have left since. */
  readonly received: number;
  /** The last entries received, starting with the last job. */
  readonly tail: readonly ListEntry[];
  /** The entries of the last response. The same entries further down are a repetition. */
  readonly lastPage: readonly ListEntry[] | undefined;
  /** The service reports more items, or there may be more. */
  readonly hasMore: boolean;
  /** `next` was null on a full page. This does not prove the end; another request must. */
  readonly endIsClaimed: boolean;
  readonly pin: Pin | undefined;
  /** The last segment extends to the end of the list. Empty while the service accepts all offsets. */
  readonly segments: readonly Segment[];
  readonly order: ListOrder;
  /** Every response had a job in common with the known entries, so that nothing is missing between them. */
  readonly isContiguous: boolean;
  /** Number of responses with new entries. A list from a single response is consistent. */
  readonly answers: number;
  /** The list changed while it was read: rows loaded earlier may be out of date. */
  readonly moved: boolean;
  /** Jobs on both sides of a page boundary have the same time, so that a service may order them differently for the next page. */
  readonly isTied: boolean;
  /** The service reports more items but sends nothing new. The list ends here, with a notice. */
  readonly stuck: boolean;
  /** The responses imply that every job that matched throughout has been read. */
  readonly isComplete: boolean;
}

/** Requests the page at an offset, with the pin if there is one. Throws Failure. */
export type FetchPage = (
  offset: number,
  limit: number,
  before: string | undefined,
  signal?: AbortSignal,
) => Promise<ListPage>;

/** The list to read: its parameters, its source, and the known jobs. */
export interface WalkDeps {
  readonly params: ListParams;
  readonly traits: ServiceTraits;
  readonly fetchPage: FetchPage;
  /** If `fetchPage` prefetches: requests a page outside that sequence. */
  readonly fetchApart?: FetchPage;
  /**
   * Requests a page of jobs created after a time, ISO 8601. One job is not enough, because known jobs come first if the
   * bound applies to completion. Throws Failure.
   */
  readonly fetchAfter?: (after: string) => Promise<ListPage>;
  /** Requests the first jobs of the list that have some of the requested values. Throws Failure. */
  readonly fetchSome?: (some: Pick<ListParams, SeveralName>) => Promise<ListPage>;
  isKnown(job: Job): boolean;
  /** True if a page begins with the last loaded rows, without gaps: then only the number of jobs above them has changed. */
  continues?(entries: readonly ListEntry[]): boolean;
}

/**
 * Returns the requests that a walk sends to a service.
 * @param limit items per page with `after_date`
 * @param pause returns a signal that aborts the requests sent until the next call
 */
export function readOf(
  reader: ListReader,
  { endpoint, params }: ListQuery,
  limit: number,
  signal: AbortSignal | undefined,
  pause?: () => AbortSignal,
): Pick<WalkDeps, 'params' | 'traits' | 'fetchPage' | 'fetchAfter' | 'fetchSome'> {
  const until = (abort: AbortSignal | undefined): AbortSignal | undefined =>
    pause === undefined ? abort : AbortSignal.any(abort === undefined ? [pause()] : [abort, pause()]);
  return {
    params,
    traits: reader.traits,
    fetchPage: (offset, pageLimit, before, abort = signal) =>
      reader.readPage(
        endpoint,
        { ...params, offset, limit: pageLimit, ...(before === undefined ? {} : { beforeDate: before }) },
        until(abort),
      ),
    fetchAfter: (afterDate) => reader.readPage(endpoint, { ...params, offset: 0, limit, afterDate }, until(signal)),
    fetchSome: (some) => reader.readPage(endpoint, { ...params, ...some, offset: 0, limit }, until(signal)),
  };
}

/** Result of one step. `isLost`: the list changes faster than it can be read. */
export interface WalkStep {
  readonly walk: ListWalk;
  /** Received entries; empty when nothing was received. */
  readonly entries: readonly ListEntry[];
  /** Offset of the first entry. */
  readonly offset: number;
  /** The entries continue the known ones directly, beginning with the overlap. */
  readonly fits: boolean;
  readonly isLost: boolean;
}

/** Bounds one step; going back over a hundred thousand rows and forward again takes far fewer requests. */
const maxRequests = 24;
/**
 * The same response this often at different offsets means that the service ignores `offset`. Fewer may be caused by new jobs
 * that shift the list.
 */
const maxRepeats = 3;
/** This many empty pages in a row end the list, even if the service says that there is more. The first is requested twice. */
const maxEmpty = 4;
/** This many empty pages that announce nothing, each after a page that announced more, show that the service cuts the list off. */
const maxCutOffs = 2;

const unread: ListWalk = {
  received: 0,
  tail: [],
  lastPage: undefined,
  hasMore: true,
  endIsClaimed: false,
  pin: undefined,
  segments: [],
  order: unseenOrder,
  isContiguous: true,
  answers: 0,
  moved: false,
  isTied: false,
  stuck: false,
  isComplete: false,
};

/** Reads the first page of a list. @throws Failure from `fetchPage`. */
export async function beginWalk(walked: WalkDeps, limit: number): Promise<WalkStep> {
  const page = await walked.fetchPage(0, limit, undefined);
  if (page.entries.length === 0 && page.hasMore) return stepWalk(unread, walked, limit);
  const walk = await extended(unread, walked, { page, offset: 0, fits: true, isContiguous: true, moved: false }, limit);
  const pin = walk.hasMore && !walk.endIsClaimed ? pinOf(page, walked) : undefined;
  return { walk: { ...walk, pin }, entries: page.entries, offset: 0, fits: true, isLost: false };
}

/**
 * Reads the next page. One response shows the service's list at one moment, so nothing is missing after a known job in it. If
 * a response contains no known job, the offset is moved back, twice as far each time, until one does. Unreadable items have
 * no id, and two of them can have the same text, so they do not count as known.
 * @throws Failure from `fetchPage`.
 */
export async function stepWalk(before: ListWalk, walked: WalkDeps, limit: number): Promise<WalkStep> {
  const requested = Math.max(2, limit);
  const { tail, received } = before;
  const overlap = tail.length < requested ? tail : tail.slice(-1);
  const start = Math.max(0, received - overlap.length);
  const tried = await tryPin(before, walked, start, requested);
  const known = { ...before, pin: tried === undefined && before.pin?.isProved !== true ? undefined : before.pin };
  let walk: ListWalk =
    tried === undefined || known.pin === undefined ? known : { ...known, pin: { ...known.pin, isProved: true } };
  const isKnown = (entry: ListEntry): boolean => entry.type === 'job' && walked.isKnown(entry);
  let ready = tried;
  let offset = start;
  let back = 1;
  let moved = false;
  let isContiguous = true;
  let withoutOverlap = false;
  let last = before.lastPage;
  let repeats = 0;
  let empty = 0;
  let cutOffs = 0;
  /** The previous page reported that there is a next one. */
  let isAnnounced = false;
  for (let request = 0; request < maxRequests; request++) {
    let page: ListPage | Segment;
    try {
      page = ready ?? (await fetchOrContinue(walk, walked, offset, requested));
    } catch (error) {
      // An offset after an empty page is refused: the list exists, but its jobs cannot be read.
      if (empty === 0 || !isRefusal(error)) throw error;
      return ended(walk);
    }
    ready = undefined;
    if ('from' in page) {
      walk = { ...walk, segments: [...walk.segments, page] };
      offset = start;
      last = undefined;
      continue;
    }
    const { entries } = page;
    if (entries.length === 0 && page.hasMore) {
      // An empty page within the list: reading continues after it, but the list cannot be reported complete.
      if (++empty === maxEmpty) return ended(walk);
      if (empty === 1) continue;
      isContiguous = false;
      withoutOverlap = true;
      offset += requested;
      continue;
    }
    const fits = offset === start && startsWith(entries, overlap);
    const hasKnown = entries.some(isKnown);
    if (!hasKnown && !fits && !withoutOverlap && offset > 0) {
      if (entries.length === 0 && isAnnounced && ++cutOffs === maxCutOffs) return ended(walk);
      isAnnounced = false;
      moved = true;
      offset = Math.max(0, offset - back);
      back *= 2;
      // A page from an earlier offset may be equal to a previous one without being a repetition.
      last = undefined;
      continue;
    }
    if (!hasKnown && received > 0) isContiguous = false;
    moved ||= received > 0 && !withoutOverlap && !fits && walked.continues?.(entries) !== true;
    const repeated = last !== undefined && isSamePage(last, entries);
    const bringsNew = entries.some((entry, index) =>
      entry.type === 'job' ? !isKnown(entry) : !repeated && offset + index >= received,
    );
    if (bringsNew || !page.hasMore) {
      // In an unchanged list, a known job further down takes the place of an unknown one.
      const isRepeating = fits && entries.slice(overlap.length).some(isKnown);
      const joint = { page, offset, fits, isContiguous: isContiguous && !isRepeating, moved };
      const next = await extended(walk, walked, joint, requested, bringsNew);
      return { walk: next, entries, offset, fits, isLost: false };
    }
    repeats = repeated ? repeats + 1 : 0;
    if (repeats === maxRepeats) return ended(walk);
    last = entries;
    // If the service sends one item at a time, pages cannot overlap, so missing items would not be noticed.
    withoutOverlap = entries.length === 1;
    offset += withoutOverlap ? 1 : entries.length - 1;
    isAnnounced = true;
  }
  return { ...ended({ ...walk, moved: true }), walk: { ...walk, moved: true }, isLost: true };
}

/** Returns the offset and bound to send for an offset in the whole list. */
export function requestAt({ pin, segments }: Pick<ListWalk, 'pin' | 'segments'>, offset: number) {
  const segment = segments.findLast(({ from }) => from <= offset);
  return segment === undefined
    ? { offset, before: pin?.before }
    : { offset: offset - segment.from, before: segment.before };
}

async function fetchAt(walk: ListWalk, fetch: FetchPage, offset: number, limit: number): Promise<ListPage> {
  const request = requestAt(walk, offset);
  return fetch(request.offset, limit, request.before);
}

/**
 * Returns the page at an offset or, if the service refuses it, the segment that continues the list. @throws Failure
 * from `fetchPage`
 */
async function fetchOrContinue(
  walk: ListWalk,
  walked: WalkDeps,
  offset: number,
  limit: number,
): Promise<ListPage | Segment> {
  try {
    return await fetchAt(walk, walked.fetchPage, offset, limit);
  } catch (error) {
    if (offset === 0 || !isFailure(error) || !offsetRefusals.has(error.code)) throw error;
    const segment = await findSegment(walk, walked);
    if (segment === undefined) throw error;
    return segment;
  }
}

/** Failures by which services are known to refuse an offset. */
const offsetRefusals: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'keyRejected',
  'notFound',
  'rejected',
  'serverFailed',
]);

/** Items per request at the beginning of a segment. */
const segmentLimit = 100;
/** Max requests for the jobs of the last second, with which a segment begins. */
const maxSegmentRequests = 8;

/**
 * Returns the segment that continues below the last job, if it is proved: its first page has no unknown job above a
 * known one, and the jobs that it leaves out show that it is bounded by creation. It contains everything below the last
 * job, because the list is sorted newest first.
 * @throws Failure, unless the service refuses the bound
 */
async function findSegment(walk: ListWalk, walked: WalkDeps): Promise<Segment | undefined> {
  const { tail, order, received, segments } = walk;
  const { params, traits, fetchPage, fetchApart = fetchPage } = walked;
  const [last] = tail;
  if (last?.type !== 'job' || last.createdAtMs === undefined || order.created !== 'newest' || !isByCreation(order))
    return undefined;
  const beforeMs = (Math.floor(last.createdAtMs / 1000) + 1) * 1000;
  const before = new Date(beforeMs).toISOString();
  const isInBounds = params.beforeDate === undefined || beforeMs < Date.parse(params.beforeDate);
  if (!isInBounds || segments.at(-1)?.before === before) return undefined;
  const listed: Job[] = [];
  try {
    for (let offset = 0, request = 0; request < maxSegmentRequests; request++) {
      const { entries, hasMore } = await fetchApart(offset, segmentLimit, before);
      const unknown = entries.findIndex((entry) => entry.type === 'job' && !walked.isKnown(entry));
      const end = (unknown < 0 ? entries : entries.slice(0, unknown)).findLastIndex(({ type }) => type === 'job');
      listed.push(...entries.filter((entry) => entry.type === 'job'));
      if (end < 0) return undefined;
      const isLast = isSame(entries[end], last);
      if (isLast || unknown >= 0) {
        const from = received - tail.length - offset - end;
        if (from <= (segments.at(-1)?.from ?? 0)) return undefined;
        if (!traits.datesAreOfCreation) {
          const above = await fetchAt(walk, fetchApart, Math.max(0, from - segmentLimit), segmentLimit);
          traits.datesAreOfCreation = isBoundedByCreation(params, above.entries, listed);
        }
        return traits.datesAreOfCreation ? { from, before } : undefined;
      }
      if (!hasMore || entries.length < 2) return undefined;
      offset += entries.length - 1;
    }
  } catch (error) {
    if (!isRefusal(error)) throw error;
  }
  return undefined;
}

/**
 * True if the jobs that a bound leaves out show that it applies to creation: one of them completed before a listed job,
 * whatever fraction of the times is compared, or none of them is completed.
 */
function isBoundedByCreation(
  { statuses = [] }: ListParams,
  above: readonly ListEntry[],
  listed: readonly Job[],
): boolean {
  const leftOut = above.filter(
    (entry): entry is Job => entry.type === 'job' && !listed.some((job) => isSame(job, entry)),
  );
  const isUnfinishedList = statuses.length > 0 && statuses.every((status) => isUnfinished({ status }));
  if (isUnfinishedList) return leftOut.length > 0 && listed.length > 0;
  const latestMs = Math.max(...listed.map(({ completedAtMs = -Infinity }) => completedAtMs));
  return leftOut.some(({ completedAtMs = Infinity }) => completedAtMs <= latestMs);
}

/** Returns the entries of a step whose positions are not known yet. Always includes jobs, because they are compared by id. */
export function skipReceived({ entries, offset }: WalkStep, received: number): readonly ListEntry[] {
  return entries.filter((entry, index) => entry.type === 'job' || offset + index >= received);
}

function ended(walk: ListWalk): WalkStep {
  const end = { ...walk, hasMore: false, stuck: true, isComplete: false };
  return { walk: end, entries: [], offset: walk.received, fits: true, isLost: false };
}

/** A response that continues the known entries. */
interface Joint {
  readonly page: ListPage;
  readonly offset: number;
  readonly fits: boolean;
  readonly isContiguous: boolean;
  readonly moved: boolean;
}

/**
 * Returns the state of the walk after a response. At the end of a list, one more request may be needed to prove that it
 * is the end.
 */
async function extended(
  walk: ListWalk,
  walked: WalkDeps,
  { page, offset, fits, isContiguous, moved }: Joint,
  limit: number,
  bringsNew = true,
): Promise<ListWalk> {
  const { entries } = page;
  const { params, traits, fetchPage, fetchApart = fetchPage } = walked;
  const order = observeOrder(walk.order, entries);
  // In an order other than by creation, a bound may hide jobs.
  const isPinWrong = (walk.pin?.isProved === true || walk.segments.length > 0) && order.created !== 'newest';
  const hasMoved = walk.moved || moved;
  const isTied = walk.isTied || (offset > 0 && isTiedAcross(walk, entries, order));
  const next = {
    ...walk,
    received: entries.length === 0 ? walk.received : offset + entries.length,
    tail: entries.length === 0 ? walk.tail : tailOf([...walk.tail, ...entries]),
    lastPage: entries,
    hasMore: page.hasMore,
    endIsClaimed: false,
    pin: isPinWrong ? undefined : walk.pin,
    order,
    isContiguous: walk.isContiguous && isContiguous && !isPinWrong && !(isTied && hasMoved),
    moved: hasMoved,
    isTied,
    answers: walk.answers + (bringsNew ? 1 : 0),
  };
  if (next.hasMore) return next;
  // The service announced more items but did not send them: it cuts the list off, or the last jobs have left.
  const wasPromised = walk.answers > 0 && !bringsNew && !walk.endIsClaimed;
  if (wasPromised || traits.nextIsUnreliable) {
    return { ...next, stuck: wasPromised && !next.moved && !traits.nextIsUnreliable };
  }
  const isFixed = isFixedOrder(next.order, params);
  const isCertain = next.isContiguous && (isFixed || (next.answers === 1 && fits) || offset === 0);
  if (entries.length === 0 || traits.isShort(entries.length, page.limit ?? limit)) {
    traits.endIsProved ||= walk.endIsClaimed && !bringsNew;
    return { ...next, isComplete: isCertain };
  }
  // Showing a first page takes one request. The end is proved when the user requests more.
  if (walk.answers === 0) return { ...next, hasMore: true, endIsClaimed: true };
  const probe = await fetchAt(next, fetchPage, Math.max(0, next.received - 1), Math.max(2, limit));
  const last = entries.at(-1);
  // New jobs above the end shift its offset.
  const isSameEnd = !probe.hasMore && isSame(probe.entries.at(-1), last);
  if (
    isSameEnd &&
    (probe.entries.length <= 1 || traits.isShort(probe.entries.length, probe.limit ?? Math.max(2, limit)))
  ) {
    traits.endIsProved = true;
    return { ...next, isComplete: isCertain && (isFixed || probe.entries.length === 1) };
  }
  // The end cannot be proved while jobs arrive as fast as pages are read.
  if (isSameEnd) return walk.endIsClaimed ? next : { ...next, hasMore: true, endIsClaimed: true };
  // In a list sorted newest last, these jobs may be new. In any list they may have arrived since: then the same page
  // announces them.
  if (!traits.nextIsUnreliable && isSame(probe.entries[0], last) && next.order.created !== 'oldest') {
    const now = await fetchAt(next, fetchApart, offset, limit);
    traits.nextIsUnreliable ||= !now.hasMore && isSame(now.entries.at(-1), last);
  }
  return { ...next, hasMore: true };
}

/** True if a page has jobs with the same time as the last known one, by which the list seems to be sorted. */
function isTiedAcross({ tail: [last] }: ListWalk, entries: readonly ListEntry[], order: ListOrder): boolean {
  if (last?.type !== 'job') return false;
  const isByCompletion = order.created === 'mixed' || order.hasUndated;
  const timeOf = ({ createdAtMs, completedAtMs }: Job): number | undefined =>
    isByCompletion ? completedAtMs : createdAtMs;
  const lastMs = timeOf(last);
  return entries.some((entry) => entry.type === 'job' && timeOf(entry) === lastMs && !isSame(entry, last));
}

/** Returns the response to the first request with a pin, if it matches; undefined if the pin is not useful or already proved. */
async function tryPin(
  { pin, tail }: ListWalk,
  { fetchPage, fetchApart = fetchPage, traits }: WalkDeps,
  start: number,
  limit: number,
): Promise<ListPage | undefined> {
  if (pin === undefined || pin.isProved || tail[0]?.type !== 'job') return undefined;
  try {
    const page = await fetchPage(start, limit, pin.before);
    if (page.entries.length <= tail.length || !startsWith(page.entries, tail)) return undefined;
    // The first page has such jobs; otherwise there would be no pin.
    traits.datesAreOfCreation ||=
      hasLaterCompletion(page, pin) || hasLaterCompletion(await fetchApart(0, limit, pin.before), pin);
    return traits.datesAreOfCreation ? page : undefined;
  } catch (error) {
    if (isFailure(error) && refusals.has(error.code)) return undefined;
    throw error;
  }
}

/** True if a response to a request with a pin has a job that would be missing if the pin applied to completion. */
function hasLaterCompletion({ entries }: ListPage, { before }: Pin): boolean {
  const pinMs = Date.parse(before);
  // The service may compare whole days, in any time zone.
  const isLater = ({ completedAtMs }: Job): boolean => completedAtMs === undefined || completedAtMs > pinMs + 2 * dayMs;
  return entries.some((entry) => entry.type === 'job' && isLater(entry));
}

const dayMs = 86_400_000;

/** Failures by which a service refuses a query. */
const refusals: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'keyRejected',
  'notFound',
  'rejected',
  'serverFailed',
  'tooLarge',
  'notJson',
  'unexpectedShape',
  'redirected',
]);

/** True if a failure is the service's own response to the query, not a problem of the network or the user. */
export function isRefusal(error: unknown): boolean {
  return isFailure(error) && refusals.has(error.code);
}

/**
 * Returns the end of the second in which the newest job of a first page was created. Only for a list sorted by
 * creation, newest first, and not by completion: in other orders, jobs created after the first one may be further down,
 * and a pin would hide them. Requires that `before_date` is known to apply to creation, or that the response to the pin
 * will show it.
 */
function pinOf({ entries }: ListPage, { params, traits }: WalkDeps): Pin | undefined {
  const { beforeDate, statuses = [] } = params;
  const jobs = entries.filter((entry) => entry.type === 'job');
  const order = observeOrder(unseenOrder, entries);
  const newestMs = jobs[0]?.createdAtMs;
  if (beforeDate !== undefined || newestMs === undefined || !isByCreation(order) || order.created !== 'newest') {
    return undefined;
  }
  const pinMs = (Math.floor(newestMs / 1000) + 1) * 1000;
  const noneIsFinished = statuses.length > 0 && statuses.every((status) => isUnfinished({ status }));
  const isNotByCompletion =
    order.completed === 'mixed' &&
    jobs.some(({ completedAtMs }) => completedAtMs !== undefined && completedAtMs > pinMs);
  const isTelling = noneIsFinished || (isNotByCompletion && (order.hasUncompleted || traits.datesAreOfCreation));
  return isTelling ? { before: new Date(pinMs).toISOString(), isProved: false } : undefined;
}

/** Returns the end of a list, starting with its last job; the whole list if it has no job. */
export function tailOf(entries: readonly ListEntry[]): readonly ListEntry[] {
  return entries.slice(
    Math.max(
      0,
      entries.findLastIndex((entry) => entry.type === 'job'),
    ),
  );
}

function startsWith(entries: readonly ListEntry[], beginning: readonly ListEntry[]): boolean {
  return beginning.every((entry, index) => isSame(entry, entries[index]));
}

/** True if two entries can be the same item of the service's list. Compares unreadable items by their text. */
export function isSame(one: ListEntry | undefined, other: ListEntry | undefined): boolean {
  if (one?.type === 'job') return other?.type === 'job' && one.id === other.id && one.kind === other.kind;
  return one !== undefined && other?.type === 'unreadable' && one.raw === other.raw;
}

function isSamePage(one: readonly ListEntry[], other: readonly ListEntry[]): boolean {
  return one.length === other.length && startsWith(other, one);
}
