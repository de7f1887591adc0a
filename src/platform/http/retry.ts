import { BoundedMap } from '../../base/boundedMap.ts';
import type { Clock } from '../../base/clock.ts';
import { Failure, isFailure, mayPass } from '../../base/failure.ts';
import { dayMs, minuteMs } from '../../base/time.ts';

const maxAttempts = 3;
const firstBackOffMs = 500;
const retriedStatuses: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);

/** State of a GET that failed. Times in milliseconds since the epoch. */
export interface Attempt {
  readonly failure: Failure;
  /** Number of requests sent, including this one. */
  readonly sent: number;
  readonly nowMs: number;
  /** Deadline of the whole call. */
  readonly deadlineMs: number;
  /** 0 to 1; spreads out clients that failed together. */
  readonly random: number;
}

/**
 * Returns the milliseconds until the next attempt of a GET; undefined for no retry: the failure is not transient, the
 * attempts are used up, or the service requests a delay (`retryAtMs`) beyond the deadline.
 */
export function planRetry(attempt: Attempt): number | undefined {
  const { failure, sent, nowMs, deadlineMs, random } = attempt;
  const { status, retryAtMs = 0, connecting = false } = failure.facts;
  const passing = failure.code === 'offline' || connecting || (status !== undefined && retriedStatuses.has(status));
  if (!passing || sent >= maxAttempts) return undefined;
  const backOffMs = firstBackOffMs * 2 ** (sent - 1) * (0.5 + random / 2);
  const delayMs = Math.max(backOffMs, retryAtMs - nowMs);
  return nowMs + delayMs < deadlineMs ? delayMs : undefined;
}

/** Maximum time for which a failure of one call keeps others from being retried. */
const outageMs = 5 * minuteMs;
/** Each job has a path of its own. */
const maxTrials = 100;

/** The retries of a GET, on behalf of all GETs of the same path that fail meanwhile. */
export interface Trial {
  readonly over: AbortController;
  /** Time of the last failure; undefined while it is retried. */
  failedMs: number | undefined;
}

/**
 * Lets one of the GETs of a path that fail at the same time be retried, while the others wait for its end. If it fails, they do, too,
 * and later ones are sent only once, until one is answered: their callers' next attempts are the retries.
 */
export class SharedRetries {
  readonly #clock: Clock;
  readonly #trials = new BoundedMap<string, Trial>(maxTrials);

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Begins a trial. Returns undefined if there is one for this path, or one failed lately. */
  begin(path: string): Trial | undefined {
    const last = this.#trials.get(path);
    if (last !== undefined && this.#clock.now() - (last.failedMs ?? Infinity) < outageMs) return undefined;
    const trial = { over: new AbortController(), failedMs: undefined };
    this.#trials.set(path, trial);
    return trial;
  }

  /**
   * Waits until the trial of a path is over, which has a deadline of its own. Returns false if it failed.
   * @throws Failure `cancelled`
   */
  async wait(path: string, signal: AbortSignal): Promise<boolean> {
    const trial = this.#trials.get(path);
    if (trial !== undefined && trial.failedMs === undefined) {
      const either = AbortSignal.any([signal, trial.over.signal]);
      if (!either.aborted) await new Promise((resolve) => either.addEventListener('abort', resolve, { once: true }));
      if (signal.aborted) throw new Failure('cancelled');
    }
    return trial?.failedMs === undefined;
  }

  /** Ends a trial that was not answered, unless another GET of its path was. */
  fail(path: string, trial: Trial, error: unknown): void {
    if (trial.over.signal.aborted) return;
    if (isFailure(error) && mayPass(error)) trial.failedMs = this.#clock.now();
    else if (this.#trials.get(path) === trial) this.#trials.delete(path);
    trial.over.abort();
  }

  /** Ends the trial of a path, because the service has answered. */
  noteAnswer(path: string): void {
    this.#trials.get(path)?.over.abort();
    this.#trials.delete(path);
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
