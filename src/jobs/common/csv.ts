import { suggestMetadata } from './findJobs.ts';
import type { Job, ListEntry } from './job.ts';
import { processingMs } from './processingMs.ts';
import { eachMember, skipValue } from '../../base/json/jsonText.ts';

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
  /** A column with the parameters of live sessions (contract 2.3), which are long. */
  readonly withParameters?: boolean;
  /** Columns with the length of the audio and what was billed, in seconds, and the channels, which some services send. */
  readonly withFigures?: boolean;
}

/** The format of a CSV file. */
export interface CsvForm {
  /** The byte order mark, by which spreadsheets recognize UTF-8, and the header row. */
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
 * One row per job: strings unchanged, objects as their JSON text. Derived columns follow: the seconds from creation to
 * completion, the selected metadata keys, and the figures of results.
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
      // Of a large item the small fields stand in its text, too, and whole.
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

/** The texts of some members; of duplicate keys the last one, as `JSON.parse` takes it. */
function textsByKey(json: string, wanted: readonly string[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  eachMember(json, (key, start) => {
    const end = skipValue(json, start);
    if (wanted.includes(key)) texts.set(key, json.slice(start, end));
    return end;
  });
  return texts;
}

/** The fields that figures are in. */
const figureFields = ['result', 'file'] as const;

function cellText(json: string | undefined): string {
  if (json === undefined || json === 'null') return '';
  return json.startsWith('"') ? String(JSON.parse(json)) : json;
}

/** Empty when either time is unknown, or they contradict each other. */
function processingSeconds(job: Job): string {
  const tookMs = processingMs(job);
  return tookMs === undefined ? '' : String(tookMs / 1000);
}

/** The length of the audio, what was billed and the number of channels, as the service wrote the numbers; empty where it did not. */
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

/** Whether some of these items say how long their audio is or what was billed, from the first items of a file. */
export function hasFigures(entries: readonly ListEntry[]): boolean {
  return entries.some(
    ({ type, raw }) => type === 'job' && figureTexts(textsByKey(raw, figureFields)).some((text) => text !== ''),
  );
}

/** Limit for readability. */
const maxMetadataColumns = 30;

/** The metadata keys that get a column, most frequent first, from the first jobs of a file. Later jobs may have others. */
export function chooseMetadataColumns(entries: readonly ListEntry[]): readonly string[] {
  const jobs = entries.filter((entry) => entry.type === 'job');
  return suggestMetadata(jobs)
    .slice(0, maxMetadataColumns)
    .map(({ key }) => key);
}

/**
 * A cell as in RFC 4180, never truncated. Text that a spreadsheet could run as a formula gets a leading apostrophe, which marks it as text;
 * a number is none.
 */
export function formatCsvCell(text: string): string {
  if (jsonNumber.test(text)) return text;
  const started = /^[\t\r\n]/.test(text) ? `'${text}` : text;
  const harmless = started.replace(formulaStart, "'");
  // RFC 4180 does not require quotes at semicolons and tabs, but spreadsheets may split there.
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A record with its line ending. */
export function formatCsvRecord(cells: readonly string[]): string {
  return `${cells.map(formatCsvCell).join(',')}\r\n`;
}
