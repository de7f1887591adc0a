/** Which folds are open, by position (`custom_metadata/4/0`), so that a page comes back as it was left. */
export class Folds {
  readonly #open: Set<string>;
  readonly #changed: () => void;

  constructor(open: readonly string[], changed: () => void) {
    this.#open = new Set(open);
    this.#changed = changed;
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  set(path: string, open: boolean): void {
    if (open) this.#open.add(path);
    else this.#open.delete(path);
    this.#changed();
  }

  clear(): void {
    this.#open.clear();
    this.#changed();
  }

  list(): readonly string[] {
    return [...this.#open];
  }
}
