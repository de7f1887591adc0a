import { t } from '@vscode/l10n';
import { formatElapsed } from '../../../base/duration.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { describeKind } from '../../../jobs/common/jobRow.ts';

/** Times of jobs by row, in milliseconds; NaN if missing. */
interface RowTimes {
  readonly created: readonly number[];
  readonly completed: readonly number[];
  processingMs(row: number): number;
}

/** Formats a time in milliseconds since the epoch. */
export interface TimeFormat {
  format(atMs: number): string;
}

/** A column of the board. Keys of metadata and parameters are columns without a description. */
export interface BoardColumn {
  readonly key: string;
  /** Localised. */
  readonly title: () => string;
  /** Returns the stored value. */
  readonly ofJob?: (job: Job) => string | undefined;
  /** True if What Changed? may explain a difference by its values: they describe the input of a job, not its outcome. */
  readonly explains?: true;
  /** Field of the item with the stored value. */
  readonly ofItem?: string;
  /** Returns the number of a row that is shown and sorted by, largest first; NaN if missing. */
  readonly numberOf?: (times: RowTimes, row: number) => number;
  readonly format?: (number: number, time: TimeFormat) => string;
  /** True if it is aligned like a number. */
  readonly isNumeric?: boolean;
  readonly widths?: ColumnWidths;
  /** Returns a value that must fit, if it may be wider than the title. */
  readonly longest?: () => string;
}

/** Widths of a column in pixels, as long as the user has not resized it. */
export interface ColumnWidths {
  /** Preferred width. Columns share the width of the table in the ratio of these. */
  readonly usual: number;
  readonly min: number;
}

const otherWidths: ColumnWidths = { usual: 140, min: 90 };

/** Column of the failures that were marked as handled, which no item says. */
export const handledKey = 'handled';

const formatTime: BoardColumn['format'] = (atMs, time) => time.format(atMs);

/** All columns with a description, in the order in which they are offered. */
export const boardColumns: readonly BoardColumn[] = [
  { key: 'label', title: () => t('Job'), widths: { usual: 220, min: 114 } },
  {
    key: 'created_at',
    title: () => t('Created'),
    numberOf: ({ created }, row) => created[row] ?? NaN,
    format: formatTime,
    widths: { usual: 170, min: 142 },
  },
  { key: 'status', title: () => t('Status'), ofJob: ({ status }) => status, widths: { usual: 118, min: 110 } },
  {
    key: 'kind',
    title: () => t('Kind'),
    ofJob: ({ kind }) => kind,
    explains: true,
    widths: { usual: 120, min: 104 },
    longest: () => describeKind('pre-recorded'),
  },
  { key: 'id', title: () => t('ID'), ofJob: ({ id }) => id, widths: { usual: 300, min: 64 } },
  { key: 'request_id', title: () => t('Request ID'), ofItem: 'request_id' },
  {
    key: 'error_code',
    title: () => t('Error code'),
    ofJob: ({ errorCode }) => (errorCode === undefined ? undefined : String(errorCode)),
    widths: { usual: 124, min: 98 },
  },
  { key: handledKey, title: () => t('Handled'), widths: { usual: 100, min: 76 } },
  {
    key: 'processing_time',
    title: () => t('Processing time'),
    numberOf: (times, row) => times.processingMs(row),
    format: (tookMs) => formatElapsed(tookMs),
    isNumeric: true,
    widths: { usual: 150, min: 132 },
  },
  {
    key: 'completed_at',
    title: () => t('Completed'),
    numberOf: ({ completed }, row) => completed[row] ?? NaN,
    format: formatTime,
    widths: { usual: 170, min: 142 },
  },
  { key: 'version', title: () => t('Version'), ofItem: 'version' },
];

const byKey = new Map(boardColumns.map((column) => [column.key, column]));

/** Returns the description of a column; undefined for a key of metadata or parameters. */
export function boardColumn(key: string): BoardColumn | undefined {
  return byKey.get(key);
}

/** Returns the widths of a column, also of a key of metadata or parameters. The minimum is for English and for longer titles. */
export function columnWidths(key: string): ColumnWidths {
  const { title, longest, widths } = byKey.get(key) ?? {};
  return widths === undefined ? otherWidths : fitWidths(widths, title?.(), longest?.());
}

/** Returns the widths of a column whose minimum fits its title and a value. */
export function fitWidths({ usual, min }: ColumnWidths, title = '', longest = ''): ColumnWidths {
  // Approximate widths of a letter in a heading and in a cell, and of the space around them.
  const ofTitle = 15 + 7.8 * title.length;
  const ofValue = 20 + 7 * longest.length;
  return { usual, min: Math.ceil(Math.max(min, ofTitle, ofValue)) };
}
