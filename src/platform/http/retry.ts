import { BoundedMap } from '../../base/boundedMap.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { Failure, isFailure, mayPass } from '../../base/failure.ts';
import { dayMs, minuteMs } from '../../base/time.ts';

const maxAttempts = 3;
const firstBackOffMs = 500;
const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** State of a GET that failed. */
export interface Attempt {
  readonly failure: Failure;
  /** Number of requests sent, including this one. */
  readonly sent: number;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  /** Milliseconds until the deadline of the whole call. */
  readonly leftMs: number;
  /** 0 to 1; spreads out clients that failed together. */
  readonly random: number;
}

/**
 * Returns the milliseconds until the next attempt of a GET; undefined for no retry: the failure is not transient, the
 * attempts are used up, or the service requests a delay (`retryAtMs`) beyond the deadline.
 */
export function planRetry(attempt: Attempt): number | undefined {
  const { failure, sent, nowMs, leftMs, random } = attempt;
  const { status, retryAtMs = 0, connecting = false } = failure.facts;
  const passing = failure.code === 'offline' || connecting || (status !== undefined && retriedStatuses.has(status));
  if (!passing || sent >= maxAttempts) return undefined;
  const backOffMs = firstBackOffMs * 2 ** (sent - 1) * (0.5 + random / 2);
  const delayMs = Math.max(backOffMs, retryAtMs - nowMs);
  return delayMs < leftMs ? delayMs : undefined;
}

/** Maximum time for which a failure of one call keeps others from being retried. */
const outageMs = 5 * minuteMs;
/** Each job has a path of its own. */
const maxFailedPaths = 100;

/** A path that fails, as long as calls wait to be sent again. */
export interface Outage {
  /** Sends the waiting calls again, or lets them fail. The first one is retried for all. */
  readonly waiting: ((turn: RetryTurn) => void)[];
  /** The wait before the next retry; undefined when it is over. */
  timer: Disposable | undefined;
  /** Length of this wait; 0 without one. */
  waitMs: number;
  /** One of the calls is being retried. */
  isRetrying: boolean;
}

/** What becomes of a waiting call: retried for all, sent again because the service has answered, or failed like the others. */
export type RetryTurn = { readonly type: 'retry'; readonly outage: Outage } | { readonly type: 'answered' | 'failed' };

/**
 * Lets the GETs of a path that fail at the same time share one wait, after which one of them is retried. If it is cancelled,
 * the next one takes its place. If it fails, all do, and later ones are sent only once, until one is answered: their
 * callers' next attempts are the retries.
 */
export class SharedRetries {
  readonly #clock: Clock;
  readonly #outages = new Map<string, Outage>();
  /** Paths whose retries failed: time of the last failure. */
  readonly #failedMs = new BoundedMap<string, number>(maxFailedPaths);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Waits until a call that failed is sent again, or fails.
   * @param delayMs planned for this call. The calls of a path wait for the longest.
   * @param retried the outage for which the call was sent; undefined if it was not a retry
   * @throws Failure `cancelled`
   */
  async wait(path: string, delayMs: number, signal: AbortSignal, retried: Outage | undefined): Promise<RetryTurn> {
    if (signal.aborted) throw new Failure('cancelled');
    let outage = this.#outages.get(path);
    if (outage === undefined) {
      // The clock may have been set back.
      const sinceMs = Math.abs(this.#clock.now() - (this.#failedMs.get(path) ?? Infinity));
      if (sinceMs < outageMs) return { type: 'failed' };
      outage = { waiting: [], timer: undefined, waitMs: 0, isRetrying: false };
      this.#outages.set(path, outage);
    }
    const { waiting } = outage;
    if (outage === retried) outage.isRetrying = false;
    const turn = new Promise<RetryTurn>((resolve, reject) => {
      const go = (next: RetryTurn): void => {
        signal.removeEventListener('abort', cancel);
        resolve(next);
      };
      const cancel = (): void => {
        waiting.splice(waiting.indexOf(go), 1);
        this.#closeIfUnused(path, outage);
        reject(new Failure('cancelled'));
      };
      signal.addEventListener('abort', cancel, { once: true });
      if (outage === retried) waiting.unshift(go);
      else waiting.push(go);
    });
    if (delayMs > outage.waitMs) this.#restartWait(outage, delayMs);
    return turn;
  }

  /** Ends the retry of a call that was not answered. */
  end(path: string, outage: Outage, error: unknown): void {
    // Another GET of the path was answered meanwhile.
    if (this.#outages.get(path) !== outage) return;
    if (isFailure(error, 'cancelled')) {
      outage.isRetrying = false;
      this.#closeIfUnused(path, outage);
      this.#retryNext(outage);
    } else if (isFailure(error) && mayPass(error)) {
      this.#failedMs.set(path, this.#clock.now());
      this.#close(path, 'failed');
    } else this.#close(path, 'answered');
  }

  /** Ends the outage of a path, because the service has answered. */
  noteAnswer(path: string): void {
    this.#failedMs.delete(path);
    this.#close(path, 'answered');
  }

  #restartWait(outage: Outage, delayMs: number): void {
    outage.timer?.dispose();
    outage.waitMs = delayMs;
    outage.timer = this.#clock.after(delayMs, () => {
      outage.timer = undefined;
      outage.waitMs = 0;
      this.#retryNext(outage);
    });
  }

  #retryNext(outage: Outage): void {
    if (outage.isRetrying || outage.timer !== undefined) return;
    const next = outage.waiting.shift();
    outage.isRetrying = next !== undefined;
    next?.({ type: 'retry', outage });
  }

  #closeIfUnused(path: string, { waiting, isRetrying }: Outage): void {
    if (waiting.length === 0 && !isRetrying) this.#close(path, 'answered');
  }

  #close(path: string, type: 'answered' | 'failed'): void {
    const outage = this.#outages.get(path);
    this.#outages.delete(path);
    outage?.timer?.dispose();
    for (const go of outage?.waiting.splice(0) ?? []) go({ type });
  }
}

/** Maximum accepted `Retry-After`: a longer one would stop polling indefinitely. */
const maxRetryAfterMs = dayMs;

/**
 * Returns the earliest retry time of a `Retry-After` header (RFC 9110, 10.2.3: seconds or an HTTP date), in
 * milliseconds since the epoch by the local clock; undefined if it is missing or invalid. At most one day ahead.
 * @param serviceDateMs the service's time, to which a date is relative; undefined if it sent none.
 */
export function parseRetryAfter(
  header: string | undefined,
  serviceDateMs: number | undefined,
  nowMs: number,
): number | undefined {
  if (header === undefined) return undefined;
  const text = header.trim();
  const delayMs = /^\d+$/.test(text) ? Number(text) * 1000 : dateMs(text) - (serviceDateMs ?? nowMs);
  return Number.isNaN(delayMs) ? undefined : nowMs + Math.min(Math.max(delayMs, 0), maxRetryAfterMs);
}

/** Parses the three formats of RFC 9110, 5.6.7; the oldest omits the zone, which is GMT. `Date.parse` alone accepts "-5", too. */
function dateMs(text: string): number {
  if (!/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
