import { labelOrId } from '../jobs/jobRow.ts';
import { countedFigure, estimateCount, type Figure, type Stratum } from './estimate.ts';
import type { JobColumns } from './jobColumns.ts';
import { sortByNumber } from './sortByNumber.ts';
import type { ValueColumn } from './valueColumn.ts';

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

/** The jobs of a board: their columns, and the list that each row came from. */
export interface BoardData {
  readonly columns: JobColumns;
  /** By list; of one that was read as a whole, both numbers are equal. */
  readonly strata: readonly Stratum[];
  /** The place of a row's list in `strata`. */
  readonly stratumOf: (row: number) => number;
  /** Of a sample from lists sorted by creation: how many jobs stood before a row's job in its list. */
  readonly offsetOf?: (row: number) => number;
  /** There may be more jobs than were read, or than the lists' lengths say. */
  readonly mayBeMore?: boolean;
  /** What jobs were submitted as from this machine, by id. */
  readonly submittedAs?: () => ReadonlyMap<string, string>;
}

/** What the labels of rows are made of. */
type NamedColumns = Pick<BoardData, 'columns' | 'submittedAs'>;

/** The label of a row's job, as the list of jobs has it. */
export function labelOf({ columns, submittedAs }: NamedColumns, row: number): string {
  const id = columns.column('id')?.value(row) ?? '';
  return labelOrId(columns.label(row), id, submittedAs?.(), () => columns.hasTitle(row));
}

/** A value of a facet with the number of jobs that have it, under the conditions on all other fields. */
interface FacetValue {
  readonly value: string | undefined;
  readonly figure: Figure;
  readonly state: 'free' | 'included' | 'excluded';
}

export interface Facet {
  readonly key: string;
  /** The most frequent first, and those with a condition wherever they stand; a missing value comes last. */
  readonly values: readonly FacetValue[];
  /** How many further values there are. */
  readonly further: number;
}

/** Marks a row that more than one field rules out. */
const ruledOutTwice = 255;
/** Fields with conditions, so that a byte can name one. */
const mostConditionedKeys = 250;

/** By list, the number of rows with each code. */
export type CodeCounts = readonly Uint32Array[];

/** Facets whose numbers are kept. */
const mostCounted = 100;

/** The rows of a board that pass its conditions, in its order. Counts and rows come from the same marks, so that they always agree. */
export class BoardView {
  readonly data: BoardData;
  readonly conditions: BoardConditions;
  /** By row: 0 where it passes, the place of the one field that rules it out (from 1), or {@link ruledOutTwice}. */
  readonly #marks: Uint8Array;
  readonly #fields: readonly string[];
  readonly #counted: Map<string, CodeCounts>;
  /** The rows that pass, in order. */
  readonly rows: Uint32Array;

  /**
   * @param order all rows, sorted: {@link sortRows}
   * @param counted what views of the same data have counted
   */
  constructor(
    data: BoardData,
    conditions: BoardConditions,
    order: Uint32Array,
    counted = new Map<string, CodeCounts>(),
  ) {
    this.data = data;
    this.#counted = counted;
    this.conditions = conditions;
    this.#fields = [...new Set(conditions.facets.map(({ key }) => key))].slice(0, mostConditionedKeys);
    this.#marks = markRows(data.columns, conditions, this.#fields);
    this.rows = this.passing(order);
  }

  /** Those of these rows that pass all conditions, in their order. */
  passing(rows: Uint32Array): Uint32Array {
    const marks = this.#marks;
    const passing = new Uint32Array(rows.length);
    let count = 0;
    for (let place = 0; place < rows.length; place++) {
      const row = rows[place] ?? 0;
      if (marks[row] === 0) passing[count++] = row;
    }
    return passing.subarray(0, count);
  }

  /** Whether a row passes all conditions. */
  passes(row: number): boolean {
    return this.#marks[row] === 0;
  }

  /** How many jobs pass all conditions. */
  get matching(): Figure {
    const { facets, range } = this.conditions;
    // Without a condition all jobs pass, those too that were not read.
    if (facets.length === 0 && range === undefined) {
      return countedFigure(this.data.strata.reduce((sum, { total }) => sum + total, 0));
    }
    return estimateCount(
      this.data.strata,
      this.rowsByList().map(({ length }) => length),
    );
  }

  /** How many of those failed. */
  get failed(): Figure {
    const status = this.data.columns.column('status');
    const code = status?.codeOf('error');
    const isFailed = (row: number): boolean => code !== undefined && status?.code(row) === code;
    return estimateCount(
      this.data.strata,
      this.rowsByList().map((rows) => rows.reduce((sum, row) => sum + (isFailed(row) ? 1 : 0), 0)),
    );
  }

  /** The values of a field with their numbers. @param most how many, besides those with a condition */
  facet(key: string, most: number): Facet | undefined {
    const column = this.data.columns.column(key);
    if (column === undefined || !column.isCoded) return undefined;
    const counts = this.#countCodes(column);
    const { strata } = this.data;
    const stated = new Map(
      this.conditions.facets.flatMap((each) => {
        const code = each.key === key ? column.codeOf(each.value) : undefined;
        return code === undefined ? [] : [[code, each.isExcluded ? 'excluded' : 'included'] as const];
      }),
    );
    const sums = column.values.map((_, code) => counts.reduce((sum, each) => sum + (each[code] ?? 0), 0));
    const codes = sums.flatMap((sum, code) => (sum > 0 || stated.has(code) ? [code] : []));
    // That most jobs have no value says nothing of those that have one.
    codes.sort((a, b) => Number(a === 0) - Number(b === 0) || (sums[b] ?? 0) - (sums[a] ?? 0) || a - b);
    const shown = codes.filter((code, place) => place < most || code === 0 || stated.has(code));
    return {
      key,
      values: shown.map((code) => ({
        value: code === 0 ? undefined : column.values[code],
        figure: estimateCount(
          strata,
          counts.map((each) => each[code] ?? 0),
          { shown: shown.length, of: codes.length },
        ),
        state: stated.get(code) ?? 'free',
      })),
      further: codes.length - shown.length,
    };
  }

  /** By list, how many rows have each code of a column, among those that at most this field rules out. */
  #countCodes(column: ValueColumn): CodeCounts {
    const { key } = column;
    const { facets, range } = this.conditions;
    // The value that is picked of a field does not change its own numbers, which were counted before it was picked.
    const name = JSON.stringify([key, facets.filter((each) => each.key !== key), range]);
    const counts =
      this.#counted.get(name) ?? this.#splitByList(this.#rowsFor(key)).map((rows) => column.countCodes(rows));
    if (this.#counted.size >= mostCounted) this.#counted.clear();
    this.#counted.set(name, counts);
    return counts;
  }

  /** The rows that pass, by the list that they came from. */
  rowsByList(): readonly Uint32Array[] {
    return this.#splitByList(this.rows);
  }

  /** The rows that at most this field rules out. */
  #rowsFor(key: string): Uint32Array {
    const own = this.#fields.indexOf(key) + 1;
    if (own === 0) return this.rows;
    const marks = this.#marks;
    const rows = new Uint32Array(marks.length);
    let count = 0;
    for (let row = 0; row < marks.length; row++) if (marks[row] === 0 || marks[row] === own) rows[count++] = row;
    return rows.subarray(0, count);
  }

  #splitByList(rows: Uint32Array): readonly Uint32Array[] {
    const { strata, stratumOf } = this.data;
    if (strata.length === 1) return [rows];
    return strata.map((_, stratum) => rows.filter((row) => stratumOf(row) === stratum));
  }
}

/** The fields of a board's conditions, by row. The range of time is a field of its own, which no facet has. */
function markRows(columns: JobColumns, { facets, range }: BoardConditions, fields: readonly string[]): Uint8Array {
  const marks = new Uint8Array(columns.size);
  const codes = new Uint16Array(facets.length === 0 ? 0 : columns.size);
  for (const [index, key] of fields.entries()) {
    const column = columns.column(key);
    const own = facets.filter((each) => each.key === key);
    const included = own.filter(({ isExcluded }) => !isExcluded);
    if (column?.isCoded === false) {
      markTexts(marks, column, own, index + 1);
      continue;
    }
    const allowed = new Uint8Array(column === undefined ? 1 : column.values.length);
    if (included.length === 0) allowed.fill(1);
    const set = (each: FacetCondition, to: number): void => {
      const place = column === undefined && each.value === undefined ? 0 : (column?.codeOf(each.value) ?? -1);
      if (place >= 0) allowed[place] = to;
    };
    for (const each of included) set(each, 1);
    for (const each of own) if (each.isExcluded) set(each, 0);
    if (column === undefined) codes.fill(0);
    else column.copyCodes(codes);
    for (let row = 0; row < codes.length; row++) {
      if (allowed[codes[row] ?? 0] === 0) ruleOut(marks, row, index + 1);
    }
  }
  if (range !== undefined) {
    const { created } = columns;
    for (let row = 0; row < created.length; row++) {
      const at = created[row] ?? NaN;
      if (!(at >= range.fromMs && at < range.toMs)) {
        ruleOut(marks, row, mostConditionedKeys + 1);
      }
    }
  }
  return marks;
}

function ruleOut(marks: Uint8Array, row: number, field: number): void {
  marks[row] = marks[row] === 0 ? field : ruledOutTwice;
}

/** The same for a field whose values are kept as texts. */
function markTexts(marks: Uint8Array, column: ValueColumn, conditions: readonly FacetCondition[], field: number): void {
  const [included, excluded] = [false, true].map(
    (side) => new Set(conditions.filter(({ isExcluded }) => isExcluded === side).map(({ value }) => value)),
  );
  for (let row = 0; row < marks.length; row++) {
    const value = column.value(row);
    const isIn = included?.size === 0 || included?.has(value) === true;
    if (!isIn || excluded?.has(value) === true) ruleOut(marks, row, field);
  }
}

/** All rows in an order; rows with equal values keep theirs, and missing values come last. */
export function sortRows(data: NamedColumns, { key, isDescending }: BoardOrder): Uint32Array {
  return sortByNumber(ranksOf(data, key), isDescending);
}

/** A number for each row by which it is sorted; NaN where the value is missing. */
function ranksOf(data: NamedColumns, key: string): Float64Array {
  const { columns } = data;
  const column = columns.column(key);
  switch (key) {
    case 'label':
      return ranksByValue(columns.size, (row) => labelOf(data, row), byText);
    case 'created_at':
      return columns.created;
    case 'completed_at':
      return columns.completed;
    case 'processing_time':
      return processingRanks(columns);
    default:
      return ranksByValue(columns.size, (row) => column?.value(row), column?.isNumeric === true ? byNumber : byText);
  }
}

function processingRanks({ created, completed }: JobColumns): Float64Array {
  const ranks = new Float64Array(created.length);
  for (let row = 0; row < ranks.length; row++) {
    const tookMs = (completed[row] ?? NaN) - (created[row] ?? NaN);
    ranks[row] = tookMs >= 0 ? tookMs : NaN;
  }
  return ranks;
}

const byText = new Intl.Collator('en', { numeric: true }).compare;
const byNumber = (one: string, other: string): number => Number(one) - Number(other);

function ranksByValue(
  size: number,
  valueOf: (row: number) => string | undefined,
  compare: (one: string, other: string) => number,
): Float64Array {
  const ranks = new Float64Array(size).fill(NaN);
  const values = new Set<string>();
  for (let row = 0; row < size; row++) {
    const value = valueOf(row);
    if (value !== undefined) values.add(value);
  }
  const rankOf = new Map([...values].toSorted(compare).map((value, rank) => [value, rank]));
  for (let row = 0; row < size; row++) {
    const value = valueOf(row);
    if (value !== undefined) ranks[row] = rankOf.get(value) ?? NaN;
  }
  return ranks;
}
