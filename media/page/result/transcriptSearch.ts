import {
  findInTranscript,
  type TranscriptHit,
  type TranscriptView,
} from '../../../src/domain/result/transcriptView.ts';

/** What is looked for in the transcript, and at which of its hits the reader is. */
export class TranscriptSearch {
  #query = '';
  #current = 0;
  #found:
    { readonly view: TranscriptView; readonly query: string; readonly hits: readonly TranscriptHit[] } | undefined;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get query(): string {
    return this.#query;
  }

  /** Index of the hit at which the reader is. */
  get current(): number {
    return this.#current;
  }

  /** All hits, found once for each query. */
  hitsIn(view: TranscriptView): readonly TranscriptHit[] {
    if (this.#found?.view !== view || this.#found.query !== this.#query) {
      this.#found = { view, query: this.#query, hits: findInTranscript(view, this.#query) };
    }
    return this.#found.hits;
  }

  ask(query: string): void {
    this.#query = query;
    this.#current = 0;
    this.#changed();
  }

  /** Goes to the next or the previous hit, around the ends. */
  step(by: 1 | -1, count: number): void {
    if (count > 0) this.#current = (this.#current + by + count) % count;
    this.#changed();
  }

  /** Looks for nothing; the page is not told. */
  clear(): void {
    this.#query = '';
    this.#current = 0;
  }
}
