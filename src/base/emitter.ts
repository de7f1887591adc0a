import type { Disposable } from './disposable.ts';

/**
 * Notifies listeners in order of registration. An exception in one listener affects neither the other listeners nor the
 * caller of `fire`.
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(event: T) => void>();
  readonly #report: (error: unknown) => void;

  /** @param report receives the errors of listeners; by default they are rethrown as uncaught errors. */
  constructor(report: (error: unknown) => void = throwLater) {
    this.#report = report;
  }

  /** Registers a listener until it is disposed. Has the shape of the editor's `Event`. */
  readonly event = (listener: (event: T) => void): Disposable => {
    // A wrapper, so that the same function can be registered twice.
    const entry = (event: T): void => listener(event);
    this.#listeners.add(entry);
    return { dispose: () => this.#listeners.delete(entry) };
  };

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
