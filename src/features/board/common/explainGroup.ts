import { FisherTest, findShareChange, maxLogPOf, type Share } from '../../../jobs/common/shareChange.ts';
import { boardColumn } from './boardColumns.ts';
import { countCodes } from './boardView.ts';
import type { JobColumns, ValueColumn } from './jobColumns.ts';

/** One side of a point in time, in milliseconds since the epoch: from it on, or before it. */
interface TimePart {
  readonly side: 'since' | 'until';
  readonly atMs: number;
}

/** Jobs that belong to a group more often than others. */
export interface Standout {
  /** Values that only these jobs have; empty if only their time distinguishes them. */
  readonly shared: readonly { readonly key: string; readonly value: string }[];
  /** Time that both shares refer to. Without shared values, `rest` refers to the other side of it. */
  readonly time: TimePart | undefined;
  /** Share of the group among these jobs. */
  readonly having: Share;
  /** Share of the group among all others, without the jobs of earlier findings. */
  readonly rest: Share;
  /**
   * Hits with these values and this code among all hits, since the time and before it; undefined without values, or unless they have become
   * more frequent.
   */
  readonly incident: { readonly since: Share; readonly before: Share } | undefined;
  /** Error code of at least half of the hits, and its number of hits. */
  readonly code: { readonly code: string; readonly hits: number } | undefined;
}

const maxStandouts = 3;
/** Minimum number of jobs in a group for a finding. */
export const minHits = 5;

interface ExplainOptions {
  /** Also searches for a change in time. */
  readonly withTime: boolean;
  /** Also compares status and error code. */
  readonly withOutcomes: boolean;
  /** Yields to other work between columns. */
  readonly rest: () => Promise<void>;
}

/**
 * Finds how a group of jobs differs: values, and one time at which its share changed.
 *
 * Uses one test, Fisher's exact test, and one correction, Bonferroni's: half of the level is divided by the number of values, half by the
 * number of times. Searches the time among the jobs of the best value, or among all jobs if it is clearer there or only there, and then
 * compares values within it. Searches each further value among the jobs that the earlier values leave, so that a value that only correlates
 * with another is not reported again.
 * @param rows the jobs to compare, in order of creation
 * @param isHit true for a row of the group
 */
export async function explainGroup(
  columns: JobColumns,
  rows: readonly number[],
  isHit: (row: number) => boolean,
  { withTime, withOutcomes, rest }: ExplainOptions,
): Promise<readonly Standout[]> {
  const search = new GroupSearch(columns, rows, isHit, withOutcomes, rest);
  const best = await search.findValue(rows);
  const ofAll = withTime ? search.findChange(rows) : undefined;
  const isClearer = ofAll !== undefined && (best === undefined || ofAll.logP < best.logP);
  const ofBest = withTime && best !== undefined && !isClearer ? search.findChange(rows.filter(best.has)) : undefined;
  const change = ofBest ?? ofAll;
  const [within, outside] = split(rows, change?.has ?? (() => true));
  const { found, left, leftOutside } = await search.findStandouts(within, outside, change);
  if (change === undefined) return found;
  if (change === ofBest) {
    // There may be no other jobs to compare with within the time.
    return found.length > 0 ? found : (await search.findStandouts(rows, [], undefined)).found;
  }
  // A change caused only by the jobs of these values gets no sentence of its own.
  if (search.logP(left, leftOutside) > change.maxLogP) return found;
  const before = outside.filter((row) => !Number.isNaN(columns.created[row] ?? NaN));
  return [search.describe([], change.part, within, before), ...found].slice(0, maxStandouts);
}

type RowTest = (row: number) => boolean;

/** Value, or several values of the same jobs, with the probability that it is in the group as often by chance. */
interface FoundValue {
  readonly shared: Standout['shared'];
  readonly has: RowTest;
  readonly logP: number;
}

interface FoundChange {
  readonly part: TimePart;
  readonly has: RowTest;
  readonly logP: number;
  /** Upper bound of `logP`. */
  readonly maxLogP: number;
}

/** Columns that describe the outcome of a job. */
const outcomeKeys: ReadonlySet<string> = new Set(['status', 'error_code']);

/** True if the values of a column describe the input of jobs. Keys of metadata and parameters do. */
function describesInput(key: string): boolean {
  const column = boardColumn(key);
  return column === undefined || column.explains === true;
}

class GroupSearch {
  readonly #columns: JobColumns;
  readonly #rows: readonly number[];
  readonly #compared: readonly ValueColumn[];
  readonly #rest: () => Promise<void>;
  /** By row. */
  readonly #isHit: boolean[] = [];
  readonly #test: FisherTest;

  constructor(
    columns: JobColumns,
    rows: readonly number[],
    isHit: RowTest,
    withOutcomes: boolean,
    rest: () => Promise<void>,
  ) {
    this.#columns = columns;
    this.#rows = rows;
    this.#rest = rest;
    this.#compared = columns.values.filter(({ key }) => describesInput(key) || (withOutcomes && outcomeKeys.has(key)));
    for (const row of rows) this.#isHit[row] = isHit(row);
    this.#test = new FisherTest(rows.length);
  }

  /**
   * Finds the best value, then the best one among the jobs without it, and so on. A value whose jobs changed at the time is described
   * within it, any other value as a whole.
   * @returns the findings, with the jobs that have none of the values
   */
  async findStandouts(within: readonly number[], outside: readonly number[], change: FoundChange | undefined) {
    const found: Standout[] = [];
    let [left, leftOutside] = [within, outside];
    while (found.length < maxStandouts) {
      const value = await this.findValue(left);
      if (value === undefined) break;
      const [having, rest] = split(left, value.has);
      const [havingOutside, restOutside] = split(leftOutside, value.has);
      const isChanged = this.logP(having, havingOutside) <= maxLogPOf(1);
      found.push(
        change !== undefined && isChanged
          ? this.describe(value.shared, change.part, having, rest)
          : this.describe(value.shared, undefined, having.concat(havingOutside), rest.concat(restOutside)),
      );
      [left, leftOutside] = [rest, restOutside];
    }
    return { found, left, leftOutside };
  }

  /** Returns the value whose share in the group exceeds its share outside the most, among those that chance does not explain. */
  async findValue(rows: readonly number[]): Promise<FoundValue | undefined> {
    const all = this.#shareOf(rows);
    const hits = this.#hitsOf(rows);
    let tests = 0;
    const candidates: (Share & { column: ValueColumn; code: number; logP: number })[] = [];
    for (const column of this.#compared) {
      await this.#rest();
      const counts = countCodes(column, rows);
      const hitCounts = countCodes(column, hits);
      for (let code = 1; code < counts.length; code++) {
        const having = { hits: hitCounts[code] ?? 0, of: counts[code] ?? 0 };
        if (having.of < minHits || having.of === all.of) continue;
        tests++;
        if (having.hits < minHits) continue;
        candidates.push({ ...having, column, code, logP: this.#test.logTail(having, all) });
      }
    }
    const maxLogP = maxLogPOf(tests);
    const difference = (each: Share): number => each.hits / all.hits - (each.of - each.hits) / (all.of - all.hits);
    const first = ({ column, code }: (typeof candidates)[number]): number =>
      rows.findIndex((row) => column.codes[row] === code);
    const [best, ...others] = candidates
      .filter(({ logP }) => logP <= maxLogP)
      // The order of two equal columns must not depend on the names of their values.
      .toSorted(
        (a, b) => difference(b) - difference(a) || first(a) - first(b) || (a.column.key < b.column.key ? -1 : 1),
      );
    if (best === undefined) return undefined;
    const testOf =
      ({ column: { codes }, code }: (typeof candidates)[number]): RowTest =>
      (row) =>
        codes[row] === code;
    const has = testOf(best);
    const same = others.filter((other) => {
      const hasOther = testOf(other);
      return other.of === best.of && rows.every((row) => has(row) === hasOther(row));
    });
    const shared = [best, ...same].map(({ column, code }) => ({ key: column.key, value: column.values[code] ?? '' }));
    return { shared, has, logP: best.logP };
  }

  /** Returns the minute at which the share of the group most likely changed, unless chance explains the change. */
  findChange(rows: readonly number[]): FoundChange | undefined {
    const { created } = this.#columns;
    const dated = rows.filter((row) => !Number.isNaN(created[row] ?? NaN));
    const change = findShareChange(
      dated.map((row) => created[row] ?? NaN),
      dated.map((row) => this.#isHit[row] === true),
      this.#test,
      { minHits },
    );
    if (change === undefined) return undefined;
    const { atMs, isRise, logP, maxLogP } = change;
    const has: RowTest = (row) => {
      const createdMs = created[row] ?? NaN;
      return isRise ? createdMs >= atMs : createdMs < atMs;
    };
    return { part: { side: isRise ? 'since' : 'until', atMs }, has, logP, maxLogP };
  }

  /**
   * Returns ln of the probability that jobs belong to the group at least as often by chance, whatever they share; 0 if others belong to it
   * as often.
   */
  logP(having: readonly number[], others: readonly number[]): number {
    const [inside, rest] = [this.#shareOf(having), this.#shareOf(others)];
    return this.#test.logTail(inside, { hits: inside.hits + rest.hits, of: inside.of + rest.of });
  }

  describe(
    shared: Standout['shared'],
    time: TimePart | undefined,
    having: readonly number[],
    rest: readonly number[],
  ): Standout {
    const code = this.#commonCode(having);
    const incident = time?.side === 'since' ? this.#incidentOf(shared, time.atMs, code?.code) : undefined;
    return { shared, time, having: this.#shareOf(having), rest: this.#shareOf(rest), incident, code };
  }

  #hitsOf(rows: readonly number[]): readonly number[] {
    return rows.filter((row) => this.#isHit[row]);
  }

  #shareOf(rows: readonly number[]): Share {
    return { hits: this.#hitsOf(rows).length, of: rows.length };
  }

  #incidentOf(shared: Standout['shared'], atMs: number, code: string | undefined): Standout['incident'] {
    if (shared.length === 0) return undefined;
    const wanted = [...shared, ...(code === undefined ? [] : [{ key: 'error_code', value: code }])].map(
      ({ key, value }) => ({ column: this.#columns.column(key), value }),
    );
    const { created } = this.#columns;
    const all = this.#hitsOf(this.#rows).filter((row) => !Number.isNaN(created[row] ?? NaN));
    const [later, earlier] = split(all, (row) => (created[row] ?? NaN) >= atMs);
    const shareIn = (rows: readonly number[]): Share => ({
      hits: rows.filter((row) => wanted.every(({ column, value }) => column?.value(row) === value)).length,
      of: rows.length,
    });
    const [since, before] = [shareIn(later), shareIn(earlier)];
    return since.hits * before.of > before.hits * since.of ? { since, before } : undefined;
  }

  #commonCode(rows: readonly number[]): Standout['code'] {
    const column = this.#columns.column('error_code');
    if (column === undefined) return undefined;
    const hits = this.#hitsOf(rows);
    const counts = countCodes(column, hits);
    const half = counts.findIndex((count, code) => code > 0 && count > 0 && 2 * count >= hits.length);
    const code = column.values[half];
    return code === undefined ? undefined : { code, hits: counts[half] ?? 0 };
  }
}

function split(
  rows: readonly number[],
  test: RowTest,
): readonly [having: readonly number[], lacking: readonly number[]] {
  return [rows.filter(test), rows.filter((row) => !test(row))];
}
