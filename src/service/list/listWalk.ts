import { isFailure, type FailureCode } from '../../domain/failure.ts';
import { isUnfinished, type Job, type ListEntry } from '../../domain/jobs/job.ts';
import { isFixedOrder, observeOrder, unseenOrder, type ListOrder } from '../../domain/jobs/listOrder.ts';
import type { ListParams } from '../../domain/jobs/listParams.ts';
import type { ListPage } from '../ports.ts';
import type { ServiceTraits } from './serviceTraits.ts';

/** An end for later pages that keeps arrivals out of them, taken from times that the service itself put on jobs. */
export interface Pin {
  /** ISO 8601. */
  readonly before: string;
  /** A page under it was joined to one without it. Until then it is tried, and dropped when it does not fit. */
  readonly isProved: boolean;
}

/** How far a list has been read, and what that has shown. Immutable. */
export interface ListWalk {
  /** Place in the service's list after the last item received; unreadable items and jobs that have left since count. */
  readonly received: number;
  /** The last entries received, from the last job on. */
  readonly tail: readonly ListEntry[];
  /** The service says that there is more, or may be. */
  readonly hasMore: boolean;
  readonly pin: Pin | undefined;
  readonly order: ListOrder;
  /** Every answer had a job in common with what was known before it, so that nothing is missing between them. */
  readonly isJoined: boolean;
  /** Answers that brought something. One alone shows a list at one moment. */
  readonly answers: number;
  /** The list moved while it was read: rows loaded earlier may be out of date. */
  readonly moved: boolean;
  /** The service says that there is more but sends nothing new. The list ends here, and says so. */
  readonly stuck: boolean;
  /** What was seen implies that every job that matched all along has been read. */
  readonly isComplete: boolean;
}

/** Asks for the page at an offset, under a pin if there is one. Throws Failure. */
export type FetchPage = (offset: number, limit: number, before: string | undefined) => Promise<ListPage>;

/** One list being read: what is asked, by whom, and what is known. */
export interface Walked {
  readonly params: ListParams;
  readonly traits: ServiceTraits;
  readonly fetchPage: FetchPage;
  isKnown(job: Job): boolean;
}

/** Where a step has led. `lost`: the list moves faster than we read. */
export interface WalkStep {
  readonly walk: ListWalk;
  /** What came; empty when nothing did. */
  readonly entries: readonly ListEntry[];
  /** The place of the first entry in the service's list. */
  readonly offset: number;
  /** The entries begin with the end of what was known, and go on from there. */
  readonly fits: boolean;
  readonly isLost: boolean;
}

/** Bounds one step: doubling back over a hundred thousand rows and forth again stays well below. */
const mostRequests = 24;
/** The same answer this often at different offsets: the service does not heed `offset`. Less often it may be arrivals that shift the list. */
const mostRepeats = 3;
/** So many empty pages in a row, each said not to be the last, are the end. */
const mostEmpty = 3;

const unread: ListWalk = {
  received: 0,
  tail: [],
  hasMore: true,
  pin: undefined,
  order: unseenOrder,
  isJoined: true,
  answers: 0,
  moved: false,
  stuck: false,
  isComplete: false,
};

/** Reads the first page of a list. @throws Failure as fetching does. */
export async function beginWalk(walked: Walked, limit: number): Promise<WalkStep> {
  const page = await walked.fetchPage(0, limit, undefined);
  if (page.entries.length === 0 && page.hasMore) return stepWalk(unread, walked, limit);
  const walk = await extended(unread, walked, { page, offset: 0, isJoined: true, moved: false }, limit);
  const pin = walk.hasMore ? pinOf(page, walked.params) : undefined;
  return { walk: { ...walk, pin }, entries: page.entries, offset: 0, fits: true, isLost: false };
}

/**
 * Reads on. One answer shows the service's list at one moment, so whatever follows a known job in it follows there without a gap; an
 * answer without any known job is not joined to ours, and we step back, twice as far each time, until one is. Unreadable items have
 * nothing but their text, which two of them can share, so they join nothing.
 * @throws Failure as fetching does.
 */
export async function stepWalk(before: ListWalk, walked: Walked, limit: number): Promise<WalkStep> {
  const asked = Math.max(2, limit);
  const { tail, received } = before;
  const lap = tail.length < asked ? tail : tail.slice(-1);
  const start = Math.max(0, received - lap.length);
  const tried = await tryPin(before, walked, start, asked);
  const known = { ...before, pin: tried === undefined && before.pin?.isProved !== true ? undefined : before.pin };
  const walk: ListWalk =
    tried === undefined || known.pin === undefined ? known : { ...known, pin: { ...known.pin, isProved: true } };
  const isKnown = (entry: ListEntry): boolean => entry.type === 'job' && walked.isKnown(entry);
  let ready = tried;
  let offset = start;
  let back = 1;
  let moved = false;
  let isJoined = true;
  let unlapped = false;
  let last: string | undefined;
  let repeats = 0;
  let empty = 0;
  for (let request = 0; request < mostRequests; request++) {
    const page: ListPage = ready ?? (await walked.fetchPage(offset, asked, walk.pin?.before));
    ready = undefined;
    const { entries } = page;
    if (entries.length === 0 && page.hasMore) {
      // A hole: what stands behind it is read, but not as the whole.
      if (++empty === mostEmpty) return ended(walk);
      isJoined = false;
      unlapped = true;
      offset += asked;
      continue;
    }
    const fits = offset === start && startsWith(entries, lap);
    const hasKnown = entries.some(isKnown);
    if (!hasKnown && !fits && !unlapped && offset > 0) {
      moved = true;
      offset = Math.max(0, offset - back);
      back *= 2;
      // What comes from an earlier place may well have come before.
      last = undefined;
      continue;
    }
    if (!hasKnown && received > 0) isJoined = false;
    moved ||= received > 0 && !unlapped && !fits;
    const repeated = last !== undefined && last === fingerprint(entries);
    const bringsNew = entries.some((entry, index) =>
      entry.type === 'job' ? !isKnown(entry) : !repeated && offset + index >= received,
    );
    if (bringsNew || !page.hasMore) {
      const next = await extended(walk, walked, { page, offset, isJoined, moved }, asked, bringsNew);
      return { walk: next, entries, offset, fits, isLost: false };
    }
    repeats = repeated ? repeats + 1 : 0;
    if (repeats === mostRepeats) return ended(walk);
    last = fingerprint(entries);
    // A service that sends one item at a time leaves no room for an overlap, and cannot be seen to have left nothing out.
    unlapped = entries.length === 1;
    offset += unlapped ? 1 : entries.length - 1;
  }
  return { ...ended({ ...walk, moved: true }), walk: { ...walk, moved: true }, isLost: true };
}

/** The entries of a step that are not known from their places: jobs are told by their ids, unreadable items by where they stand. */
export function beyond({ entries, offset }: WalkStep, received: number): readonly ListEntry[] {
  return entries.filter((entry, index) => entry.type === 'job' || offset + index >= received);
}

function ended(walk: ListWalk): WalkStep {
  const end = { ...walk, hasMore: false, stuck: true, isComplete: false };
  return { walk: end, entries: [], offset: walk.received, fits: true, isLost: false };
}

/** An answer that goes on from what is known. */
interface Joint {
  readonly page: ListPage;
  readonly offset: number;
  readonly isJoined: boolean;
  readonly moved: boolean;
}

/** What is known after an answer. At the end of a list, another request may have to show that it is the end. */
async function extended(
  walk: ListWalk,
  walked: Walked,
  { page, offset, isJoined, moved }: Joint,
  limit: number,
  bringsNew = true,
): Promise<ListWalk> {
  const { entries } = page;
  const { params, traits, fetchPage } = walked;
  const wasPromised = walk.answers > 0 && !bringsNew;
  const next = {
    ...walk,
    received: entries.length === 0 ? walk.received : offset + entries.length,
    tail: entries.length === 0 ? walk.tail : tailOf([...walk.tail, ...entries]),
    hasMore: page.hasMore,
    order: observeOrder(walk.order, entries),
    isJoined: walk.isJoined && isJoined,
    moved: walk.moved || moved,
    answers: walk.answers + (bringsNew ? 1 : 0),
  };
  if (next.hasMore) return next;
  // More was promised, and is not there: the list is cut off, or what came last has left.
  if (wasPromised || traits.nextIsUnreliable) return { ...next, stuck: wasPromised && !next.moved };
  const isCertain = next.isJoined && (next.answers === 1 || isFixedOrder(next.order, params));
  if (entries.length === 0 || traits.isShort(entries.length, page.limit ?? limit))
    return { ...next, isComplete: isCertain };
  const probe = await fetchPage(Math.max(0, next.received - 1), Math.max(2, limit), walk.pin?.before);
  const last = entries.at(-1);
  if (probe.entries.length <= 1 && !probe.hasMore && startsWith(probe.entries, last === undefined ? [] : [last])) {
    return { ...next, isComplete: isCertain };
  }
  // Where the newest come last, they may just have arrived.
  traits.nextIsUnreliable ||= isSame(probe.entries[0], last) && next.order.created !== 'oldest';
  return { ...next, hasMore: true };
}

/** The answer under a pin that was not tried before, when it fits; undefined when the pin is of no use, or is proved already. */
async function tryPin(
  { pin, tail }: ListWalk,
  { fetchPage }: Walked,
  start: number,
  limit: number,
): Promise<ListPage | undefined> {
  if (pin === undefined || pin.isProved || tail[0]?.type !== 'job') return undefined;
  try {
    const page = await fetchPage(start, limit, pin.before);
    return page.entries.length > tail.length && startsWith(page.entries, tail) ? page : undefined;
  } catch (error) {
    if (isFailure(error) && refusals.has(error.code)) return undefined;
    throw error;
  }
}

/** How a service says that it will not answer such a question. */
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

/** Whether a failure is the service's own answer to what was asked, and not the road to it. */
export function isRefusal(error: unknown): boolean {
  return isFailure(error) && refusals.has(error.code);
}

/**
 * The end of the second in which the newest job of a first page was created. Only for a list that runs from the newest on, where a
 * page under it can show whether `before_date` is about creation: if it were about completion, a job that completed later than
 * that would be missing, and nothing fit.
 */
function pinOf({ entries }: ListPage, { beforeDate, statuses = [] }: ListParams): Pin | undefined {
  const jobs = entries.filter((entry) => entry.type === 'job');
  const order = observeOrder(unseenOrder, entries);
  const newestMs = jobs[0]?.createdAtMs;
  if (beforeDate !== undefined || newestMs === undefined || order.hasUndated || order.created !== 'newest')
    return undefined;
  const pinMs = (Math.floor(newestMs / 1000) + 1) * 1000;
  const noneIsFinished = statuses.length > 0 && statuses.every((status) => isUnfinished({ status }));
  const isTelling =
    noneIsFinished || jobs.some(({ completedAtMs }) => completedAtMs !== undefined && completedAtMs > pinMs);
  return isTelling ? { before: new Date(pinMs).toISOString(), isProved: false } : undefined;
}

/** The end of a list from its last job on; all of it when it has none. */
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

/** Whether two entries can be the same item of the service's list. Unreadable items have nothing but their text. */
export function isSame(one: ListEntry | undefined, other: ListEntry | undefined): boolean {
  if (one?.type === 'job') return other?.type === 'job' && one.id === other.id && one.kind === other.kind;
  return one !== undefined && other?.type === 'unreadable' && one.raw === other.raw;
}

function fingerprint(entries: readonly ListEntry[]): string {
  return entries.map((entry) => (entry.type === 'job' ? entry.id : entry.raw)).join('\n');
}
