import { choice, flag, list, optional, record, text, type Decoded } from '../../../base/decode/decoder.ts';
import { plainMoment, viewStatus, viewValue } from './jobView.ts';

const session = record({ id: text, title: text, status: viewStatus, created: optional(plainMoment) });

const cell = record({
  value: viewValue,
  /** True if the value differs from the majority; true for every cell if there is no majority. */
  odd: flag,
});

const row = record({
  id: text,
  label: text,
  /** True if the label is a name from the item, not a string of the extension. */
  named: flag,
  values: choice({
    /** The value that all sessions have. */
    same: { value: viewValue },
    /** One cell per session, in the order of the columns. */
    different: { cells: list(cell) },
  }),
});

const group = record({ id: text, title: text, rows: list(row) });

/** Decodes a {@link ComparisonView} sent from the editor to the page. */
export const comparisonView = record({
  title: text,
  /** Number of different parameters, as text. */
  summary: text,
  /** Explains why something is not compared. */
  note: optional(text),
  /** Names of the rows: one of them, and all. */
  rowNames: record({ one: text, all: text }),
  sessions: list(session),
  groups: list(group),
});

/** A comparison of sessions or jobs: one column each, one row per parameter, in the user's language. */
export type ComparisonView = Decoded<typeof comparisonView>;
export type ComparedSession = Decoded<typeof session>;
export type ComparisonGroup = Decoded<typeof group>;
export type ComparisonRow = Decoded<typeof row>;
export type ComparisonCell = Decoded<typeof cell>;
