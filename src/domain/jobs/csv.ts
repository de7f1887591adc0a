import type { Job } from './job.ts';
import { readMembers } from '../json/jsonText.ts';

/**
 * Where a spreadsheet may begin a formula: at the beginning of a cell, and after a semicolon, tab or line break, at which some
 * countries' spreadsheets split a cell whatever its quotes say. The full-width signs count in some of them too.
 */
const formulaStart = /(?<=^|[;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g;

/** The fields of contract 2.2, in its order. */
const columns = [
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
  'request_params',
] as const;

/** The first record: the names of the columns. */
export const csvHeader = formatCsvRecord(columns);

/**
 * A job as one record: texts as they are, objects as their JSON text, byte for byte. Metadata does not get a column per key:
 * a file that is written while it is read cannot know the keys to come, and columns that depend on the data serve no script.
 */
export function formatCsvJob(job: Job): string {
  const texts = new Map(readMembers(job.raw).map(({ key, text }) => [key, text]));
  return formatCsvRecord(
    columns.map((column) => {
      // The list that was asked tells the kind of an item that does not.
      if (column === 'kind') return job.kind;
      return cellText(texts.get(column) ?? 'null');
    }),
  );
}

function cellText(json: string): string {
  if (json === 'null') return '';
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
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
