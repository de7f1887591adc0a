import { Failure, isFailure } from '../../base/failure.ts';
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
import { postVerdict, type PostAnswer, type UnacceptedPost } from '../../base/postOutcome.ts';
import { writeKeyHeader, type HttpEndpoint } from './apiKey.ts';
import { ownText } from '../../base/json/jsonText.ts';
import { beginningCharacters, type KeyMask } from './keyMask.ts';
import { SentKeys } from './sentKeys.ts';
import { planRetry, SharedRetries, type Outage } from './retry.ts';
import { resolveRedirect } from './redirect.ts';
import type { Log } from '../../base/log.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { type Clock, delay } from '../../base/clock.ts';

/** Dependencies of {@link HttpClient}. */
export interface HttpClientDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Returns a number from 0 to 1, for the jitter of the back-off. */
  readonly random: () => number;
  /** The keys that responses may repeat, besides those that this client sends. */
  readonly sentKeys?: SentKeys;
  /** Called for each GET and POST; returns its observer, or undefined for none. */
  readonly observe?: () => RequestObserver | undefined;
}

/** Hears what happens to a GET or POST. */
export interface RequestObserver {
  /** Called for each attempt. */
  sent(): void;
  /** Called when an attempt failed and another one follows. */
  retrying(failure: Failure): void;
  /** Called last, without a failure after a response that could be read. */
  ended(failure: Failure | undefined): void;
}

/** Outcome of a POST; the accepting response is not decoded yet. */
export type PostOutcome = (
  | { readonly type: 'accepted'; readonly status: number; readonly text: string; readonly keyMask: KeyMask }
  | UnacceptedPost
) & {
  /** Missing without a complete answer. */
  readonly answer?: PostAnswer;
};

/**
 * Sends requests to one connection's service. GET is retried for transient failures ({@link SharedRetries}), POST is sent at
 * most once. The key is sent to the connection's origin only and never appears in failures or log lines. Each request logs one line.
 * Disposal aborts pending requests; later calls fail as cancelled at once.
 */
export class HttpClient<E extends HttpEndpoint = HttpEndpoint> extends DisposableOwner {
  readonly #connection: HttpEndpoint;
  readonly #readKey: () => Promise<string | undefined>;
  readonly #deps: HttpClientDeps;
  readonly #sentKeys: SentKeys;
  readonly #disposed = new AbortController();
  readonly #sharedRetries: SharedRetries;
  /** A caller's signal combined with our own; cached for all pages that the caller requests. */
  readonly #joined = new WeakMap<AbortSignal, AbortSignal>();

  /** @param keys the only source of keys: called for each request */
  constructor(connection: E, keys: (connection: E) => Promise<string | undefined>, deps: HttpClientDeps) {
    super();
    this.#connection = connection;
    this.#readKey = () => keys(connection);
    this.#deps = deps;
    this.#sentKeys = deps.sentKeys ?? new SentKeys();
    this.#sharedRetries = new SharedRetries(deps.clock);
    this.own({ dispose: () => this.#disposed.abort() });
  }

  /**
   * Reads a resource of the service.
   * @param path below the base URL, with a leading slash; `query` without the question mark.
   * @param read decodes a 2xx response; may throw a Failure.
   * @throws Failure of any code.
   */
  async get<T>(
    path: string,
    query: string,
    read: (success: Success) => T | Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const observer = this.#deps.observe?.();
    try {
      const value = await this.#getRetrying(path, query, read, this.#ended(signal), observer);
      observer?.ended(undefined);
      return value;
    } catch (error) {
      observer?.ended(isFailure(error) ? error : new Failure('cancelled'));
      throw error;
    }
  }

  async #getRetrying<T>(
    path: string,
    query: string,
    read: (success: Success) => T | Promise<T>,
    ended: AbortSignal,
    observer: RequestObserver | undefined,
  ): Promise<T> {
    let key = await this.#key(ended);
    const { clock, log, random } = this.#deps;
    const deadlineMs = clock.now() + this.#timeoutMs;
    let slowDown = false;
    let retried: Outage | undefined;
    try {
      for (let sent = 1; ; sent++) {
        try {
          observer?.sent();
          const answer = await this.#getOnce(this.#url(path, query), key, deadlineMs, ended);
          const value = await readAnswer(answer, this.#sentKeys.add(key), (success) => read({ ...success, slowDown }));
          this.#sharedRetries.noteAnswer(path);
          return value;
        } catch (error) {
          if (!isFailure(error)) throw error;
          const failure = this.#sentKeys.add(key).applyToFailure(error);
          const leftMs = this.#leftMs(deadlineMs);
          const delayMs = planRetry({ failure, sent, nowMs: clock.now(), leftMs, random: random() });
          // The request itself has been logged as successful.
          if (isUnreadable(failure)) log.warn(`GET ${path} → ${failure.message}`);
          if (delayMs === undefined) throw failure;
          observer?.retrying(failure);
          const isLimited = failure.code === 'rateLimited';
          slowDown ||= isLimited;
          // A limit refuses some of the requests, and says nothing about the others.
          if (isLimited && retried === undefined) await delay(clock, delayMs, ended);
          else {
            const turn = await this.#sharedRetries.wait(path, delayMs, ended, retried);
            if (turn.type === 'failed') throw failure;
            retried = turn.type === 'retry' ? turn.outage : undefined;
          }
          // Others may have waited longer, or the computer slept.
          if (this.#leftMs(deadlineMs) <= 0) throw failure;
          key = await this.#key(ended);
        }
      }
    } catch (error) {
      if (retried !== undefined) this.#sharedRetries.end(path, retried, error);
      throw error;
    }
  }

  /** Sends a JSON body at most once, without following redirects. Never throws. */
  async post(path: string, body: string, signal?: AbortSignal): Promise<PostOutcome> {
    const observer = this.#deps.observe?.();
    const outcome = await this.#postOnce(path, body, signal, observer);
    observer?.ended(outcome.type === 'accepted' ? undefined : outcome.failure);
    return outcome;
  }

  async #postOnce(
    path: string,
    body: string,
    signal: AbortSignal | undefined,
    observer: RequestObserver | undefined,
  ): Promise<PostOutcome> {
    const ended = this.#ended(signal);
    let key: string;
    let request: ExchangeRequest;
    try {
      key = await this.#key(ended);
      request = { ...this.#request('POST', this.#url(path, ''), key, this.#timeoutMs, ended), body };
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { type: 'notSent', failure: error };
    }
    observer?.sent();
    const reply = await this.#send(request, key);
    switch (reply.type) {
      case 'success':
        return {
          type: 'accepted',
          status: reply.answer.status,
          text: reply.answer.text,
          keyMask: this.#sentKeys.add(key),
          answer: this.#answer(reply.answer, key),
        };
      case 'refusal':
        return {
          type: refusalVerdict(reply.answer.status),
          failure: reply.failure,
          answer: this.#answer(reply.answer, key),
        };
      case 'broken':
        // The status arrived completely, so an incomplete body does not change the outcome.
        if (reply.head !== undefined) return this.#bodiless(reply.head, key);
        return { type: reply.mayHaveLeft ? 'unknown' : 'notSent', failure: reply.failure };
    }
  }

  #answer({ status, text, isCut }: HttpResponse, key: string): PostAnswer {
    const isPart = isCut || text.length > beginningCharacters;
    const beginning = `${this.#sentKeys.add(key).applyToBeginning(text, isCut)}${isPart ? '…' : ''}`;
    // Users may look at it much later.
    return { status, text: ownText(beginning) };
  }

  get #timeoutMs(): number {
    return this.#connection.timeoutSeconds * 1000;
  }

  /** Returns the time until a deadline, at most the timeout, because the clock may have been set back. */
  #leftMs(deadlineMs: number): number {
    return Math.min(deadlineMs - this.#deps.clock.now(), this.#timeoutMs);
  }

  #bodiless(head: HttpResponseHead, key: string): PostOutcome {
    if (isSuccess(head.status))
      return { type: 'accepted', status: head.status, text: '', keyMask: this.#sentKeys.add(key) };
    const failure = describeRefusal(
      { ...head, text: '', isCut: false },
      this.#sentKeys.add(key),
      this.#deps.clock.now(),
    );
    return { type: refusalVerdict(head.status), failure };
  }

  /** Makes one attempt of a GET, including redirects within the origin. */
  async #getOnce(start: URL, key: string, deadlineMs: number, signal: AbortSignal): Promise<HttpResponse> {
    const visited = new Set<string>();
    for (let url = start; ;) {
      visited.add(url.href);
      const timeoutMs = Math.max(this.#leftMs(deadlineMs), 1);
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

  /** Sends a request, logs it, and returns the reply without the key. */
  async #send(request: ExchangeRequest, key: string): Promise<Reply> {
    const { clock, log } = this.#deps;
    const startMs = clock.now();
    const keyMask = this.#sentKeys.add(key);
    const reply = readReply(await exchange(request), keyMask, clock.now());
    const ms = Math.round(clock.now() - startMs);
    const description = describeRequest(request.method, request.url, keyMask);
    const line = `${description} → ${describeReply(reply, keyMask)}, ${ms} ms`;
    if (reply.type === 'success') log.info(line);
    else log.warn(line);
    return reply;
  }

  async #key(signal: AbortSignal): Promise<string> {
    if (signal.aborted) throw new Failure('cancelled');
    let key: string | undefined;
    try {
      key = await this.#readKey();
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

/** Returns the POST outcome for a status other than 2xx. */
function refusalVerdict(status: number): 'rejected' | 'unknown' {
  return postVerdict(status) === 'rejected' ? 'rejected' : 'unknown';
}

/** True if the failure is about the body of a 2xx response. */
function isUnreadable({ code, facts }: Failure): boolean {
  return code === 'unexpectedShape' || (code === 'notJson' && facts.status !== undefined && isSuccess(facts.status));
}
