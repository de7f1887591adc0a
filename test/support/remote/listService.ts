import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpClient } from '../../../src/platform/http/httpClient.ts';
import { JobsApi } from '../../../src/jobs/node/api/jobsApi.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { connectionDefaults } from '../builders/workConnection.ts';
import { KeptLog } from '../keptLog.ts';
import { ListReader } from '../../../src/jobs/node/list/listReader.ts';

/** An item of a list; further fields are sent unchanged. */
export interface ListedItem {
  readonly id?: string | undefined;
  readonly created_at?: string;
  readonly completed_at?: string;
  readonly [field: string]: unknown;
}

/** Behaviour of a list, by its path such as `/v2/live`; all of it can change while the list is read. */
export interface ListRules {
  /** In list order. */
  items: readonly ListedItem[];
  /** Max number of items per page. */
  clamp?: number;
  /** Larger offsets are rejected. */
  maxOffset?: number;
  /** Items after this position are never listed, as if there were none. */
  cut?: number;
  /** The time that `after_date` and `before_date` compare. */
  dates?: 'created_at' | 'completed_at' | 'ignored';
  /** Called before each response, with its number; a returned status replaces the response. */
  onRequest?: (number: number, query: URLSearchParams) => number | undefined;
}

/** A service with lists of any number of items, a connection to it, and the requests that it received. */
export interface ListService {
  readonly lists: ListReader;
  readonly rules: Readonly<Record<'pre-recorded' | 'live', ListRules>>;
  /** Paths with their queries. */
  readonly requests: readonly string[];
  stop(): Promise<void>;
}

/** Starts a service on loopback. The caller stops it. */
export async function startListService(preRecorded: ListRules, live: ListRules = { items: [] }): Promise<ListService> {
  const rules = { 'pre-recorded': preRecorded, live };
  const requests: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    requests.push(url);
    const { pathname, searchParams } = new URL(url, 'http://list.example');
    const list = pathname.endsWith('/live') ? rules.live : rules['pre-recorded'];
    const status = list.onRequest?.(requests.length, searchParams) ?? 200;
    const offset = Number(searchParams.get('offset') ?? 0);
    const { body, isRefused } = pageOf(list, offset, searchParams);
    response.writeHead(status === 200 && isRefused ? 400 : status, { 'content-type': 'application/json' });
    response.end(status === 200 && !isRefused ? JSON.stringify(body) : '{"message":"no"}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo;
  const connection = { ...connectionDefaults, name: 'List', baseUrl: `http://127.0.0.1:${port}` };
  const client = new HttpClient(connection, () => Promise.resolve('key'), {
    clock: systemClock,
    log: new KeptLog(),
    random: () => 0,
  });
  const api = new JobsApi(connection, client);
  return {
    lists: new ListReader(() => Promise.resolve(api)),
    rules,
    requests,
    stop: async () => {
      client.dispose();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function pageOf(
  { items, clamp = Infinity, maxOffset = Infinity, cut, dates }: ListRules,
  offset: number,
  query: URLSearchParams,
) {
  const [after, before] = ['after_date', 'before_date'].map((name) => Date.parse(query.get(name) ?? ''));
  const field = dates ?? 'created_at';
  const isListed = (item: ListedItem): boolean => {
    if (field === 'ignored') return true;
    const at = Date.parse(item[field] ?? '');
    return !(at <= (after ?? NaN)) && !(at >= (before ?? NaN)) && !(Number.isNaN(at) && query.has('after_date'));
  };
  const isDated = query.has('after_date') || query.has('before_date');
  const listed = (isDated ? items.filter(isListed) : items).slice(0, cut);
  const page = listed.slice(offset, offset + Math.min(clamp, Number(query.get('limit') ?? 20)));
  const next = offset + page.length < listed.length ? 'http://list.example/next' : null;
  return { body: { first: '', current: '', next, items: page }, isRefused: offset > maxOffset };
}
