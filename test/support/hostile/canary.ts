import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, stop } from '../faults/faultServer.ts';
import { holdsMarkedKey, keyForms, markedKey } from './keyForms.ts';

/** A response of the canary; header names as they are sent. */
export interface CanaryAnswer {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The number of jobs in each list. */
const jobCount = 60;
const statuses = ['done', 'queued', 'processing', 'error'] as const;
/** Failures that repeat the key. Every n-th list request gets one; the numbers are primes, so that repeated requests meet all of them. */
const failures = {
  refused: {
    every: 7,
    answer: (key: string) => say(422, { message: `${key} is wrong`, request_id: key, errors: { [key]: [key] } }),
  },
  redirected: {
    every: 11,
    answer: (key: string) => ({
      ...say(302, {}),
      headers: { location: `https://${key.toLowerCase()}.example/${key}?key=${key}` },
    }),
  },
  limited: {
    every: 13,
    answer: (key: string) => ({
      ...say(429, { message: key }),
      headers: { 'retry-after': '0', 'x-request-id': key },
    }),
  },
  unavailable: {
    every: 17,
    answer: (key: string) => ({
      ...say(502, {}),
      headers: { 'content-type': 'text/html' },
      body: `<title>x-service-key: ${key}</title>`,
    }),
  },
  broken: {
    every: 19,
    answer: (key: string) => ({
      ...say(500, { detail: JSON.stringify({ headers: { 'x-service-key': key } }) }),
      reason: key,
    }),
  },
} as const;

type CanaryFailure = keyof typeof failures;

export const canaryFailures: readonly CanaryFailure[] = ['refused', 'redirected', 'limited', 'unavailable', 'broken'];

/**
 * A working service that repeats the received key wherever it can: in names, values, headers, redirects, hosts, page URLs and ids, in each
 * of {@link keyForms} in turn. Everything that `keyFormsIn` later finds in logs, state or files comes from here.
 */
export class CanaryService {
  /** Response to list requests instead of a page: always this failure, or never any. By default each in turn. */
  failure: CanaryFailure | 'none' | 'inTurn' = 'inTurn';
  /** Time of the newest job, in milliseconds since the epoch. */
  newestAtMs = Date.UTC(2026, 2, 14);
  /** Path and query of all list requests. */
  readonly lists: string[] = [];
  /** The host of each request with everything in it that contains a marked key: URL, headers, body. Each combination once. */
  readonly sentKeys = new Set<string>();
  #posts = 0;
  readonly #created: string[] = [];
  readonly #received = new Set<string>();

  /** Answers a request; header names are in lower case. */
  handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    body: string,
  ): CanaryAnswer {
    const sent = headers['x-service-key'];
    const key = typeof sent === 'string' && sent !== '' ? sent : markedKey;
    this.#received.add(key);
    const { host, ...others } = headers;
    const parts = [path, ...Object.entries(others).map(([name, value]) => `${name}: ${String(value)}`), body];
    this.sentKeys.add([host, ...parts.filter(holdsMarkedKey)].join(' '));
    return method === 'POST' ? this.#submit(key, body) : this.#list(key, path);
  }

  #list(key: string, path: string): CanaryAnswer {
    this.lists.push(path);
    const failure =
      this.failure === 'inTurn'
        ? canaryFailures.find((each) => this.lists.length % failures[each].every === 0)
        : this.failure;
    if (failure !== undefined && failure !== 'none') return failures[failure].answer(key);
    const { pathname, searchParams } = new URL(path, 'http://canary.example');
    const asked = searchParams.getAll('status').flatMap((value) => value.split(','));
    const offset = Number(searchParams.get('offset') ?? 0);
    const limit = Number(searchParams.get('limit') ?? 20);
    const kind = pathname.endsWith('live') ? 'live' : 'pre-recorded';
    const all = Array.from({ length: jobCount + this.#created.length }, (_, index) => this.#item(key, kind, index));
    const matching = all.filter(({ status }) => asked.length === 0 || asked.includes(String(status)));
    const items = matching.slice(offset, offset + limit);
    const url = `https://${key.toLowerCase()}.example/v2/transcription?key=${key}&offset=${offset + limit}`;
    const isLast = offset + limit >= matching.length;
    return say(200, { first: url, current: url, next: isLast ? null : url, items, [key]: key }, key);
  }

  #item(key: string, kind: string, index: number): Readonly<Record<string, unknown>> {
    const written = (step: number): string => keyForms[(index + step) % keyForms.length]?.write(key) ?? key;
    const isError = statuses[index % statuses.length] === 'error';
    const id = `${index % 3 === 0 ? `${key}-` : ''}${index}`;
    return {
      id: this.#created[index - jobCount] ?? id,
      request_id: written(1),
      version: 1,
      status: statuses[index % statuses.length],
      created_at: new Date(this.newestAtMs - index * 60_000).toISOString(),
      completed_at: index % 5 === 0 ? written(2) : null,
      kind,
      custom_metadata: {
        name: written(3),
        [written(4)]: written(5),
        address: `https://user:${key}@${key.toLowerCase()}.example/`,
        former: [...this.#received].join(' '),
      },
      file: { filename: `${key}.wav`, source: `https://${key.toLowerCase()}.example/${key}.wav` },
      result: {
        transcription: { utterances: [{ text: written(9), start: 0, end: 1, speaker: 0, language: key }] },
        summarization: { success: false, error: { message: written(10) } },
      },
      post_session_metadata: { [key]: [{ [key]: key }] },
      error_code: isError ? key : null,
      [written(6)]: written(7),
      ...(kind === 'live' && {
        request_params: { model: written(8), callback_config: { url: `https://hook.example/${key}` } },
      }),
    };
  }

  #submit(key: string, body: string): CanaryAnswer {
    this.#posts += 1;
    if (this.#posts % 2 === 0)
      return say(422, { message: body.slice(0, 200), validation_errors: [key, { loc: [key], msg: key }] }, key);
    if (this.#posts % 5 === 0) return say(503, { message: key, request_id: key }, key);
    const id = `${key}-new-${this.#posts}`;
    this.#created.push(id);
    return say(201, { id, result_url: `https://${key.toLowerCase()}.example/${key}`, [key]: key }, key);
  }
}

/** Starts the canary on a random loopback port. The caller stops it. */
export async function startCanaryServer(): Promise<{
  readonly origin: string;
  readonly canary: CanaryService;
  stop(): Promise<void>;
}> {
  const canary = new CanaryService();
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    const answer = async (): Promise<void> => {
      const { status, reason, headers: named, body } = canary.handle(method, url, headers, await text(request));
      response.writeHead(status, reason, named).end(body);
    };
    void answer().catch(() => response.destroy());
  });
  const origin = `http://127.0.0.1:${await listen(server)}`;
  return { origin, canary, stop: async () => stop(server) };
}

function say(status: number, body: unknown, key?: string): CanaryAnswer {
  const named =
    key === undefined
      ? {}
      : { 'x-request-id': key, 'set-cookie': `key=${key}`, [key]: key, link: `<https://a.example/${key}>` };
  return {
    status,
    reason: 'Canary',
    headers: { 'content-type': 'application/json', ...named },
    body: JSON.stringify(body),
  };
}
