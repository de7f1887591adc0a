import type { Disposable } from './disposable.ts';

/**
 * Tells listeners of something, in the order in which they came. One that throws keeps nobody from being told: neither the
 * others nor whoever fired is to blame.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(event: T) => void>();
  readonly #report: (error: unknown) => void;

  /** @param report takes what a listener throws; without it the error comes up as an uncaught one. */
  constructor(report: (error: unknown) => void = throwLater) {
    this.#report = report;
  }

  /** Registers a listener until it is disposed. Has the shape of the editor's `Event`. */
  readonly event = (listener: (event: T) => void): Disposable => {
    // A wrapper, so that the same function may listen twice.
    const entry = (event: T): void => listener(event);
    this.#listeners.add(entry);
    return { dispose: () => this.#listeners.delete(entry) };
  };

  get listenerCount(): number {
    return this.#listeners.size;
  }

  fire(event: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#report(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

function throwLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
