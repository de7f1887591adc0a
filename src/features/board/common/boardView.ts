import { labelOrId } from '../../../jobs/common/jobRow.ts';
import type { JobColumns, ValueColumn } from './jobColumns.ts';

/** A condition on one field: one of the values, or none of them. */
export interface FacetCondition {
  readonly key: string;
  /** Undefined stands for a missing value. */
  readonly value: string | undefined;
  readonly isExcluded: boolean;
}

/** The conditions with this one instead of those on the same field. */
export function withCondition(
  conditions: readonly FacetCondition[],
  condition: FacetCondition,
): readonly FacetCondition[] {
  return [...conditions.filter(({ key }) => key !== condition.key), condition];
}

/** A part of time, in milliseconds since the epoch; the end does not belong to it. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** What narrows a board down. */
export interface BoardConditions {
  readonly facets: readonly FacetCondition[];
  readonly range: TimeRange | undefined;
}

/** How the rows of a board are sorted; missing values come last. */
export interface BoardOrder {
  readonly key: string;
  readonly isDescending: boolean;
}

/** The jobs of a board. */
export interface BoardData {
  readonly columns: JobColumns;
  /** Number of rows that belong to it: rows may be added to the columns while it is shown. */
  readonly size: number;
  /** There may be jobs that were not read. */
  readonly isPart: boolean;
  /** What jobs were submitted as from this machine, by id. */
  readonly submittedAs?: () => ReadonlyMap<string, string>;
}

/** What the labels of rows are made of. */
type NamedColumns = Pick<BoardData, 'columns' | 'size' | 'submittedAs'>;

/** The label of a row's job, as the list of jobs has it. */
export function labelOf({ columns, submittedAs }: Omit<NamedColumns, 'size'>, row: number): string {
  const id = columns.column('id')?.value(row) ?? '';
  return labelOrId(columns.label(row), id, submittedAs?.(), () => columns.hasTitle(row));
}

/** A value of a facet with the number of jobs that have it, under the conditions on all other fields. */
interface FacetValue {
  readonly value: string | undefined;
  readonly count: number;
  readonly state: 'free' | 'included' | 'excluded';
}

export interface Facet {
  readonly key: string;
  /** The most frequent first, and those with a condition wherever they stand; a missing value comes last. */
  readonly values: readonly FacetValue[];
  /** How many further values there are. */
  readonly further: number;
}

/** The rows of a board that pass its conditions, in its order. */
export class BoardView {
  readonly data: BoardData;
  readonly conditions: BoardConditions;
  readonly #order: readonly number[];
  /** The rows that pass, in order. */
  readonly rows: readonly number[];
  readonly passes: RowTest;

  /** @param order all rows, sorted: {@link sortRows} */
  constructor(data: BoardData, conditions: BoardConditions, order: readonly number[]) {
    this.data = data;
    this.conditions = conditions;
    this.#order = order;
    this.passes = testOf(data.columns, conditions);
    this.rows = order.filter(this.passes);
  }

  /** How many of the rows are failures. */
  get failed(): number {
    const status = this.data.columns.column('status');
    return this.rows.filter((row) => status?.value(row) === 'error').length;
  }

  /** The values of a field with their numbers. @param max how many, besides those with a condition */
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
    // That most jobs have no value says nothing of those that have one.
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

  /** The rows that pass the conditions on all other fields. */
  #rowsFor(key: string): readonly number[] {
    const { facets, range } = this.conditions;
    const others = facets.filter((each) => each.key !== key);
    if (others.length === facets.length) return this.rows;
    return this.#order.filter(testOf(this.data.columns, { facets: others, range }));
  }
}

/** How many of these rows have each value of a column, by code. */
export function countCodes({ codes, values }: ValueColumn, rows: readonly number[]): number[] {
  const counts = values.map(() => 0);
  for (const row of rows) {
    const code = codes[row] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
  }
  return counts;
}

type RowTest = (row: number) => boolean;

/** A test for the rows that pass conditions. */
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
          // A path that no job has is missing for all.
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
      return atMs >= range.fromMs && atMs < range.toMs;
    });
  }
  return (row) => tests.every((test) => test(row));
}

/** All rows in an order; rows with equal values keep theirs, and missing values come last. */
export function sortRows(data: NamedColumns, order: BoardOrder): readonly number[] {
  const { columns, size } = data;
  switch (order.key) {
    case 'created_at':
      return rankedRows(columns.created.slice(0, size), order);
    case 'completed_at':
      return rankedRows(columns.completed.slice(0, size), order);
    case 'processing_time':
      return rankedRows(
        Array.from({ length: size }, (_, row) => columns.processingMs(row)),
        order,
      );
    default: {
      const { texts, distinct, compare } = textsOf(data, order.key);
      return rankedRows(ranksOf(texts, distinct.sort(compare)), order);
    }
  }
}

/** The same, resting between parts of the work: comparing a hundred thousand texts takes half a second. */
export async function sortRowsInParts(
  data: NamedColumns,
  order: BoardOrder,
  rest: () => Promise<void>,
): Promise<readonly number[]> {
  if (['created_at', 'completed_at', 'processing_time'].includes(order.key)) return sortRows(data, order);
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

/** Texts that are sorted in one go. */
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

/** The texts by which rows are sorted, each of them once, and how they compare. */
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

/** By row, the place of its text; NaN where it is missing. */
function ranksOf(texts: readonly (string | undefined)[], sorted: readonly string[]): readonly number[] {
  const rankOf = new Map<string | undefined, number>(sorted.map((text, rank) => [text, rank]));
  return texts.map((text) => rankOf.get(text) ?? NaN);
}

/** All rows by the numbers that they have. */
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
