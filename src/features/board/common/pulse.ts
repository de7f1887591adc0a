import { minuteMs } from '../../../base/time.ts';
import { percentileOfSorted } from '../../../jobs/common/processingMs.ts';
import type { BoardData, BoardView, TimeRange } from './boardView.ts';
import type { JobColumns } from './jobColumns.ts';

/** Jobs that were created within one interval. */
interface PulseBin extends TimeRange {
  /** Counts by status, in the order of {@link pulseStatuses}. */
  readonly byStatus: readonly number[];
  /** Processing times in milliseconds; undefined if no job of this interval has one. */
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
}

/**
 * Kind of the measured times. The length of a live session and the processing time of a file are not comparable, and a percentile of both
 * says nothing about either: the times are those of pre-recorded jobs, or of sessions only if nothing else has a time.
 */
interface Timed {
  readonly of: 'processing' | 'session';
  /** True if sessions are left out. */
  readonly isPart: boolean;
}

/** Jobs of a board over time. */
export interface Pulse {
  readonly bins: readonly PulseBin[];
  readonly timed: Timed;
  /** Number of jobs without a usable creation time, or created outside the window. */
  readonly elsewhere: number;
}

/** Times in milliseconds; undefined if no job has one. */
export interface ProcessingTimes {
  readonly timed: Timed;
  readonly p50Ms: number | undefined;
  readonly p95Ms: number | undefined;
}

/** Statuses in stacking order. The last one covers all statuses that the contract does not name. */
export const pulseStatuses = ['done', 'error', 'processing', 'queued', 'unknown'] as const;

const maxBins = 96;
/** Readable lengths of a bin, in minutes. */
const niceMinutes = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080];

/** Divides a window into bins of a readable length that begin at full hours or days (UTC). */
function chooseBins({ fromMs, toMs }: TimeRange): readonly TimeRange[] {
  const spanMs = Math.max(1, toMs - fromMs);
  const minutes =
    niceMinutes.find((each) => spanMs / (each * minuteMs) <= maxBins - 1) ?? spanMs / minuteMs / (maxBins - 1);
  const stepMs = minutes * minuteMs;
  const firstMs = Math.floor(fromMs / stepMs) * stepMs;
  const length = Math.max(1, Math.ceil((toMs - firstMs) / stepMs));
  return Array.from({ length }, (_, index) => ({
    fromMs: firstMs + index * stepMs,
    toMs: firstMs + (index + 1) * stepMs,
  }));
}

const width = pulseStatuses.length;

/** Data of a board's jobs that does not depend on the conditions. */
export interface Timeline {
  readonly bins: readonly TimeRange[];
  /** By row: `bin * pulseStatuses.length + status`, or -1 without a usable creation time. */
  readonly places: readonly number[];
  /** Rows with a processing time that are not live sessions, shortest first. */
  readonly recordedRows: readonly number[];
  /** Live sessions with a time, shortest first. */
  readonly sessionRows: readonly number[];
  /** Processing times by row; NaN if missing. */
  readonly tookMs: readonly number[];
}

/** Rows that meet the conditions and whose times are shown, shortest first. */
export interface TimedRows {
  readonly rows: readonly number[];
  readonly timed: Timed;
}

/** @param byDuration all rows, shortest processing time first, missing times last */
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
 * Counts the jobs that meet the conditions by time and status. A brushed range narrows the rows but not the pulse, which also shows the
 * time around it.
 * @param view without a range of time
 * @param timed rows of the view whose times are shown
 */
export function measurePulse(
  view: BoardView,
  timeline: Timeline,
  { rows, timed } = chooseTimed(view, timeline),
): Pulse {
  const { bins } = timeline;
  const counts = countPlaces(view.rows, timeline);
  const elsewhere = view.rows.length - counts.reduce((sum, count) => sum + count, 0);
  const ofBins = timesOfBins(rows, timeline);
  return {
    bins: bins.map((bin, index) => ({
      ...bin,
      byStatus: counts.slice(index * width, (index + 1) * width),
      p50Ms: percentileOfSorted(ofBins[index] ?? [], 0.5),
      p95Ms: percentileOfSorted(ofBins[index] ?? [], 0.95),
    })),
    timed,
    elsewhere,
  };
}

/** Returns the percentiles of the times of rows: of all that meet the conditions, including a brushed range. */
export function measureTimes({ rows, timed }: TimedRows, { tookMs }: Timeline): ProcessingTimes {
  const times = rows.map((row) => tookMs[row] ?? NaN);
  return { timed, p50Ms: percentileOfSorted(times, 0.5), p95Ms: percentileOfSorted(times, 0.95) };
}

/** Returns the rows that meet the conditions and whose times are shown: pre-recorded jobs, or sessions if there are no others. */
export function chooseTimed(view: BoardView, { recordedRows, sessionRows }: Timeline): TimedRows {
  const recorded = recordedRows.filter(view.passes);
  const sessions = sessionRows.filter(view.passes);
  return recorded.length > 0 || sessions.length === 0
    ? { rows: recorded, timed: { of: 'processing', isPart: sessions.length > 0 } }
    : { rows: sessions, timed: { of: 'session', isPart: false } };
}

/** Counts the rows at each place. */
function countPlaces(rows: readonly number[], { bins, places }: Timeline): readonly number[] {
  const counts = Array.from({ length: bins.length * width }, () => 0);
  for (const row of rows) {
    const place = places[row] ?? -1;
    if (place >= 0) counts[place] = (counts[place] ?? 0) + 1;
  }
  return counts;
}

/** Returns the times of the rows in each bin, shortest first. @param rows sorted, shortest time first */
function timesOfBins(rows: readonly number[], { bins, places, tookMs }: Timeline): readonly (readonly number[])[] {
  const times = bins.map((): number[] => []);
  for (const row of rows) times[Math.floor((places[row] ?? -1) / width)]?.push(tookMs[row] ?? NaN);
  return times;
}
