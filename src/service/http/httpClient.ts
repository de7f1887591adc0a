import { Failure, isFailure } from '../../domain/failure.ts';
import {
  describeRefusal,
  isSuccess,
  readAnswer,
  readReply,
  describeReply,
  type Reply,
  type Success,
  describeRequest,
} from './reply.ts';
import { exchange, type HttpResponse, type HttpResponseHead, type ExchangeRequest } from './exchange.ts';
import { postVerdict } from '../../domain/submission/postVerdict.ts';
import { writeKeyHeader } from './apiKey.ts';
import { KeyMask } from './keyMask.ts';
import { planRetry } from './retry.ts';
import { resolveRedirect } from './redirect.ts';
import type { Connection, KeySource, Log, SubmitOutcome } from '../ports.ts';
import { DisposableOwner } from '../disposable.ts';
import { type Clock, delay } from '../clock.ts';

/** What the client needs besides a connection and its key. */
export interface HttpClientDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** 0 to 1, for the jitter of the back-off. */
  readonly random: () => number;
  /** How long a call may take, tries and waits included; asked at each call. */
  readonly requestTimeoutMs: () => number;
}

/** What became of a POST: as {@link SubmitOutcome}, but with the accepting answer unread. */
export type PostOutcome =
  | { readonly type: 'accepted'; readonly status: number; readonly text: string; readonly keyMask: KeyMask }
  | Exclude<SubmitOutcome, { readonly type: 'accepted' }>;

/**
 * Talks to one connection's service. GET is retried while that makes sense, POST is sent at most once; the key goes to
 * the connection's origin only and into no failure and no log line. Every request is one line in the log.
 * Disposal breaks off what is under way; later calls are cancelled at once.
 */
export class HttpClient extends DisposableOwner {
  readonly #connection: Connection;
  readonly #keys: KeySource;
  readonly #deps: HttpClientDeps;
  #masked: { readonly key: string; readonly keyMask: KeyMask } | undefined;
  readonly #disposed = new AbortController();
  /** A caller's signal joined with our own: made once for all pages that it asks for. */
  readonly #joined = new WeakMap<AbortSignal, AbortSignal>();

  constructor(connection: Connection, keys: KeySource, deps: HttpClientDeps) {
    super();
    this.#connection = connection;
    this.#keys = keys;
    this.#deps = deps;
    this.own({ dispose: () => this.#disposed.abort() });
  }

  /**
   * Reads a resource of the service.
   * @param path below the base URL, with a leading slash; `query` without the question mark.
   * @param read makes sense of a 2xx answer; may throw a Failure.
   * @throws Failure of any code.
   */
  async get<T>(
    path: string,
    query: string,
    read: (success: Success) => T | Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const ended = this.#ended(signal);
    const key = await this.#key(ended);
    const { clock, log, requestTimeoutMs, random } = this.#deps;
    const deadlineMs = clock.now() + requestTimeoutMs();
    let slowDown = false;
    for (let sent = 1; ; sent++) {
      try {
        const answer = await this.#getOnce(this.#url(path, query), key, deadlineMs, ended);
        return await readAnswer(answer, this.#mask(key), (success) => read({ ...success, slowDown }));
      } catch (error) {
        if (!isFailure(error)) throw error;
        const failure = this.#mask(key).applyToFailure(error);
        const delayMs = planRetry({ failure, sent, nowMs: clock.now(), deadlineMs, random: random() });
        // To the line of the request its answer was a good one.
        if (isUnreadable(failure)) log.warn(`GET ${path} → ${failure.message}`);
        if (delayMs === undefined) throw failure;
        slowDown ||= failure.code === 'rateLimited';
        await delay(clock, delayMs, ended);
      }
    }
  }

  /** Sends a JSON body, at most once and to no other place. Never throws. */
  async post(path: string, body: string, signal?: AbortSignal): Promise<PostOutcome> {
    const ended = this.#ended(signal);
    let key: string;
    let request: ExchangeRequest;
    try {
      key = await this.#key(ended);
      const timeoutMs = this.#deps.requestTimeoutMs();
      request = { ...this.#request('POST', this.#url(path, ''), key, timeoutMs, ended), body };
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { type: 'notSent', failure: error };
    }
    const reply = await this.#send(request, key);
    switch (reply.type) {
      case 'success':
        return { type: 'accepted', status: reply.answer.status, text: reply.answer.text, keyMask: this.#mask(key) };
      case 'refusal':
        return { type: refusalVerdict(reply.answer.status), failure: reply.failure };
      case 'broken':
        // The status came whole: that the rest of the answer got lost on the way does not unsay it.
        if (reply.head !== undefined) return this.#bodiless(reply.head, key);
        return { type: reply.mayHaveLeft ? 'unknown' : 'notSent', failure: reply.failure };
    }
  }

  #bodiless(head: HttpResponseHead, key: string): PostOutcome {
    if (isSuccess(head.status)) return { type: 'accepted', status: head.status, text: '', keyMask: this.#mask(key) };
    const failure = describeRefusal({ ...head, text: '', isCut: false }, this.#mask(key), this.#deps.clock.now());
    return { type: refusalVerdict(head.status), failure };
  }

  /** One try of a GET, redirects within the origin included. */
  async #getOnce(start: URL, key: string, deadlineMs: number, signal: AbortSignal): Promise<HttpResponse> {
    const visited = new Set<string>();
    for (let url = start; ;) {
      visited.add(url.href);
      const timeoutMs = Math.max(deadlineMs - this.#deps.clock.now(), 1);
      const reply = await this.#send(this.#request('GET', url, key, timeoutMs, signal), key);
      if (reply.type === 'success') return reply.answer;
      const target = reply.type === 'refusal' ? resolveRedirect(reply.answer, url, visited) : undefined;
      if (target === undefined) throw reply.failure;
      url = target;
    }
  }

  #request(method: 'GET' | 'POST', url: URL, key: string, timeoutMs: number, signal: AbortSignal): ExchangeRequest {
    const headers = {
      ...writeKeyHeader(this.#connection, url, key),
      'user-agent': 'transcription-jobs',
      ...(method === 'POST' && { 'content-type': 'application/json' }),
    };
    return { method, url, headers, timeoutMs, signal };
  }

  /** Sends a request, writes its line in the log, and tells the reply without the key. */
  async #send(request: ExchangeRequest, key: string): Promise<Reply> {
    const { clock, log } = this.#deps;
    const startMs = clock.now();
    const keyMask = this.#mask(key);
    const reply = readReply(await exchange(request), keyMask, clock.now());
    const ms = Math.round(clock.now() - startMs);
    const line = keyMask.apply(`${describeRequest(request.method, request.url)} → ${describeReply(reply)}, ${ms} ms`);
    if (reply.type === 'success') log.info(line);
    else log.warn(line);
    return reply;
  }

  /** One for all requests with the same key: it costs more to make than to use. */
  #mask(key: string): KeyMask {
    if (this.#masked?.key !== key) this.#masked = { key, keyMask: new KeyMask(key) };
    return this.#masked.keyMask;
  }

  async #key(signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw new Failure('cancelled');
    let key: string | undefined;
    try {
      key = await this.#keys(this.#connection);
    } catch {
      throw new Failure('noKey', { cause: 'the key store does not answer' });
    }
    if (key === undefined || key === '') throw new Failure('noKey');
    return key;
  }

  #url(path: string, query: string): URL {
    const url = `${this.#connection.baseUrl}${path}${query === '' ? '' : `?${query}`}`;
    if (!URL.canParse(url)) throw new Failure('noConnection', { cause: 'the base URL is no URL' });
    return new URL(url);
  }

  #ended(signal: AbortSignal | undefined): AbortSignal {
    if (signal === undefined) return this.#disposed.signal;
    const joined = this.#joined.get(signal) ?? AbortSignal.any([signal, this.#disposed.signal]);
    this.#joined.set(signal, joined);
    return joined;
  }
}

/** What an answer other than 2xx makes of a POST. */
function refusalVerdict(status: number): 'rejected' | 'unknown' {
  return postVerdict(status) === 'rejected' ? 'rejected' : 'unknown';
}

/** Whether the failure is about what stands in a 2xx answer. */
function isUnreadable({ code, facts }: Failure): boolean {
  return code === 'unexpectedShape' || (code === 'notJson' && facts.status !== undefined && isSuccess(facts.status));
}
