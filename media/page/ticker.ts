const tickMs = 5000;

/** Keeps what depends on the present up to date: distances from now, running times. Forgets what has left the page. */
export class Ticker {
  readonly #watched = new Map<Element, () => void>();

  constructor() {
    setInterval(() => this.#tick(), tickMs);
  }

  /** Calls `refresh` at every tick for as long as the element is on the page. */
  watch(element: Element, refresh: () => void): void {
    this.#watched.set(element, refresh);
  }

  #tick(): void {
    for (const [element, refresh] of this.#watched) {
      if (element.isConnected) refresh();
      else this.#watched.delete(element);
    }
  }
}
