import {
  findInTranscript,
  type TranscriptHit,
  type TranscriptView,
} from '../../src/jobs/common/result/transcriptView.ts';

/** Search query of a transcript and the current hit. */
export class TranscriptSearch {
  #query = '';
  #current = 0;
  #found:
    | {
        readonly view: TranscriptView;
        readonly query: string;
        readonly places: string;
        readonly hits: readonly TranscriptHit[];
      }
    | undefined;
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get query(): string {
    return this.#query;
  }

  /** Index of the current hit. */
  get current(): number {
    return this.#current;
  }

  /** Returns all hits in the original and these translations, computed once per query. The current one is among them. */
  hitsIn(view: TranscriptView, shown: readonly number[]): readonly TranscriptHit[] {
    const places = shown.join(' ');
    if (this.#found?.view !== view || this.#found.query !== this.#query || this.#found.places !== places) {
      const hits = findInTranscript(view, this.#query, shown);
      this.#found = { view, query: this.#query, places, hits };
      this.#current = Math.max(0, Math.min(this.#current, hits.length - 1));
    }
    return this.#found.hits;
  }

  ask(query: string): void {
    this.#query = query;
    this.#current = 0;
    this.#changed();
  }

  /** Moves to the next or previous hit and wraps around at the ends. */
  step(by: 1 | -1, count: number): void {
    if (count > 0) this.#current = (this.#current + by + count) % count;
    this.#changed();
  }

  /** Clears the query. Does not render the page. */
  clear(): void {
    this.#query = '';
    this.#current = 0;
  }
}
