import type { BoardData, BoardView, TimeRange } from './boardView.ts';
import type { JobColumns } from './jobColumns.ts';

/** Jobs that were created within one part of time. */
interface PulseBin extends TimeRange {
  /** By status, in the order of {@link pulseStatuses}. */
  readonly byStatus: readonly number[];
  /** Processing times in milliseconds; undefined where no job of this time tells any. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
}

/**
 * What times are of. How long a live session took is not how long a file was processed, and a percentile of both says nothing of either: they
 * are of pre-recorded jobs, and of sessions only where nothing else has a time.
 */
interface Timed {
  readonly of: 'processing' | 'session';
  /** Whether sessions are left out. */
  readonly isPart: boolean;
}

/** The course of a board's jobs over time. */
export interface Pulse {
  readonly bins: readonly PulseBin[];
  readonly timed: Timed;
  /** Jobs without a usable creation time, or one outside the window. */
  readonly elsewhere: number;
}

/** Times in milliseconds; undefined where no job tells any. */
export interface ProcessingTimes {
  readonly timed: Timed;
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
}

/** Statuses as stacked: the last stands for any that the contract does not name. */
export const pulseStatuses = ['done', 'error', 'processing', 'queued', 'unknown'] as const;

const maxBins = 96;
/** Lengths of a bin that people read easily, in minutes. */
const niceMinutes = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080];

/** Divides a window into parts of a plain length that begin at full hours or days (UTC). */
function chooseBins({ fromMs, toMs }: TimeRange): readonly TimeRange[] {
  const spanMs = Math.max(1, toMs - fromMs);
  const minutes =
    niceMinutes.find((each) => spanMs / (each * 60_000) <= maxBins - 1) ?? spanMs / 60_000 / (maxBins - 1);
  const stepMs = minutes * 60_000;
  const firstMs = Math.floor(fromMs / stepMs) * stepMs;
  const length = Math.max(1, Math.ceil((toMs - firstMs) / stepMs));
  return Array.from({ length }, (_, index) => ({
    fromMs: firstMs + index * stepMs,
    toMs: firstMs + (index + 1) * stepMs,
  }));
}

const width = pulseStatuses.length;

/** What the pulse of a board's jobs needs whatever narrows them down. */
export interface Timeline {
  readonly bins: readonly TimeRange[];
  /** By row: `bin * pulseStatuses.length + status`, or -1 without a usable creation time. */
  readonly places: readonly number[];
  /** The rows with a processing time that are no live sessions, the shortest first. */
  readonly recordedRows: readonly number[];
  /** Live sessions with a time, the shortest first. */
  readonly sessionRows: readonly number[];
  /** The times by row; NaN where there is none. */
  readonly tookMs: readonly number[];
}

/** Rows that pass and whose times are shown, the shortest first. */
export interface TimedRows {
  readonly rows: readonly number[];
  readonly timed: Timed;
}

/** @param byDuration all rows, the shortest processing time first, missing ones last */
export function layTimeline({ columns, size }: BoardData, window: TimeRange, byDuration: readonly number[]): Timeline {
  const bins = chooseBins(window);
  const tookMs = Array.from({ length: size }, (_, row) => columns.processingMs(row));
  const kind = columns.column('kind');
  const timedRows = byDuration.filter((row) => !Number.isNaN(tookMs[row] ?? NaN));
  return {
    bins,
    places: placeRows(columns, size, bins),
    recordedRows: timedRows.filter((row) => kind?.value(row) !== 'live'),
    sessionRows: timedRows.filter((row) => kind?.value(row) === 'live'),
    tookMs,
  };
}

function placeRows(columns: JobColumns, size: number, bins: readonly TimeRange[]): readonly number[] {
  const [first] = bins;
  const startMs = first?.fromMs ?? 0;
  const stepMs = first === undefined ? 1 : first.toMs - first.fromMs;
  const { values = [undefined], codes = [] } = columns.column('status') ?? {};
  const ofStatus = values.map(placeOfStatus);
  return columns.created.slice(0, size).map((atMs, row) => {
    const bin = Math.floor((atMs - startMs) / stepMs);
    const isWithin = bin >= 0 && bin < bins.length;
    return isWithin ? bin * width + (ofStatus[codes[row] ?? 0] ?? width - 1) : -1;
  });
}

function placeOfStatus(value: string | undefined): number {
  const place = pulseStatuses.findIndex((status) => status === value);
  return place < 0 ? width - 1 : place;
}

/**
 * Counts the jobs that pass by time and status. A brushed range narrows the rows but not the pulse, which shows what is around it.
 * @param view without a range of time
 * @param timed its rows whose times are told
 */
export function measurePulse(
  view: BoardView,
  timeline: Timeline,
  { rows, timed } = chooseTimed(view, timeline),
): Pulse {
  const { bins } = timeline;
  const counts = countPlaces(view.rows, timeline);
  const elsewhere = view.rows.length - sumOf(counts);
  const ofBins = timesOfBins(rows, timeline);
  return {
    bins: bins.map((bin, index) => ({
      ...bin,
      byStatus: counts.slice(index * width, (index + 1) * width),
      p50Ms: percentile(0.5, ofBins[index] ?? []),
      p95Ms: percentile(0.95, ofBins[index] ?? []),
    })),
    timed,
    elsewhere,
  };
}

/** The percentiles of the times of rows: of all that pass, those in a brushed range too. */
export function measureTimes({ rows, timed }: TimedRows, { tookMs }: Timeline): ProcessingTimes {
  const times = rows.map((row) => tookMs[row] ?? NaN);
  return { timed, p50Ms: percentile(0.5, times), p95Ms: percentile(0.95, times) };
}

/** The time that at least a share of the jobs kept to. @param times the shortest first */
function percentile(share: number, times: readonly number[]): number | undefined {
  return times[Math.max(1, Math.ceil(share * times.length)) - 1];
}

/** The rows that pass and whose times are told: those of pre-recorded jobs, and of sessions only where there are no others. */
export function chooseTimed(view: BoardView, { recordedRows, sessionRows }: Timeline): TimedRows {
  const recorded = recordedRows.filter(view.passes);
  const sessions = sessionRows.filter(view.passes);
  return recorded.length > 0 || sessions.length === 0
    ? { rows: recorded, timed: { of: 'processing', isPart: sessions.length > 0 } }
    : { rows: sessions, timed: { of: 'session', isPart: false } };
}

/** How many rows stand at each place. */
function countPlaces(rows: readonly number[], { bins, places }: Timeline): readonly number[] {
  const counts = Array.from({ length: bins.length * width }, () => 0);
  for (const row of rows) {
    const place = places[row] ?? -1;
    if (place >= 0) counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

/** The times of the rows in each bin, the shortest first. @param rows the shortest time first */
function timesOfBins(rows: readonly number[], { bins, places, tookMs }: Timeline): readonly (readonly number[])[] {
  const times = bins.map((): number[] => []);
  for (const row of rows) times[Math.floor((places[row] ?? -1) / width)]?.push(tookMs[row] ?? NaN);
  return times;
}
