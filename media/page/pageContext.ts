import type { Locale } from '../../src/domain/format.ts';
import type { PageToHost } from '../../src/domain/protocol.ts';
import type { Folds } from './folds.ts';
import type { Ticker } from './ticker.ts';

/** What the parts of a page need beside their views. */
export interface PageContext {
  readonly send: (message: PageToHost) => void;
  readonly folds: Folds;
  readonly ticker: Ticker;
  readonly locale: Locale;
  /** Reads a sentence to those who do not see the change. */
  readonly announce: (sentence: string) => void;
}
