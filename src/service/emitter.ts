import type { Disposable } from './ports.ts';

/** Tells listeners of something, in the order in which they came. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(event: T) => void>();

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
    for (const listener of this.#listeners) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
