import { isPlainLine } from '../outsideText.ts';
import { parseUrl } from '../webAddress.ts';

/** A URL of a list, with its row number (from 1). */
export interface ListedAudio {
  readonly row: number;
  readonly url: string;
  /** From the columns of {@link AudioList.metadataKeys}; without those whose cell is empty. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The content of a list of audio URLs. Blank rows are ignored. */
export interface AudioList {
  /** Each URL once, in list order. */
  readonly audio: readonly ListedAudio[];
  /** Numbers of rows without an http(s) URL. */
  readonly unusable: readonly number[];
  /** Numbers of rows that repeat an earlier URL. */
  readonly repeated: readonly number[];
  /** Keys of `custom_metadata` that columns hold, in their order. */
  readonly metadataKeys: readonly string[];
}

/** A column of a table that contains URLs. */
export interface AudioColumn {
  readonly index: number;
  /** Its heading; undefined when the table has none. */
  readonly name: string | undefined;
  readonly urls: number;
}

/** The columns of a table that contain URLs, the one with the most URLs first. */
export function audioColumns(rows: readonly (readonly string[])[]): readonly AudioColumn[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      if (isAudioUrl(cell)) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
  }
  const headings = hasHeadings(rows) ? rows[0] : undefined;
  return [...counts]
    .map(([index, urls]) => ({ index, name: headings?.[index]?.trim(), urls }))
    .toSorted((a, b) => b.urls - a.urls || a.index - b.index);
}

/** The URLs in one column of a table. A heading row is skipped. */
export function audioInColumn(rows: readonly (readonly string[])[], column: number): AudioList {
  const audio = new Map<string, ListedAudio>();
  const unusable: number[] = [];
  const repeated: number[] = [];
  const columns = metadataColumns(rows);
  for (const [index, row] of rows.entries()) {
    const url = (row[column] ?? '').trim();
    if ((index === 0 && hasHeadings(rows)) || row.every((cell) => cell.trim() === '')) continue;
    if (!isAudioUrl(url)) unusable.push(index + 1);
    else if (audio.has(url)) repeated.push(index + 1);
    else audio.set(url, { row: index + 1, url, metadata: metadataIn(row, columns) });
  }
  return { audio: [...audio.values()], unusable, repeated, metadataKeys: [...columns.keys()] };
}

/** In characters. */
const longestKey = 200;
const mostKeys = 50;

/** The columns whose headings name a key of `custom_metadata`, by key. Of two with one key the first counts. */
function metadataColumns(rows: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (const [index, heading] of (hasHeadings(rows) ? (rows[0] ?? []) : []).entries()) {
    const key = /^custom_metadata\.(.+)$/.exec(heading.trim())?.[1]?.trim() ?? '';
    if (!isPlainLine(key, longestKey) || key === '' || columns.has(key) || columns.size >= mostKeys) continue;
    columns.set(key, index);
  }
  return columns;
}

function metadataIn(row: readonly string[], columns: ReadonlyMap<string, number>): ListedAudio['metadata'] {
  const cells = [...columns].map(([key, index]) => [key, (row[index] ?? '').trim()] as const);
  return Object.fromEntries(cells.filter(([, cell]) => cell !== ''));
}

/** The rows of a text with one URL per line. */
export function lineRows(text: string): readonly (readonly string[])[] {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => [line]);
}

/** The first row is a heading if it has no URL but another row has one. */
function hasHeadings([first, ...rest]: readonly (readonly string[])[]): boolean {
  const hasUrl = (row: readonly string[]): boolean => row.some(isAudioUrl);
  const isBlank = first?.every((cell) => cell.trim() === '') ?? true;
  return first !== undefined && first.length > 0 && !isBlank && !hasUrl(first) && rest.some(hasUrl);
}

function isAudioUrl(cell: string): boolean {
  const text = cell.trim();
  return /^https?:\/\/\S+$/i.test(text) && parseUrl(text) !== undefined;
}
