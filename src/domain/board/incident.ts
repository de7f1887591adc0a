import type { JobColumns } from './jobColumns.ts';
import type { TimeRange } from './boardView.ts';
import { findRise } from './gradualOnset.ts';
import { isShared, type ValueColumn } from './valueColumn.ts';

/** Hits out of a number of jobs. */
export interface Share {
  readonly hits: number;
  readonly of: number;
}

/** A stretch of time in which jobs belong to a group far more often than before and after. */
export interface Onset {
  /** It began between these two times, in milliseconds since the epoch; undefined when it was there from the start of what was read. */
  readonly between: TimeRange | undefined;
  /** It ended between these two times; undefined when it had not clearly ended by the last job that was read. */
  readonly endBetween: TimeRange | undefined;
  /** The last job of the stretch. */
  readonly endMs: number;
  /** The share of the group before and after the stretch, and within it. */
  readonly outside: Share;
  readonly inside: Share;
  /** The rows of the stretch, in order of time. */
  readonly rows: Uint32Array;
  /** Natural logarithm of how much more likely two shares are than one. */
  readonly ratio: number;
}

/** A value that sets jobs apart from others. */
export interface Difference {
  readonly key: string;
  readonly value: string;
  /** Share of the group among jobs with this value, and among all others. */
  readonly having: Share;
  readonly lacking: Share;
  /** Logarithm of the likelihood ratio: how little chance explains it. */
  readonly score: number;
}

/** The scan looks at this many parts first, all pairs of them. */
const scanParts = 240;
/**
 * Likelihood ratios (natural logarithms) below this are met by chance in about one of a hundred scans of jobs without any change.
 */
const tellingRatio = 12;
/** Beginnings and ends that are this much less likely than the best one are still possible. */
const possibleRatio = 4;
/** An end is told where an incident that goes on is this much less likely: there are many places at which chance could end it. */
const overRatio = 6;
/** Fewer of a group show nothing. */
export const fewestHits = 5;

/**
 * Finds the stretch of time in which a group is most unlike the rest, by likelihood. Undefined when chance explains it.
 * @param rows in order of creation; those without a time are left out
 * @param isHit whether a row belongs to the group
 */
export function findOnset(
  created: Float64Array,
  rows: Uint32Array,
  isHit: (row: number) => boolean,
): Onset | undefined {
  const dated = rows.filter((row) => !Number.isNaN(created[row] ?? NaN));
  const n = dated.length;
  const sums = new Uint32Array(n + 1);
  for (let place = 0; place < n; place++) {
    sums[place + 1] = (sums[place] ?? 0) + (isHit(dated[place] ?? 0) ? 1 : 0);
  }
  const all = sums[n] ?? 0;
  if (all < fewestHits || all === n) return undefined;
  const ratio = (start: number, end: number): number =>
    likelihoodGain((sums[end] ?? 0) - (sums[start] ?? 0), end - start, all, n);
  let best = scan(n, ratio);
  for (let round = 0; round < 3; round++) best = refine(best, n, ratio);
  if (best.ratio < tellingRatio || (sums[best.end] ?? 0) - (sums[best.start] ?? 0) < fewestHits) return undefined;
  const starts = possiblePlaces(0, best.end - 1, best.ratio, (start) => ratio(start, best.end));
  const ends = possiblePlaces(best.start + 1, n, best.ratio, (end) => ratio(best.start, end));
  // A few jobs after it that were spared do not show that it is over.
  const end = best.ratio - ratio(best.start, n) < overRatio ? n : best.end;
  const timeAt = (place: number): number => created[dated[place] ?? 0] ?? NaN;
  const hits = (sums[end] ?? 0) - (sums[best.start] ?? 0);
  const jobs = { timeAt, hitsBefore: (place: number) => sums[place] ?? 0, start: best.start, end };
  return {
    // Worked out when it is asked for: only the likeliest of many onsets is told.
    get between() {
      if (starts.first === 0 && best.start === 0) return undefined;
      const rise = findRise(jobs, { of: n, hits: all });
      return {
        fromMs: Math.min(rise.fromMs, timeAt(Math.max(0, starts.first - 1))),
        toMs: Math.max(rise.toMs, timeAt(starts.last)),
      };
    },
    endBetween: end === n ? undefined : { fromMs: timeAt(ends.first - 1), toMs: timeAt(ends.last) },
    endMs: timeAt(end - 1),
    inside: { hits, of: end - best.start },
    outside: { hits: all - hits, of: n - (end - best.start) },
    rows: dated.slice(best.start, end),
    ratio: best.ratio,
  };
}

/** Places `start` (inclusive) to `end` (exclusive), and how much more likely two shares are than one. */
interface Stretch {
  readonly start: number;
  readonly end: number;
  readonly ratio: number;
}

function scan(n: number, ratio: (start: number, end: number) => number): Stretch {
  const parts = Math.min(n, scanParts);
  const edge = (part: number): number => Math.round((part * n) / parts);
  let best: Stretch = { start: 0, end: n, ratio: 0 };
  for (let from = 0; from < parts; from++) {
    for (let to = from + 1; to <= parts; to++) {
      const found = ratio(edge(from), edge(to));
      if (found > best.ratio) best = { start: edge(from), end: edge(to), ratio: found };
    }
  }
  return best;
}

/** The best start for this end, then the best end for that start, to the job. */
function refine(coarse: Stretch, n: number, ratio: (start: number, end: number) => number): Stretch {
  const reach = Math.ceil(n / Math.min(n, scanParts)) * 2;
  let best = coarse;
  for (
    let start = Math.max(0, coarse.start - reach);
    start <= Math.min(coarse.end - 1, coarse.start + reach);
    start++
  ) {
    const found = ratio(start, best.end);
    if (found > best.ratio) best = { ...best, start, ratio: found };
  }
  for (let end = Math.max(best.start + 1, best.end - reach); end <= Math.min(n, coarse.end + reach); end++) {
    const found = ratio(best.start, end);
    if (found > best.ratio) best = { ...best, end, ratio: found };
  }
  return best;
}

/** The first and the last of some places that are not much less likely than the best one. */
function possiblePlaces(from: number, to: number, best: number, ratioAt: (place: number) => number) {
  let first = to;
  let last = from;
  for (let place = from; place <= to; place++) {
    if (best - ratioAt(place) > possibleRatio) continue;
    first = Math.min(first, place);
    last = Math.max(last, place);
  }
  return { first, last };
}

/** How much more likely it is that a part has a higher share than the rest, than that all have one; 0 where its share is not higher. */
function likelihoodGain(hits: number, of: number, all: number, n: number): number {
  const otherHits = all - hits;
  const others = n - of;
  if (of === 0 || others === 0 || hits * others <= otherHits * of) return 0;
  return logLikelihood(hits, of) + logLikelihood(otherHits, others) - logLikelihood(all, n);
}

function logLikelihood(hits: number, of: number): number {
  return part(hits, of) + part(of - hits, of);
}

function part(hits: number, of: number): number {
  return hits === 0 ? 0 : hits * Math.log(hits / of);
}

/** A stretch as it is told: from one full minute to another, so that all its figures are those of the time that is named. */
interface ToldOnset extends Pick<Onset, 'between' | 'endBetween' | 'inside' | 'outside' | 'rows' | 'ratio'> {
  readonly within: TimeRange;
  /** When the last of all jobs was created. */
  readonly latestMs: number;
  /** How many of the group came after the stretch, and when the last of them did. */
  readonly later: number;
  readonly lastMs: number | undefined;
}

/** What is known of a change: when it began, and what the jobs concerned have in common. */
export interface Explanation {
  readonly onset: ToldOnset | undefined;
  /** The most telling first. */
  readonly differences: readonly Difference[];
  /** The time whose jobs the differences compare; undefined where it is that of all rows. */
  readonly compared: TimeRange | undefined;
}

/**
 * Explains the jobs of a group: when they began to be more, and which values set them apart from the jobs of that time, or from all
 * others where that time has too few others to tell. Where a value does, the beginning is dated by the jobs that have it, which tell it
 * more sharply.
 * @param rows in order of creation
 */
export function explainGroup(columns: JobColumns, rows: Uint32Array, isHit: (row: number) => boolean): Explanation {
  const { created } = columns;
  const coarse = findOnset(created, rows, isHit);
  const compare = (of: Uint32Array): readonly Difference[] => findDifferences(columns, of, isHit, false);
  const ofStretch = coarse === undefined ? [] : compare(coarse.rows);
  const [first] = ofStretch.length > 0 ? ofStretch : compare(rows);
  const having =
    first === undefined ? undefined : rows.filter((row) => columns.column(first.key)?.value(row) === first.value);
  const sharp = having === undefined ? undefined : findOnset(created, having, isHit);
  const found = likelier(sharp ?? coarse, findOnsetOfValue(columns, rows, isHit));
  if (found === undefined) return { onset: undefined, differences: compare(rows), compared: undefined };
  const onset = tellOnset(created, rows, found, isHit);
  const differences = compare(onset.rows);
  return differences.length > 0
    ? { onset, differences, compared: onset.within }
    : { onset, differences: compare(rows), compared: undefined };
}

const minuteMs = 60_000;

/** The same stretch of time in full minutes, with the jobs of all rows. */
function tellOnset(created: Float64Array, rows: Uint32Array, onset: Onset, isHit: (row: number) => boolean): ToldOnset {
  const { between, endBetween, endMs, rows: found, ratio } = onset;
  const timeOf = (row: number | undefined): number => created[row ?? 0] ?? NaN;
  const dated = rows.filter((row) => !Number.isNaN(timeOf(row)));
  const fromMs = Math.floor(timeOf(found[0]) / minuteMs) * minuteMs;
  const latestMs = timeOf(dated.at(-1));
  const toMs = (Math.floor((endBetween === undefined ? latestMs : endMs) / minuteMs) + 1) * minuteMs;
  const inside = dated.filter((row) => timeOf(row) >= fromMs && timeOf(row) < toMs);
  const hits = dated.filter(isHit);
  const later = hits.filter((row) => timeOf(row) >= toMs);
  const hitsInside = inside.filter(isHit).length;
  return {
    between,
    endBetween,
    within: { fromMs, toMs },
    latestMs,
    later: later.length,
    lastMs: later.length === 0 ? undefined : timeOf(later.at(-1)),
    inside: { hits: hitsInside, of: inside.length },
    outside: { hits: hits.length - hitsInside, of: dated.length - inside.length },
    rows: inside,
    ratio,
  };
}

/**
 * Explains the failures of the one error code that most clearly began to be more, where those of all codes show no beginning: jobs that fail
 * now and then, with whatever code, hide it. Undefined where no code shows one.
 * @param rows in order of creation
 */
export function explainCode(
  columns: JobColumns,
  rows: Uint32Array,
  isHit: (row: number) => boolean,
): (Explanation & { readonly code: string }) | undefined {
  const column = columns.column('error_code');
  if (column === undefined) return undefined;
  const marks = Uint8Array.from(rows, (row) => (isHit(row) ? 1 : 0));
  const codes = countValues(column, rows, marks)
    .filter(({ having }) => having >= fewestHits)
    .toSorted((a, b) => b.having - a.having)
    .slice(0, mostSearched);
  const isOf = (code: string) => (row: number) => isHit(row) && column.value(row) === code;
  const ratios = codes.map(({ value }) => findOnset(columns.created, rows, isOf(value))?.ratio ?? 0);
  const likeliest = codes[ratios.indexOf(Math.max(...ratios))];
  if (likeliest === undefined) return undefined;
  const explanation = explainGroup(columns, rows, isOf(likeliest.value));
  // The more codes are searched, the more one has to say.
  return explanation.onset !== undefined && explanation.onset.ratio >= tellingRatio + Math.log(codes.length)
    ? { ...explanation, code: likeliest.value }
    : undefined;
}

/** The error code that at least half of the failures among some rows have, and how many of them; undefined where none has. */
export function commonCode(columns: JobColumns, rows: Uint32Array, isHit: (row: number) => boolean) {
  const column = columns.column('error_code');
  const failed = rows.filter(isHit);
  const [most] =
    column === undefined ? [] : countValues(column, failed, new Uint8Array()).toSorted((a, b) => b.of - a.of);
  return most === undefined || 2 * most.of < failed.length ? undefined : { code: most.value, hits: most.of };
}

/** Values whose own time is searched, those of most of the group: each takes about 5 ms. */
const mostSearched = 24;

/**
 * The stretch of time in which the jobs with one value are most unlike the others with that value: what befalls one customer for an hour
 * may show neither among all jobs of that hour nor among all jobs of that customer.
 */
function findOnsetOfValue(columns: JobColumns, rows: Uint32Array, isHit: (row: number) => boolean): Onset | undefined {
  const marks = Uint8Array.from(rows, (row) => (isHit(row) ? 1 : 0));
  const values = columns.values.flatMap((column) =>
    // Without codes, hardly any job shares a value.
    outcomeKeys.has(column.key) || !column.isCoded
      ? []
      : countValues(column, rows, marks)
          .filter(({ of, having }) => having >= fewestHits && of < rows.length && isShared(of, rows.length))
          .map(({ value, having }) => ({ column, value, having })),
  );
  const searched = values.toSorted((a, b) => b.having - a.having).slice(0, mostSearched);
  let best: Onset | undefined;
  for (const { column, value } of searched) {
    const code = column.codeOf(value);
    const having = rows.filter((row) => column.code(row) === code);
    best = likelier(best, findOnset(columns.created, having, isHit));
  }
  // The more values are searched, the more one has to say.
  return best !== undefined && best.ratio >= tellingRatio + Math.log(searched.length) ? best : undefined;
}

function likelier(one: Onset | undefined, other: Onset | undefined): Onset | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.ratio > one.ratio + Math.log(mostSearched) ? other : one;
}

/** Fields that describe how a job went, or its name, and not how it was made. */
const outcomeKeys: ReadonlySet<string> = new Set(['id', 'request_id', 'version', 'status', 'error_code']);

/**
 * The values that set the jobs of a group apart from others, the most telling first. Chance is allowed for: the more values are compared,
 * the more a difference has to say. Values that hardly any job shares, and one that all have, can tell nothing, and are not compared.
 * @param rows the jobs to compare, those of the group among them
 * @param isHit whether a row belongs to the group
 * @param withOutcomes whether status and error code may be what sets them apart
 */
export function findDifferences(
  columns: JobColumns,
  rows: Uint32Array,
  isHit: (row: number) => boolean,
  withOutcomes: boolean,
): readonly Difference[] {
  const marks = Uint8Array.from(rows, (row) => (isHit(row) ? 1 : 0));
  const all = marks.reduce((sum, each) => sum + each, 0);
  if (all < fewestHits || all === rows.length) return [];
  let compared = 0;
  const found: Difference[] = [];
  for (const column of columns.values) {
    const isOutcome = outcomeKeys.has(column.key);
    if (isOutcome && !(withOutcomes && ['status', 'error_code'].includes(column.key))) continue;
    for (const { value, of, having } of countValues(column, rows, marks)) {
      if (!isShared(of, rows.length) || of === rows.length) continue;
      compared++;
      if (having < fewestHits) continue;
      const score = likelihoodGain(having, of, all, rows.length);
      found.push({
        key: column.key,
        value,
        having: { hits: having, of },
        lacking: { hits: all - having, of: rows.length - of },
        score,
      });
    }
  }
  const least = Math.log(Math.max(1, compared)) + 5;
  return found.filter(({ score }) => score >= least).toSorted((a, b) => b.score - a.score);
}

/** A value with the number of rows that have it, and of those of the group among them. */
interface ValueCount {
  readonly value: string;
  readonly of: number;
  readonly having: number;
}

/** The values that these rows have. @param marks by place among the rows, 1 for one of the group */
function countValues(column: ValueColumn, rows: Uint32Array, marks: Uint8Array): readonly ValueCount[] {
  if (!column.isCoded) return countTexts(column, rows, marks);
  const width = column.values.length;
  const counts = new Uint32Array(width);
  const hits = new Uint32Array(width);
  for (const [place, row] of rows.entries()) {
    const code = column.code(row);
    counts[code] = (counts[code] ?? 0) + 1;
    if (marks[place] === 1) hits[code] = (hits[code] ?? 0) + 1;
  }
  return column.values.flatMap((value, code) => {
    const of = counts[code] ?? 0;
    return code === 0 || of === 0 ? [] : [{ value, of, having: hits[code] ?? 0 }];
  });
}

/** The same where most values are of one job alone, and few of many. */
function countTexts(column: ValueColumn, rows: Uint32Array, marks: Uint8Array): readonly ValueCount[] {
  const counts = new Map<string, { of: number; having: number }>();
  for (const [place, row] of rows.entries()) {
    const value = column.value(row);
    if (value === undefined) continue;
    const count = counts.get(value) ?? { of: 0, having: 0 };
    count.of++;
    count.having += marks[place] ?? 0;
    counts.set(value, count);
  }
  return Array.from(counts, ([value, count]) => ({ value, ...count }));
}
