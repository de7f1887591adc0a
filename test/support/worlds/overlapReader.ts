import { getPage, idOf, type OffsetReading } from './offsetReaders.ts';
import type { World } from './world.ts';
import type { WorldQuery } from './worldQuery.ts';

/** The result of a reader that compares pages, and any sign of incompleteness. */
export interface OverlapReading extends Omit<OffsetReading, 'ended'> {
  readonly isComplete: boolean;
  /** The sign; undefined for a complete reading. */
  readonly because: string | undefined;
}

/**
 * Reads a list so that every page begins with the last readable item of the previous one, and gives up at the first
 * inconsistency. It never steps back, learns or retries. It shows that worlds which `readability` calls readable are
 * readable: if it calls a reading complete, nothing may be missing.
 */
export async function readByOverlap(
  world: World,
  query: WorldQuery,
  { limit = 20, maxRequests = 200 }: { readonly limit?: number; readonly maxRequests?: number } = {},
): Promise<OverlapReading> {
  const from = world.moment;
  const ids = new Set<string>();
  let unreadable = 0;
  let offset = 0;
  let last: string | undefined;
  const end = (because?: string): OverlapReading => {
    return { ids: [...ids], unreadable, from, to: world.moment, isComplete: because === undefined, because };
  };
  for (let requests = 0; requests < maxRequests; requests++) {
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
