import { getPage, idOf, type OffsetReading } from './offsetReaders.ts';
import type { World } from './world.ts';
import type { WorldQuery } from './worldQuery.ts';

/** What a reader brought home that compares pages, with whether it saw anything that forbids to call it complete. */
export interface OverlapReading extends Omit<OffsetReading, 'ended'> {
  readonly isComplete: boolean;
  /** What was seen; undefined for a complete reading. */
  readonly because: string | undefined;
}

/**
 * Reads a list so that every page begins with the last readable item of the one before, and gives up at the first sign that
 * something is not as it should be. It is not a good reader (it never steps back, learns nothing, never tries again); it shows
 * that what `readability` calls readable is: where it calls a reading complete, nothing may be missing.
 */
export async function readByOverlap(
  world: World,
  query: WorldQuery,
  { limit = 20, mostRequests = 200 }: { readonly limit?: number; readonly mostRequests?: number } = {},
): Promise<OverlapReading> {
  const from = world.moment;
  const ids = new Set<string>();
  let unreadable = 0;
  let offset = 0;
  let last: string | undefined;
  const end = (because?: string): OverlapReading => {
    return { ids: [...ids], unreadable, from, to: world.moment, isComplete: because === undefined, because };
  };
  for (let requests = 0; requests < mostRequests; requests++) {
    const page = await getPage(world, query, offset, limit);
    if (page === undefined) return end('no page');
    const { items, next } = page;
    if (last !== undefined && idOf(items[0]) !== last) return end('the list moved');
    const fresh = last === undefined ? items : items.slice(1);
    for (const item of fresh) {
      const id = idOf(item);
      if (id === undefined) unreadable += 1;
      else ids.add(id);
    }
    if (next === null) return fresh.length === 0 && last !== undefined ? end('a page was promised') : end();
    if (typeof next !== 'string' || next === '') return end('next is odd');
    const lastReadable = items.findLastIndex((item) => idOf(item) !== undefined);
    const advanced = lastReadable - (last === undefined ? -1 : 0);
    if (advanced <= 0) return end('no progress');
    // Items after the last readable one are read again.
    unreadable -= items.length - 1 - lastReadable;
    last = idOf(items[lastReadable]);
    offset += lastReadable;
  }
  return end('too many requests');
}
