import { choice, flag, list, optional, record, text, type Decoded } from '../../../base/decode/decoder.ts';
import { plainMoment, viewStatus, viewValue } from './jobView.ts';

const session = record({ id: text, title: text, status: viewStatus, created: optional(plainMoment) });

const cell = record({
  value: viewValue,
  /** Differs from the majority; true for every cell when there is no majority. */
  odd: flag,
});

const row = record({
  id: text,
  label: text,
  /** The label is a name from the item, not one of our strings. */
  named: flag,
  values: choice({
    /** All sessions have it. */
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
