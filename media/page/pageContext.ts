import type { Locale } from '../../src/base/format.ts';
import type { PageToHost } from '../../src/features/details/common/protocol.ts';
import type { SectionFolds } from './sectionFolds.ts';
import type { TranscriptSearch } from './transcriptSearch.ts';

/** Context that components need in addition to their views. */
export interface PageContext {
  readonly locale: Locale;
  readonly unfolding: Unfolding;
  readonly sections: SectionFolds;
  readonly search: TranscriptSearch;
  /** Values whose copy to the clipboard has just been confirmed. */
  readonly copied: ReadonlySet<string>;
  readonly send: (message: PageToHost) => void;
}

/**
 * Keeps which parts of the page are expanded, by position (`custom_metadata/4/0`), never by content. Expanded folds are restored with the
 * page; the visible length of long lists and texts is kept only while the job is on the page.
 */
export class Unfolding {
  readonly #open: Set<string>;
  readonly #lengths = new Map<string, number>();
  readonly #changed: () => void;

  constructor(open: readonly string[], changed: () => void) {
    this.#open = new Set(open);
    this.#changed = changed;
  }

  /** Positions of the expanded folds. */
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

  /** Returns the visible length of a list or text; `first` until the user shows more. */
  lengthAt(path: string, first: number): number {
    return this.#lengths.get(path) ?? first;
  }

  setLength(path: string, length: number): void {
    this.#lengths.set(path, length);
    this.#changed();
  }

  /** Collapses everything and resets visible lengths. Does not render the page. */
  clear(): void {
    this.#open.clear();
    this.#lengths.clear();
  }
}
