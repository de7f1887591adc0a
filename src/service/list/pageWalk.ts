import type { Job, ListEntry } from '../../domain/jobs/job.ts';
import type { ListParams } from '../../domain/jobs/listParams.ts';
import type { ListPage } from '../ports.ts';

/** How far a list has been read, as much as reading on needs. */
export interface Cursor {
  /** Place in the service's list after the last item received; unreadable items and jobs that have left since count. */
  readonly received: number;
  /** The last entry received; undefined at the very beginning. */
  readonly last: ListEntry | undefined;
  isKnown(job: Job): boolean;
}

/** Where reading on has led. */
export type WalkResult =
  /** A page that is joined to what is known, and brings something new or is the last one. */
  | { readonly type: 'page'; readonly page: ListPage; readonly offset: number; readonly moved: boolean }
  /** The service says that there is more but sends nothing new. */
  | { readonly type: 'stuck' }
  /** The list moves faster than we read. */
  | { readonly type: 'lost' };

/** Bounds one step: doubling back over a hundred thousand rows and forth again stays well below. */
const mostRequests = 24;

/** The same answer this often at different offsets: the service does not heed `offset`. Less often it may be arrivals that shift the list. */
const mostRepeats = 3;

/**
 * Reads on from a cursor. One answer shows the service's list at one moment, so whatever follows a known item in it follows there
 * without a gap; an answer without any known item is not joined to ours, and we step back, twice as far each time, until one is.
 * @param fetchPage asks for the page at an offset. Throws Failure, which passes through.
 */
export async function readOn(
  cursor: Cursor,
  limit: number,
  fetchPage: (offset: number, limit: number) => Promise<ListPage>,
): Promise<WalkResult> {
  let offset = Math.max(0, cursor.received - 1);
  let back = Math.max(1, limit - 1);
  let moved = false;
  let before: string | undefined;
  let repeats = 0;
  let unlapped = false;
  for (let request = 0; request < mostRequests; request++) {
    const page = await fetchPage(offset, Math.max(2, limit));
    const overlaps = isSame(cursor.last, page.entries[0]);
    if (!unlapped && offset > 0 && !overlaps && !page.entries.some((entry) => isKnownJob(cursor, entry))) {
      moved = true;
      offset = Math.max(0, offset - back);
      back *= 2;
      // What comes from an earlier place may well have come before.
      before = undefined;
      continue;
    }
    moved ||= !unlapped && cursor.received > 0 && !overlaps;
    const repeated = before !== undefined && before === fingerprint(page);
    if (bringsNew(cursor, page, overlaps, repeated) || !page.hasMore) return { type: 'page', page, offset, moved };
    repeats = repeated ? repeats + 1 : 0;
    if (page.entries.length === 0 || repeats === mostRepeats) return { type: 'stuck' };
    before = fingerprint(page);
    // A service that sends one item at a time leaves no room for an overlap.
    unlapped = page.entries.length === 1 && overlaps;
    offset += unlapped ? 1 : page.entries.length - 1;
  }
  return { type: 'lost' };
}

/** The parameters of a later page: the question, bounded by the pin unless the user has set an earlier end. */
export function pinnedParams(params: ListParams, pin: string | undefined): ListParams {
  return pin === undefined || params.beforeDate !== undefined ? params : { ...params, beforeDate: pin };
}

/**
 * The instant up to which a first page is complete, by the service's own clock, which counts whole seconds.
 * Undefined when the service does not tell its time.
 */
export function pinOf(page: ListPage): string | undefined {
  if (page.serviceDateMs === undefined) return undefined;
  return new Date(Math.floor(page.serviceDateMs / 1000) * 1000 + 1000).toISOString();
}

/** Whether two entries are the same item of the service's list. Unreadable items have nothing but their text. */
export function isSame(one: ListEntry | undefined, other: ListEntry | undefined): boolean {
  if (one?.type === 'job') return other?.type === 'job' && one.id === other.id && one.kind === other.kind;
  return one !== undefined && other?.type === 'unreadable' && one.raw === other.raw;
}

function isKnownJob(cursor: Cursor, entry: ListEntry): boolean {
  return entry.type === 'job' && cursor.isKnown(entry);
}

function bringsNew(cursor: Cursor, page: ListPage, overlaps: boolean, repeated: boolean): boolean {
  const rest = overlaps ? page.entries.slice(1) : page.entries;
  return rest.some((entry) => (entry.type === 'job' ? !cursor.isKnown(entry) : !repeated && overlaps));
}

function fingerprint(page: ListPage): string {
  return page.entries.map((entry) => (entry.type === 'job' ? entry.id : entry.raw)).join('\n');
}
