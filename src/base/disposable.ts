/** A resource that can be released. Has the shape of the editor's `Disposable`. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables and disposes of them, newest first, when it is disposed itself. */
export class DisposableOwner implements Disposable {
  readonly #owned: Disposable[] = [];
  #isDisposed = false;

  /** Takes ownership of a disposable and returns it. If the owner is already disposed, disposes of it at once. */
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
