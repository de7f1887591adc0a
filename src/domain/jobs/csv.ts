import { suggestMetadata } from './findJobs.ts';
import type { Job, ListEntry } from './job.ts';
import { readMembers } from '../json/jsonText.ts';

/**
 * Where a spreadsheet may begin a formula: at the beginning of a cell, and after a semicolon, tab or line break, at which some
 * countries' spreadsheets split a cell whatever its quotes say. The full-width signs count in some of them too.
 */
const formulaStart = /(?<=^|[;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g;

/** Which columns a file of jobs has besides those that all have. */
export interface CsvOptions {
  /** Keys of `custom_metadata` that get a column of their own. Every key stands in the column `custom_metadata` as well. */
  readonly metadataKeys?: readonly string[];
  /** A column with the parameters of live sessions (contract 2.3), which are long. */
  readonly withParameters?: boolean;
}

/** How a file of jobs is put together. */
export interface CsvForm {
  /** What comes first: the mark by which spreadsheets know that the text is UTF-8, and the names of the columns. */
  readonly head: string;
  readonly record: (job: Job) => string;
}

/** The fields of contract 2.2, in its order. */
const fields = [
  'id',
  'request_id',
  'version',
  'status',
  'created_at',
  'completed_at',
  'kind',
  'custom_metadata',
  'post_session_metadata',
  'error_code',
] as const;

/**
 * A row per job: texts as they are, objects as their JSON text, byte for byte. What people look for first stands in plain columns
 * behind: the seconds from creation to completion, and the wanted keys of the metadata, named as in the item.
 */
export function makeCsvForm({ metadataKeys = [], withParameters = false }: CsvOptions = {}): CsvForm {
  const columns = [...fields, ...(withParameters ? ['request_params'] : [])];
  const names = [...columns, 'processing_seconds', ...metadataKeys.map((key) => `custom_metadata.${key}`)];
  return {
    head: `\ufeff${formatCsvRecord(names)}`,
    record: (job) => {
      const texts = textsByKey(job.raw);
      const metadata = textsByKey(texts.get('custom_metadata') ?? '');
      return formatCsvRecord([
        // The list that was asked tells the kind of an item that does not.
        ...columns.map((column) => (column === 'kind' ? job.kind : cellText(texts.get(column)))),
        processingSeconds(job),
        ...metadataKeys.map((key) => cellText(metadata.get(key))),
      ]);
    },
  };
}

function textsByKey(json: string): ReadonlyMap<string, string> {
  return new Map(readMembers(json).map(({ key, text }) => [key, text]));
}

function cellText(json: string | undefined): string {
  if (json === undefined || json === 'null') return '';
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** Empty when either time is unknown, or they contradict each other. */
function processingSeconds({ createdAtMs, completedAtMs }: Job): string {
  if (createdAtMs === undefined || completedAtMs === undefined || completedAtMs < createdAtMs) return '';
  return String((completedAtMs - createdAtMs) / 1000);
}

/** More columns nobody reads side by side. */
const mostMetadataColumns = 30;

/** The keys that get a column: those of the first jobs of a file, the most frequent first. Jobs that come later may have others. */
export function chooseMetadataColumns(entries: readonly ListEntry[]): readonly string[] {
  const jobs = entries.filter((entry) => entry.type === 'job');
  return suggestMetadata(jobs)
    .slice(0, mostMetadataColumns)
    .map(({ key }) => key);
}

/**
 * A cell as RFC 4180 writes it. What a spreadsheet could run as a formula gets an apostrophe before it, which spreadsheets
 * read as "this is text". It is what a cell says, no more and no less, and so is not cut.
 */
export function formatCsvCell(text: string): string {
  const started = /^[\t\r\n]/.test(text) ? `'${text}` : text;
  const harmless = started.replace(formulaStart, "'");
  // Quotes also where RFC 4180 needs none but a spreadsheet may split: in some countries at semicolons, and at tabs.
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A record with its line end. */
export function formatCsvRecord(cells: readonly string[]): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`;
}
