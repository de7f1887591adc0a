import type { Locale } from '../../src/domain/format.ts';
import type { PageToHost } from '../../src/domain/protocol.ts';
import type { TranscriptSearch } from './result/transcriptSearch.ts';

/** What components need beside their views. */
export interface PageContext {
  readonly locale: Locale;
  readonly unfolding: Unfolding;
  readonly search: TranscriptSearch;
  /** What was asked to be copied and has just reached the clipboard. */
  readonly copied: ReadonlySet<string>;
  readonly send: (message: PageToHost) => void;
}

/**
 * How much of the page is unfolded, by position (`custom_metadata/4/0`), never by content. Folds come back with the page; how far
 * long lists and texts are shown lasts as long as the job is on it.
 */
export class Unfolding {
  readonly #open: Set<string>;
  readonly #lengths = new Map<string, number>();
  readonly #changed: () => void;

  constructor(open: readonly string[], changed: () => void) {
    this.#open = new Set(open);
    this.#changed = changed;
  }

  /** Positions of the open folds. */
  get open(): readonly string[] {
    return [...this.#open];
  }

  isOpen(path: string): boolean {
    return this.#open.has(path);
  }

  toggle(path: string): void {
    if (!this.#open.delete(path)) this.#open.add(path);
    this.#changed();
  }

  /** How much is shown of what comes in pieces; `first` until a press asked for more. */
  lengthAt(path: string, first: number): number {
    return this.#lengths.get(path) ?? first;
  }

  setLength(path: string, length: number): void {
    this.#lengths.set(path, length);
    this.#changed();
  }

  /** Everything folded and short again; the page is not told. */
  clear(): void {
    this.#open.clear();
    this.#lengths.clear();
  }
}
