import { choice, flag, list, optional, record, text, type Decoded } from '../decode/decoder.ts';
import { plainMoment, viewStatus, viewValue } from './jobView.ts';

const session = record({ id: text, title: text, status: viewStatus, created: optional(plainMoment) });

const cell = record({
  value: viewValue,
  /** Not what most sessions have; where no value prevails, every cell is. */
  odd: flag,
});

const row = record({
  id: text,
  label: text,
  /** The label is a name from the item, not one of our words. */
  named: flag,
  values: choice({
    /** All sessions have it. */
    same: { value: viewValue },
    /** One cell per session, in the order of the columns. */
    different: { cells: list(cell) },
  }),
});

const group = record({ id: text, title: text, rows: list(row) });

/** Reads a {@link ComparisonView} that crossed the border between editor and page. */
export const comparisonView = record({
  title: text,
  /** How many parameters differ, in words. */
  summary: text,
  sessions: list(session),
  groups: list(group),
});

/** Sessions side by side: one column each, one row per parameter, in the user's language. */
export type ComparisonView = Decoded<typeof comparisonView>;
export type ComparedSession = Decoded<typeof session>;
export type ComparisonGroup = Decoded<typeof group>;
export type ComparisonRow = Decoded<typeof row>;
export type ComparisonCell = Decoded<typeof cell>;
