import { t } from '@vscode/l10n';
import { isPlainLine } from '../../../base/outsideText.ts';
import { parseUrl } from '../../../base/webAddress.ts';

/** A URL of a list, with its row number (from 1). */
export interface ListedAudio {
  readonly row: number;
  readonly url: string;
  /** From the columns of {@link AudioList.metadataKeys}; empty cells are omitted. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** The content of a list of audio URLs. Blank rows are ignored. */
export interface AudioList {
  /** Each URL once, in list order. */
  readonly audio: readonly ListedAudio[];
  /** Numbers of rows without an http(s) URL. */
  readonly unusable: readonly number[];
  /** Numbers of rows with a URL that has a space in it. */
  readonly spaced: readonly number[];
  /** Numbers of rows that repeat an earlier URL. */
  readonly repeated: readonly number[];
  /** Keys of `custom_metadata` that columns hold, in their order. */
  readonly metadataKeys: readonly string[];
}

type Rows = readonly (readonly string[])[];

/** A parsed text with several cells per row. */
export interface Table {
  readonly rows: Rows;
  readonly delimiter: string;
  /** Number of the first row with a quotation mark that is not closed where its cell ends: the cell may have swallowed other rows. */
  readonly unclosedRow: number | undefined;
}

/** A column of a table that contains URLs. */
export interface AudioColumn {
  readonly index: number;
  /** Its heading; undefined when the table has no headings. */
  readonly name: string | undefined;
  readonly urls: number;
}

/** Returns the columns of a table that contain URLs, the column with the most URLs first. */
export function audioColumns(rows: Rows): readonly AudioColumn[] {
  const counts = new Map<number, number>();
  for (const row of rows) {
    for (const [index, cell] of row.entries()) {
      if (beginsAsUrl(cell)) counts.set(index, (counts.get(index) ?? 0) + 1);
    }
  }
  const headings = rows[findHeadings(rows)];
  return [...counts]
    .map(([index, urls]) => ({ index, name: headings?.[index]?.trim(), urls }))
    .toSorted((a, b) => b.urls - a.urls || a.index - b.index);
}

/** Returns the URLs in one column of a table. Skips the heading row. */
export function audioInColumn(rows: Rows, column: number): AudioList {
  const audio = new Map<string, ListedAudio>();
  const unusable: number[] = [];
  const spaced: number[] = [];
  const repeated: number[] = [];
  const headingsAt = findHeadings(rows);
  const columns = metadataColumns(rows[headingsAt] ?? []);
  for (const [index, row] of rows.entries()) {
    const url = (row[column] ?? '').trim();
    if (index === headingsAt || isBlank(row)) continue;
    if (beginsAsUrl(url) && /\s/.test(url)) spaced.push(index + 1);
    else if (!beginsAsUrl(url) || parseUrl(url) === undefined) unusable.push(index + 1);
    else if (audio.has(url)) repeated.push(index + 1);
    else audio.set(url, { row: index + 1, url, metadata: metadataIn(row, columns) });
  }
  return { audio: [...audio.values()], unusable, spaced, repeated, metadataKeys: [...columns.keys()] };
}

/** Describes why URLs of a table may be lost or cut, and what to do; undefined when no URL is affected. */
export function describeTableProblem({ rows, delimiter, unclosedRow }: Table): string | undefined {
  if (unclosedRow !== undefined) {
    return t('Row {0}: a quotation mark is not closed, so rows may be missing. Close it or remove it.', unclosedRow);
  }
  const joined = numbersOf(rows, (row) => row.some(holdsAnotherRow));
  if (joined.length > 0) {
    return t('Row {0}: one cell holds several lines with URLs. Check its quotation marks.', listNumbers(joined));
  }
  const headings = rows[findHeadings(rows)];
  if (headings !== undefined) {
    const longer = numbersOf(rows, (row) => row.findLastIndex((cell) => cell.trim() !== '') >= headings.length);
    if (longer.length === 0) return undefined;
    return t(
      'Row {0}: more cells than headings, so URLs may be cut. Put URLs with a comma or semicolon in quotation marks, or name all columns.',
      listNumbers(longer),
    );
  }
  // No URL contains a tab.
  const cut = delimiter === '\t' ? [] : numbersOf(rows, mayCutUrl);
  if (cut.length === 0) return undefined;
  return t(
    'Row {0}: without headings, what follows a URL may be a part of it. Add a first row with headings, such as {1}.',
    listNumbers(cut),
    `audio_url${delimiter}name`,
  );
}

/** True if a cell continues in another row because its quotation mark is closed there. */
function holdsAnotherRow(cell: string): boolean {
  const lineEnd = cell.indexOf('\n');
  return lineEnd >= 0 && /https?:\/\//i.test(cell.slice(lineEnd));
}

/** True if the delimiter after a URL may be part of the URL: the text after it neither starts with a space nor is another URL. */
function mayCutUrl(row: readonly string[]): boolean {
  return row.some((cell, index) => {
    const next = row[index + 1] ?? '';
    return beginsAsUrl(cell) && /^\S+$/.test(next) && !beginsAsUrl(next);
  });
}

function numbersOf(rows: Rows, isWanted: (row: readonly string[]) => boolean): readonly number[] {
  return rows.flatMap((row, index) => (isWanted(row) ? [index + 1] : []));
}

/** Max number of row numbers listed in a sentence. */
const maxListed = 10;

/** Lists the first few row numbers and how many more there are: `2, 3, 5`. */
export function listNumbers(numbers: readonly number[]): string {
  const more = numbers.length - maxListed;
  return [...numbers.slice(0, maxListed), ...(more > 0 ? [t('and {0} more', more)] : [])].join(', ');
}

/** In characters. */
const maxKeyLength = 200;
const maxKeys = 50;

/** Returns the columns whose headings name a key of `custom_metadata`, by key. If two columns have the same key, the first counts. */
function metadataColumns(headings: readonly string[]): ReadonlyMap<string, number> {
  const columns = new Map<string, number>();
  for (const [index, heading] of headings.entries()) {
    const key = /^custom_metadata\.(.+)$/.exec(heading.trim())?.[1]?.trim() ?? '';
    if (!isPlainLine(key, maxKeyLength) || key === '' || columns.has(key) || columns.size >= maxKeys) continue;
    columns.set(key, index);
  }
  return columns;
}

function metadataIn(row: readonly string[], columns: ReadonlyMap<string, number>): ListedAudio['metadata'] {
  const cells = [...columns].map(([key, index]) => [key, (row[index] ?? '').trim()] as const);
  return Object.fromEntries(cells.filter(([, cell]) => cell !== ''));
}

/** Returns the rows of a text with one URL per line. */
export function lineRows(text: string): Rows {
  return text
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => [line]);
}

/** Returns the index of the heading row: the first row that is not blank, if it has no URL but another row has one; -1 if there is none. */
function findHeadings(rows: Rows): number {
  const first = rows.findIndex((row) => !isBlank(row));
  const withUrl = rows.findIndex((row) => row.some(beginsAsUrl));
  return first >= 0 && first < withUrl ? first : -1;
}

function isBlank(row: readonly string[]): boolean {
  return row.every((cell) => cell.trim() === '');
}

function beginsAsUrl(cell: string): boolean {
  return /^\s*https?:\/\//i.test(cell);
}
