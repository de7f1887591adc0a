import type { World } from './world.ts';
import { isObject } from './worldJobs.ts';
import type { WorldQuery } from './worldQuery.ts';

/** What a simple reader brought home. */
export interface OffsetReading {
  /** In the order read; a job that came twice stands twice. */
  readonly ids: readonly string[];
  readonly unreadable: number;
  /** The world's moments around the reading. */
  readonly from: number;
  readonly to: number;
  /** Why it ended. */
  readonly ended: 'null' | 'empty' | 'refused' | 'bound';
}

/**
 * Reads a list as most scripts do: a page, then the next by what arrived (`received`) or by what was asked for (`limit`), until
 * `next` is null. It trusts everything; the tests of worlds show with it that jobs are really lost where they must be.
 * @param mostRequests after so many it gives up.
 */
export async function readByOffset(
  world: World,
  query: WorldQuery = {},
  {
    limit = 20,
    advanceBy = 'received',
    mostRequests = 300,
  }: { readonly limit?: number; readonly advanceBy?: 'received' | 'limit'; readonly mostRequests?: number } = {},
): Promise<OffsetReading> {
  const from = world.moment;
  const ids: string[] = [];
  let unreadable = 0;
  let offset = 0;
  const end = (ended: OffsetReading['ended']): OffsetReading => ({ ids, unreadable, from, to: world.moment, ended });
  for (let requests = 0; requests < mostRequests; requests++) {
    const answer = await world.handle('GET', listPath(query, offset, limit), { 'x-service-key': 'key' });
    if (answer.status !== 200) return end('refused');
    const page: unknown = JSON.parse(answer.body);
    if (!isObject(page) || !Array.isArray(page['items'])) return end('refused');
    const items: readonly unknown[] = page['items'];
    for (const item of items) {
      if (isObject(item) && typeof item['id'] === 'string' && item['id'] !== '') ids.push(item['id']);
      else unreadable += 1;
    }
    if (page['next'] === null) return end('null');
    if (items.length === 0) return end('empty');
    offset += advanceBy === 'limit' ? limit : items.length;
  }
  return end('bound');
}

/** The path of a list request, arrays repeated and metadata as JSON. */
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
