import type { Clock } from '../../base/clock.ts';
import { DisposableOwner, type Disposable } from '../../base/disposable.ts';
import { Emitter } from '../../base/emitter.ts';
import { isServiceFailure, type Failure, type FailureCode } from '../../base/failure.ts';
import type { RequestObserver } from '../../platform/http/httpClient.ts';

/** Time in milliseconds after which a response is slow. */
export const slowAfterMs = 5000;

/** Failures that say nothing about the service. */
const localFailures: ReadonlySet<FailureCode> = new Set<FailureCode>(['cancelled', 'noConnection']);

/** Why the service does not answer as it should. */
export interface ServiceTrouble {
  readonly failure: Failure;
  /** Time of the last failure, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Time of the first of the consecutive failures with the same code. */
  readonly sinceMs: number;
}

/** The state of a service, according to all requests to it. Has a timer only while a request is pending. */
export class ServiceHealth extends DisposableOwner {
  readonly onDidChange: Emitter<void>['event'];
  readonly #changed = this.own(new Emitter<void>());
  readonly #clock: Clock;
  /** Times when the pending requests were sent. */
  #pending = new Map<RequestObserver, number>();
  #trouble: ServiceTrouble | undefined;
  /** Numbers of good answers and of rate limits, to tell what happened during a request. */
  #answers = 0;
  #limits = 0;
  /** True if the last answer was slow. */
  #wasSlow = false;
  #slowSinceMs: number | undefined;
  #timer: Disposable | undefined;

  constructor(clock: Clock) {
    super();
    this.#clock = clock;
    this.onDidChange = this.#changed.event;
    this.own({ dispose: () => this.#timer?.dispose() });
  }

  /** The last failure of the service; undefined once it has answered. */
  get trouble(): ServiceTrouble | undefined {
    return this.#trouble;
  }

  /** Time since which a response has been pending for long, or was, until one arrives in time; undefined if the service isn't slow. */
  get slowSinceMs(): number | undefined {
    return this.#slowSinceMs;
  }

  /** Forgets everything, for another service. Requests that were observed before are ignored. */
  reset(): void {
    this.#pending = new Map();
    this.#wasSlow = false;
    this.#setTrouble(undefined);
    this.#updateSlow();
  }

  /** Begins to observe a request. */
  observe(): RequestObserver {
    const pending = this.#pending;
    const answersBefore = this.#answers;
    let limitsBefore = this.#limits;
    const observer: RequestObserver = {
      sent: () => {
        limitsBefore = this.#limits;
        pending.set(observer, this.#clock.now());
        this.#updateSlow();
      },
      retrying: (failure) => {
        if (pending !== this.#pending) return;
        this.#noteTime(observer, failure);
        // The other failures are not worth showing before the last attempt.
        if (failure.code === 'rateLimited') this.#noteTrouble(failure);
      },
      ended: (failure) => {
        if (pending !== this.#pending) return;
        this.#noteTime(observer, failure);
        if (failure === undefined || !isServiceFailure(failure)) {
          // Requests sent before a rate limit don't tell whether it is over.
          const mayBeLimited = this.#trouble?.failure.code === 'rateLimited' && limitsBefore !== this.#limits;
          if (!mayBeLimited && !(failure && localFailures.has(failure.code))) this.#noteAnswer();
        } else if (failure.code === 'rateLimited' || answersBefore === this.#answers) this.#noteTrouble(failure);
        // Otherwise others were answered meanwhile, so only this request fails.
      },
    };
    return observer;
  }

  #noteTime(observer: RequestObserver, failure: Failure | undefined): void {
    const sentMs = this.#pending.get(observer);
    this.#pending.delete(observer);
    const isAnswered = failure === undefined || failure.facts.status !== undefined;
    if (isAnswered && sentMs !== undefined) this.#wasSlow = this.#clock.now() - sentMs >= slowAfterMs;
    this.#updateSlow();
  }

  #noteAnswer(): void {
    this.#answers++;
    this.#setTrouble(undefined);
  }

  #noteTrouble(failure: Failure): void {
    if (failure.code === 'rateLimited') this.#limits++;
    const atMs = this.#clock.now();
    const before = this.#trouble?.failure.code === failure.code ? this.#trouble : undefined;
    this.#setTrouble({ failure, atMs, sinceMs: before?.sinceMs ?? atMs });
  }

  #setTrouble(trouble: ServiceTrouble | undefined): void {
    if (trouble === this.#trouble) return;
    this.#trouble = trouble;
    this.#changed.fire();
  }

  #updateSlow(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const leftMs = Math.min(...this.#pending.values()) + slowAfterMs - this.#clock.now();
    if (leftMs > 0 && leftMs < Infinity && !this.isDisposed)
      this.#timer = this.#clock.after(leftMs, () => this.#updateSlow());
    const isSlow = this.#wasSlow || leftMs <= 0;
    if (isSlow === (this.#slowSinceMs !== undefined)) return;
    this.#slowSinceMs = isSlow ? this.#clock.now() : undefined;
    this.#changed.fire();
  }
}
