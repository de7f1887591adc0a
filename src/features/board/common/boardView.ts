import { labelOrId } from '../../../jobs/common/jobRow.ts';
import type { JobColumns, ValueColumn } from './jobColumns.ts';
import { boardColumn } from './boardColumns.ts';

/** Condition on one field: equal to a value, or not equal to it. */
export interface FacetCondition {
  readonly key: string;
  /** Undefined means a missing value. */
  readonly value: string | undefined;
  readonly isExcluded: boolean;
}

/** Returns the conditions with this one in place of those on the same field. */
export function withCondition(
  conditions: readonly FacetCondition[],
  condition: FacetCondition,
): readonly FacetCondition[] {
  return [...conditions.filter(({ key }) => key !== condition.key), condition];
}

/** Range of time in milliseconds since the epoch; the end is excluded. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Range that the user has chosen on a board. Without an end, it includes the jobs that come later. */
export interface ChosenRange {
  readonly fromMs: number;
  readonly toMs: number | undefined;
}

/** Conditions that narrow down a board. */
export interface BoardConditions {
  readonly facets: readonly FacetCondition[];
  readonly range: ChosenRange | undefined;
}

/** Sort order of a board; missing values come last. */
export interface BoardOrder {
  readonly key: string;
  readonly isDescending: boolean;
}

/** The jobs of a board. */
export interface BoardData {
  readonly columns: JobColumns;
  /** Number of rows in the board. Rows may be added to the columns while it is shown. */
  readonly size: number;
  /** True if some jobs may not have been read. */
  readonly isPart: boolean;
  /** Names of jobs submitted from this machine, by ID. */
  readonly submittedAs?: () => ReadonlyMap<string, string>;
}

/** Sources of the row labels. */
type NamedColumns = Pick<BoardData, 'columns' | 'size' | 'submittedAs'>;

/** Returns the label of a row's job, as in the list of jobs. */
export function labelOf({ columns, submittedAs }: Omit<NamedColumns, 'size'>, row: number): string {
  return labelOrId({
    ownLabel: columns.label(row),
    id: columns.column('id')?.value(row) ?? '',
    submittedAs: submittedAs?.(),
    isTitle: () => columns.hasTitle(row),
    shortText: () => columns.shortText(row),
  });
}

/** Value of a facet with the number of jobs that have it, under the conditions on all other fields. */
interface FacetValue {
  readonly value: string | undefined;
  readonly count: number;
  readonly state: 'free' | 'included' | 'excluded';
}

export interface Facet {
  readonly key: string;
  /** Sorted by frequency, highest first, with a missing value last. Values with a condition are always included. */
  readonly values: readonly FacetValue[];
  /** Number of further values. */
  readonly further: number;
}

/** Rows of a board that meet its conditions, in its order. */
export class BoardView {
  readonly data: BoardData;
  readonly conditions: BoardConditions;
  readonly #order: readonly number[];
  /** Rows that meet the conditions, in order. */
  readonly rows: readonly number[];
  readonly passes: RowTest;

  /** @param order all rows, sorted by {@link sortRows} */
  constructor(data: BoardData, conditions: BoardConditions, order: readonly number[]) {
    this.data = data;
    this.conditions = conditions;
    this.#order = order;
    this.passes = testOf(data.columns, conditions);
    this.rows = order.filter(this.passes);
  }

  /** Number of failures among the rows. */
  get failed(): number {
    const status = this.data.columns.column('status');
    return this.rows.filter((row) => status?.value(row) === 'error').length;
  }

  /** Returns the values of a field with their counts. @param max maximum number of values, besides those with a condition */
  facet(key: string, max: number): Facet | undefined {
    const column = this.data.columns.column(key);
    if (column === undefined || column.isNearlyUnique) return undefined;
    const { values } = column;
    const counts = countCodes(column, this.#rowsFor(key));
    const stated = new Map(
      this.conditions.facets.flatMap((each) => {
        const code = each.key === key ? column.codeOf(each.value) : undefined;
        return code === undefined ? [] : [[code, each.isExcluded ? 'excluded' : 'included'] as const];
      }),
    );
    const codes = counts.flatMap((count, code) => (count > 0 || stated.has(code) ? [code] : []));
    // Puts the missing value last, because its count says nothing about the jobs that have a value.
    codes.sort((a, b) => Number(a === 0) - Number(b === 0) || (counts[b] ?? 0) - (counts[a] ?? 0) || a - b);
    const shown = codes.filter((code, place) => place < max || code === 0 || stated.has(code));
    return {
      key,
      values: shown.map((code) => ({
        value: values[code],
        count: counts[code] ?? 0,
        state: stated.get(code) ?? 'free',
      })),
      further: codes.length - shown.length,
    };
  }

  /** Returns the rows that meet the conditions on all other fields. */
  #rowsFor(key: string): readonly number[] {
    const { facets, range } = this.conditions;
    const others = facets.filter((each) => each.key !== key);
    if (others.length === facets.length) return this.rows;
    return this.#order.filter(testOf(this.data.columns, { facets: others, range }));
  }
}

/** Counts the rows per value of a column, by code. */
export function countCodes({ codes, values }: ValueColumn, rows: readonly number[]): number[] {
  const counts = values.map(() => 0);
  for (const row of rows) {
    const code = codes[row] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

type RowTest = (row: number) => boolean;

/** Returns a test for the rows that meet the conditions. */
function testOf(columns: JobColumns, { facets, range }: BoardConditions): RowTest {
  const { created } = columns;
  const tests = [...new Set(facets.map(({ key }) => key))].map((key): RowTest => {
    const column = columns.column(key);
    const codes = column?.codes ?? [];
    const own = facets.filter((each) => each.key === key);
    const codesOf = (isExcluded: boolean): Set<number | undefined> =>
      new Set(
        own
          .filter((each) => each.isExcluded === isExcluded)
          // A path without a column is missing in all jobs.
          .map(({ value }) => (column === undefined && value === undefined ? 0 : column?.codeOf(value))),
      );
    const [included, excluded] = [codesOf(false), codesOf(true)];
    return (row) => {
      const code = codes[row] ?? 0;
      return (included.size === 0 || included.has(code)) && !excluded.has(code);
    };
  });
  if (range !== undefined) {
    tests.push((row) => {
      const atMs = created[row] ?? NaN;
      return atMs >= range.fromMs && !(atMs >= (range.toMs ?? Infinity));
    });
  }
  return (row) => tests.every((test) => test(row));
}

/** Sorts all rows. Rows with equal values keep their order, and missing values come last. */
export function sortRows(data: NamedColumns, order: BoardOrder): readonly number[] {
  const { columns, size } = data;
  const { numberOf } = boardColumn(order.key) ?? {};
  if (numberOf !== undefined)
    return rankedRows(
      Array.from({ length: size }, (_, row) => numberOf(columns, row)),
      order,
    );
  const { texts, distinct, compare } = textsOf(data, order.key);
  return rankedRows(ranksOf(texts, distinct.sort(compare)), order);
}

/** As {@link sortRows}, yielding between parts of the work: comparing a hundred thousand texts takes half a second. */
export async function sortRowsInParts(
  data: NamedColumns,
  order: BoardOrder,
  rest: () => Promise<void>,
): Promise<readonly number[]> {
  if (boardColumn(order.key)?.numberOf !== undefined) return sortRows(data, order);
  const { texts, distinct, compare } = textsOf(data, order.key);
  let runs: (readonly string[])[] = [];
  for (let from = 0; from < distinct.length; from += runLength) {
    await rest();
    runs.push(distinct.slice(from, from + runLength).sort(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly string[])[] = [];
    for (let place = 0; place < runs.length; place += 2) {
      await rest();
      merged.push(merge(runs[place] ?? [], runs[place + 1] ?? [], compare));
    }
    runs = merged;
  }
  await rest();
  return rankedRows(ranksOf(texts, runs[0] ?? []), order);
}

/** Number of texts sorted without yielding. */
const runLength = 8192;

type Compare = (one: string, other: string) => number;

function merge(one: readonly string[], other: readonly string[], compare: Compare): readonly string[] {
  const merged: string[] = [];
  let next = 0;
  for (const text of one) {
    for (let before = other[next]; before !== undefined && compare(before, text) < 0; before = other[++next]) {
      merged.push(before);
    }
    merged.push(text);
  }
  return merged.concat(other.slice(next));
}

/** Returns the distinct texts that rows are sorted by, and their comparison. */
function textsOf(data: NamedColumns, key: string) {
  const column = data.columns.column(key);
  const texts = Array.from({ length: data.size }, (_, row) =>
    key === 'label' ? labelOf(data, row) : column?.value(row),
  );
  const distinct = [...new Set(texts)].filter((text) => text !== undefined);
  const compare: Compare = column?.isNumeric === true ? (one, other) => Number(one) - Number(other) : byText;
  return { texts, distinct, compare };
}

const byText = new Intl.Collator('en', { numeric: true }).compare;

/** Returns the rank of each row's text; NaN if it is missing. */
function ranksOf(texts: readonly (string | undefined)[], sorted: readonly string[]): readonly number[] {
  const rankOf = new Map<string | undefined, number>(sorted.map((text, rank) => [text, rank]));
  return texts.map((text) => rankOf.get(text) ?? NaN);
}

/** Sorts all rows by rank. */
function rankedRows(ranks: readonly number[], { isDescending }: BoardOrder): readonly number[] {
  // Missing values come last in either direction.
  const keys = ranks.map((rank) => (Number.isNaN(rank) ? Infinity : isDescending ? -rank : rank));
  return keys
    .map((_, row) => row)
    .sort((a, b) => {
      const [one, other] = [keys[a] ?? Infinity, keys[b] ?? Infinity];
      return one === other ? a - b : one - other;
    });
}
