/** Something that was started or registered and can be stopped. Same shape as the editor's. */
export interface Disposable {
  dispose(): void;
}

/** Owns what was started or registered on its behalf, and stops it, the newest first, when it is disposed itself. */
export class DisposableOwner implements Disposable {
  readonly #owned: Disposable[] = [];
  #isDisposed = false;

  /** Takes over a disposable and hands it back. It is disposed at once when its owner already is: nothing is left behind. */
  own<D extends Disposable>(disposable: D): D {
    if (this.#isDisposed) disposable.dispose();
    else this.#owned.push(disposable);
    return disposable;
  }

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  dispose(): void {
    this.#isDisposed = true;
    for (let last = this.#owned.pop(); last !== undefined; last = this.#owned.pop()) last.dispose();
  }
}
