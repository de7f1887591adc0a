import { suggestMetadata } from './findJobs.ts';
import type { Job, ListEntry } from './job.ts';
import { processingMs } from './processingMs.ts';
import { eachMember, skipValue } from '../../base/json/jsonText.ts';
import { jobItemShape } from './decodeJob.ts';

/**
 * Positions where a spreadsheet may start a formula: the start of a cell, and after a semicolon, tab or line break, where some locales
 * split a cell regardless of quotes. Some also accept the full-width signs.
 */
const formulaStart = /(?<=^|[;\t\r\n])(?=["']*[=+\-@＝＋－＠])/g;

const jsonNumber = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

/** Optional columns of a CSV file. */
export interface CsvOptions {
  /** Keys of `custom_metadata` with a separate column. The column `custom_metadata` contains every key as well. */
  readonly metadataKeys?: readonly string[];
  /** Adds a column with the parameters of live sessions (contract 2.3), which are long. */
  readonly withParameters?: boolean;
  /** Adds columns with the length of the audio and the billed time, in seconds, and the channels, which some services send. */
  readonly withFigures?: boolean;
}

/** The format of a CSV file. */
export interface CsvForm {
  /** The byte order mark, by which spreadsheets recognize UTF-8, and the header row. */
  readonly head: string;
  readonly record: (job: Job) => string;
}

/** The fields of contract 2.2, in its order. */
const fields = Object.keys(jobItemShape);

/**
 * Returns the format with one row per job: strings unchanged, objects as their JSON text. Derived columns follow: the
 * seconds from creation to completion, the selected metadata keys, and the figures of results.
 */
export function makeCsvForm({
  metadataKeys = [],
  withParameters = false,
  withFigures = false,
}: CsvOptions = {}): CsvForm {
  const columns = [...fields, ...(withParameters ? ['request_params'] : [])];
  const names = [
    ...columns,
    'processing_seconds',
    ...metadataKeys.map((key) => `custom_metadata.${key}`),
    ...(withFigures ? ['audio_seconds', 'billed_seconds', 'audio_channels'] : []),
  ];
  return {
    head: `\ufeff${formatCsvRecord(names)}`,
    record: (job) => {
      // The text of a large item also contains its small fields, uncut.
      const texts = textsByKey(job.whole?.text ?? job.raw, [...columns, ...(withFigures ? figureFields : [])]);
      const metadata = textsByKey(texts.get('custom_metadata') ?? '', metadataKeys);
      return formatCsvRecord([
        // An item without a kind has the kind of the requested list.
        ...columns.map((column) => (column === 'kind' ? job.kind : cellText(texts.get(column)))),
        processingSeconds(job),
        ...metadataKeys.map((key) => cellText(metadata.get(key))),
        ...(withFigures ? figureTexts(texts) : []),
      ]);
    },
  };
}

/** Returns the texts of some members. Of duplicate keys, uses the last one, like `JSON.parse`. */
function textsByKey(json: string, wanted: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  eachMember(json, (key, start) => {
    const end = skipValue(json, start);
    if (wanted.includes(key)) texts.set(key, json.slice(start, end));
    return end;
  });
  return texts;
}

/** The fields that contain figures. */
const figureFields = ['result', 'file'] as const;

function cellText(json: string | undefined): string {
  if (json === undefined || json === 'null') return '';
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** Returns an empty text if either time is unknown, or the times contradict each other. */
function processingSeconds(job: Job): string {
  const tookMs = processingMs(job);
  return tookMs === undefined ? '' : String(tookMs / 1000);
}

/**
 * Returns the length of the audio, the billed time and the number of channels, as the service wrote the numbers; empty
 * if it sent none.
 */
function figureTexts(texts: ReadonlyMap<string, string>): readonly [audio: string, billed: string, channels: string] {
  const metadata = textsByKey(texts.get('result') ?? '', ['metadata']).get('metadata') ?? '';
  const figures = textsByKey(metadata, ['audio_duration', 'billing_time', 'number_of_distinct_channels']);
  const file = textsByKey(texts.get('file') ?? '', ['audio_duration', 'number_of_channels']);
  const ofNumber = (json: string | undefined): string => (json !== undefined && /^\d/.test(json) ? json : '');
  return [
    ofNumber(figures.get('audio_duration')) || ofNumber(file.get('audio_duration')),
    ofNumber(figures.get('billing_time')),
    ofNumber(figures.get('number_of_distinct_channels')) || ofNumber(file.get('number_of_channels')),
  ];
}

/** True if some of these items contain the length of the audio or the billed time. Expects the first items of a file. */
export function hasFigures(entries: readonly ListEntry[]): boolean {
  return entries.some(
    ({ type, raw }) => type === 'job' && figureTexts(textsByKey(raw, figureFields)).some((text) => text !== ''),
  );
}

/** Limit for readability. */
const maxMetadataColumns = 30;

/**
 * Returns the metadata keys that get a column, most frequent first, from the first jobs of a file. Later jobs may have
 * others.
 */
export function chooseMetadataColumns(entries: readonly ListEntry[]): readonly string[] {
  const jobs = entries.filter((entry) => entry.type === 'job');
  return suggestMetadata(jobs)
    .slice(0, maxMetadataColumns)
    .map(({ key }) => key);
}

/**
 * Returns a cell as in RFC 4180, never truncated. Text that a spreadsheet could run as a formula gets a leading
 * apostrophe, which marks it as text; numbers do not.
 */
export function formatCsvCell(text: string): string {
  if (jsonNumber.test(text)) return text;
  const started = /^[\t\r\n]/.test(text) ? `'${text}` : text;
  const harmless = started.replace(formulaStart, "'");
  // RFC 4180 does not require quotes at semicolons and tabs, but spreadsheets may split there.
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** Returns a record with its line ending. */
export function formatCsvRecord(cells: readonly string[]): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`;
}
