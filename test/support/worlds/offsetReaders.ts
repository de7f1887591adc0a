import { BrokenConnection, type World } from './world.ts';
import { isObject } from './worldJobs.ts';
import type { WorldQuery } from './worldQuery.ts';

/** The result of a simple reader. */
export interface OffsetReading {
  /** In the order read; a job that was read twice is listed twice. */
  readonly ids: readonly string[];
  readonly unreadable: number;
  /** The world's moments at the start and end of the reading. */
  readonly from: number;
  readonly to: number;
  /** Reason why the reading ended. */
  readonly ended: 'null' | 'empty' | 'refused' | 'bound';
}

/**
 * Reads a list as most scripts do: page by page until `next` is null, advancing the offset by the number of items received (`received`) or
 * requested (`limit`). It trusts every response; the tests of worlds use it to show that jobs really are lost where they must be.
 * @param maxRequests it gives up after this many requests.
 */
export async function readByOffset(
  world: World,
  query: WorldQuery = {},
  {
    limit = 20,
    advanceBy = 'received',
    maxRequests = 300,
  }: { readonly limit?: number; readonly advanceBy?: 'received' | 'limit'; readonly maxRequests?: number } = {},
): Promise<OffsetReading> {
  const from = world.moment;
  const ids: string[] = [];
  let unreadable = 0;
  let offset = 0;
  const end = (ended: OffsetReading['ended']): OffsetReading => ({ ids, unreadable, from, to: world.moment, ended });
  for (let requests = 0; requests < maxRequests; requests++) {
    const page = await getPage(world, query, offset, limit);
    if (page === undefined) return end('refused');
    const { items } = page;
    for (const item of items) {
      const id = idOf(item);
      if (id === undefined) unreadable += 1;
      else ids.push(id);
    }
    if (page.next === null) return end('null');
    if (items.length === 0) return end('empty');
    offset += advanceBy === 'limit' ? limit : items.length;
  }
  return end('bound');
}

/** Requests a page of a list; undefined if the response is something else. */
export async function getPage(
  world: World,
  query: WorldQuery,
  offset: number,
  limit: number,
): Promise<{ readonly items: readonly unknown[]; readonly next: unknown } | undefined> {
  try {
    const answer = await world.handle('GET', listPath(query, offset, limit), { 'x-service-key': 'key' });
    const page: unknown = answer.status === 200 ? JSON.parse(answer.body) : undefined;
    if (!isObject(page) || !Array.isArray(page['items'])) return undefined;
    return { items: page['items'], next: page['next'] };
  } catch (error) {
    if (error instanceof BrokenConnection || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the id of a readable item; undefined for others. */
export function idOf(item: unknown): string | undefined {
  return isObject(item) && typeof item['id'] === 'string' && item['id'] !== '' ? item['id'] : undefined;
}

/** Returns the path of a list request, with repeated array parameters and metadata as JSON. */
export function listPath(query: WorldQuery, offset: number, limit: number): string {
  const { kinds = ['pre-recorded'], statuses = [], before, after, on, metadata } = query;
  const [kind = 'pre-recorded'] = kinds;
  const params = new URLSearchParams({ offset: String(offset), limit: String(limit) });
  for (const status of statuses) params.append('status', status);
  if (before !== undefined) params.set('before_date', before);
  if (after !== undefined) params.set('after_date', after);
  if (on !== undefined) params.set('date', on);
  if (metadata !== undefined) params.set('custom_metadata', JSON.stringify(metadata));
  if (kinds.length === 1) return `/v2/${kind}?${params.toString()}`;
  for (const each of kinds) params.append('kind', each);
  return `/v2/transcription?${params.toString()}`;
}
