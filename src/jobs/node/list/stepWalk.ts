import { isFailure, type FailureCode } from '../../../base/failure.ts';
import { type ListEntry } from '../../common/job.ts';
import type { ListPage } from '../../common/decodePage.ts';
import {
  fetchAt,
  isRefusal,
  isSamePage,
  startsWith,
  unread,
  type ListWalk,
  type Segment,
  type WalkDeps,
} from './listWalk.ts';
import { extendWalk } from './extendWalk.ts';
import { findPin, tryPin } from './findPin.ts';
import { findSegment } from './findSegment.ts';

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

/** Reads the first page of a list. @throws Failure from `fetchPage`. */
export async function beginWalk(walked: WalkDeps, limit: number): Promise<WalkStep> {
  const page = await walked.fetchPage(0, limit, undefined);
  if (page.entries.length === 0 && page.hasMore) return stepWalk(unread, walked, limit);
  const walk = await extendWalk(
    unread,
    walked,
    { page, offset: 0, fits: true, isContiguous: true, moved: false, bringsNew: true },
    limit,
  );
  const pin = walk.hasMore && !walk.endIsClaimed ? findPin(page, walked) : undefined;
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
  const overlap = before.tail.length < requested ? before.tail : before.tail.slice(-1);
  const start = Math.max(0, before.received - overlap.length);
  const tried = await tryPin(before, walked, start, requested);
  let { pin } = before;
  if (tried !== undefined && pin !== undefined) pin = { ...pin, isProved: true };
  else if (pin?.isProved !== true) pin = undefined;
  return new PageSearch({ ...before, pin }, walked, requested, start, overlap).run(tried);
}

/** Requests pages until one continues the known entries or the list ends. */
class PageSearch {
  readonly #walked: WalkDeps;
  readonly #limit: number;
  readonly #start: number;
  readonly #overlap: readonly ListEntry[];
  #walk: ListWalk;
  #offset: number;
  /** How far to go back next. */
  #back = 1;
  #moved = false;
  #isContiguous = true;
  #withoutOverlap = false;
  #last: readonly ListEntry[] | undefined;
  #repeats = 0;
  #empty = 0;
  #cutOffs = 0;
  /** The previous page reported that there is a next one. */
  #isAnnounced = false;

  /** @param start offset of the overlap */
  constructor(walk: ListWalk, walked: WalkDeps, limit: number, start: number, overlap: readonly ListEntry[]) {
    this.#walk = walk;
    this.#walked = walked;
    this.#limit = limit;
    this.#start = start;
    this.#overlap = overlap;
    this.#offset = start;
    this.#last = walk.lastPage;
  }

  /** @param first the first page, if it has been received. @throws Failure */
  async run(first: ListPage | undefined): Promise<WalkStep> {
    let received: ListPage | undefined = first;
    for (let request = 0; request < maxRequests; request++) {
      const page = received ?? (await this.#fetch());
      received = undefined;
      if (page === undefined) return ended(this.#walk);
      const step = 'from' in page ? this.#continueBelow(page) : await this.#read(page);
      if (step !== undefined) return step;
    }
    return { ...ended({ ...this.#walk, moved: true }), walk: { ...this.#walk, moved: true }, isLost: true };
  }

  /** Returns undefined if an offset after an empty page is refused: the list exists, but its jobs cannot be read. */
  async #fetch(): Promise<ListPage | Segment | undefined> {
    try {
      return await fetchOrContinue(this.#walk, this.#walked, this.#offset, this.#limit);
    } catch (error) {
      if (this.#empty === 0 || !isRefusal(error)) throw error;
      return undefined;
    }
  }

  #continueBelow(segment: Segment): undefined {
    this.#walk = { ...this.#walk, segments: [...this.#walk.segments, segment] };
    this.#offset = this.#start;
    this.#last = undefined;
  }

  /** Returns the result if the page ends the search. */
  async #read(page: ListPage): Promise<WalkStep | undefined> {
    const { entries } = page;
    const { received } = this.#walk;
    if (entries.length === 0 && page.hasMore) return this.#skipEmpty();
    const offset = this.#offset;
    const fits = offset === this.#start && startsWith(entries, this.#overlap);
    const hasKnown = entries.some((entry) => this.#isKnown(entry));
    if (!hasKnown && !fits && !this.#withoutOverlap && offset > 0) return this.#goBack(entries);
    if (!hasKnown && received > 0) this.#isContiguous = false;
    this.#moved ||= received > 0 && !this.#withoutOverlap && !fits && this.#walked.continues?.(entries) !== true;
    const isRepeated = this.#last !== undefined && isSamePage(this.#last, entries);
    const bringsNew = entries.some((entry, index) =>
      entry.type === 'job' ? !this.#isKnown(entry) : !isRepeated && offset + index >= received,
    );
    if (!bringsNew && page.hasMore) return this.#goOn(entries, isRepeated);
    // In an unchanged list, a known job further down takes the place of an unknown one.
    const isRepeating = fits && entries.slice(this.#overlap.length).some((entry) => this.#isKnown(entry));
    const isContiguous = this.#isContiguous && !isRepeating;
    const joint = { page, offset, fits, isContiguous, moved: this.#moved, bringsNew };
    const walk = await extendWalk(this.#walk, this.#walked, joint, this.#limit);
    return { walk, entries, offset, fits, isLost: false };
  }

  #isKnown(entry: ListEntry): boolean {
    return entry.type === 'job' && this.#walked.isKnown(entry);
  }

  /** Continues after an empty page within the list, which is requested twice. The list cannot be reported complete. */
  #skipEmpty(): WalkStep | undefined {
    if (++this.#empty === maxEmpty) return ended(this.#walk);
    if (this.#empty === 1) return undefined;
    this.#isContiguous = false;
    this.#withoutOverlap = true;
    this.#offset += this.#limit;
    return undefined;
  }

  #goBack(entries: readonly ListEntry[]): WalkStep | undefined {
    if (entries.length === 0 && this.#isAnnounced && ++this.#cutOffs === maxCutOffs) return ended(this.#walk);
    this.#isAnnounced = false;
    this.#moved = true;
    this.#offset = Math.max(0, this.#offset - this.#back);
    this.#back *= 2;
    // A page from an earlier offset may be equal to a previous one without being a repetition.
    this.#last = undefined;
    return undefined;
  }

  #goOn(entries: readonly ListEntry[], isRepeated: boolean): WalkStep | undefined {
    this.#repeats = isRepeated ? this.#repeats + 1 : 0;
    if (this.#repeats === maxRepeats) return ended(this.#walk);
    this.#last = entries;
    // If the service sends one item at a time, pages cannot overlap, so missing items would not be noticed.
    this.#withoutOverlap = entries.length === 1;
    this.#offset += this.#withoutOverlap ? 1 : entries.length - 1;
    this.#isAnnounced = true;
    return undefined;
  }
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

/** Returns the entries of a step whose positions are not known yet. Always includes jobs, because they are compared by id. */
export function skipReceived({ entries, offset }: WalkStep, received: number): readonly ListEntry[] {
  return entries.filter((entry, index) => entry.type === 'job' || offset + index >= received);
}

function ended(walk: ListWalk): WalkStep {
  const end = { ...walk, hasMore: false, stuck: true, isComplete: false };
  return { walk: end, entries: [], offset: walk.received, fits: true, isLost: false };
}
