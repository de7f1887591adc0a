import { t } from '@vscode/l10n';
import { isPlainLine } from '../../../base/outsideText.ts';
import { findSecondAddress, parseUrl } from '../../../base/webAddress.ts';

/** A URL of a list, with its row number (from 1). */
export interface ListedAudio {
  readonly row: number;
  readonly url: string;
  /** From the columns that the user selected; empty cells are omitted. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Reason why a row of a list yields no request. */
export type UnusableRow = 'noUrl' | 'space' | 'hidden' | 'more' | 'duplicate';

/** The content of a list of audio URLs. Each row is in one of both parts, except for blank rows and the headings. */
export interface AudioList {
  /** Each URL once, in list order. */
  readonly audio: readonly ListedAudio[];
  /** In list order. */
  readonly unusable: readonly { readonly row: number; readonly reason: UnusableRow }[];
  /** Headings of the list, which are not counted as a row; undefined if there are none. */
  readonly headings: Row | undefined;
}

/** Max number of rows of a list, without headings and blank rows. */
export const maxListRows = 100_000;

/** Max size of a list, in MB. */
export const maxListMegabytes = 32;

/** Max number of rows of a text, including blank ones: a list may have one after each row. */
export const maxTextRows = 2 * maxListRows + 2;

export type Row = readonly string[];

/** A text in rows and cells. */
export interface Table {
  readonly rows: readonly Row[];
  /** Empty for a text with one cell per row. */
  readonly delimiter: string;
  /** Reason why reading ended early. */
  readonly problem:
    | undefined
    | { readonly type: 'tooLarge' }
    /** A quotation mark is not closed where its cell ends: the cell may have swallowed other rows. */
    | { readonly type: 'quote' | 'longRow'; readonly row: number }
    /** Several delimiters fit, and the URLs depend on which it is. */
    | { readonly type: 'delimiter'; readonly delimiters: readonly string[] };
}

/** A column of a list that is not empty. */
export interface ListColumn {
  readonly index: number;
  /** Its heading; undefined when it has none. */
  readonly heading: string | undefined;
  /** Number of rows with a URL. */
  readonly urls: number;
  /** Its first cell that is not empty. */
  readonly sample: string;
  /** Key of `custom_metadata` for its cells; undefined if the heading is missing or unsuitable, or an earlier column has the same key. */
  readonly key: string | undefined;
  /** The heading has the prefix `custom_metadata.`, or is the name of a title, a customer or the like. */
  readonly isRecognised: boolean;
}

/** The columns of a list, and whether it can be used. */
export interface ListSurvey {
  /** Columns that are not empty. */
  readonly columns: readonly ListColumn[];
  /** Index of the row with the headings; -1 if there is none. */
  readonly headingsAt: number;
  /** Localised reason why URLs may be lost or cut, with the row numbers and what to do; undefined when no URL is affected. */
  readonly problem: string | undefined;
}

/**
 * Reads the columns of a list, and finds rows that may lose or cut URLs, in one step per row.
 * @param labelKeys keys of metadata that name jobs
 */
export function* surveyList(table: Table, labelKeys: readonly string[]): Generator<undefined, ListSurvey> {
  const { rows, delimiter } = table;
  const headingsAt = yield* findHeadings(rows);
  const headings = rows[headingsAt] ?? [];
  const seen = new Map<number, { urls: number; sample: string }>();
  const joined: number[] = [];
  const longer: number[] = [];
  const cut: number[] = [];
  const unreadable: number[] = [];
  let listed = 0;
  for (const [index, row] of rows.entries()) {
    yield;
    const number = index + 1;
    if (index !== headingsAt && !isBlank(row)) listed++;
    if (row.some((cell) => unreadableCharacter.test(cell))) unreadable.push(number);
    if (index === headingsAt) continue;
    if (row.some(holdsAnotherRow)) joined.push(number);
    if (headingsAt >= 0 && isLonger(row, headings.length)) longer.push(number);
    // No URL contains a tab. Another URL is a cell of its own.
    const filled = row.filter((cell) => cell !== '');
    const hasRest = headingsAt < 0 && delimiter !== '\t' && cellsAfterUrls(filled).some((cell) => !beginsAsUrl(cell));
    if (hasRest) cut.push(number);
    for (const [column, cell] of row.entries()) {
      if (cell.trim() === '') continue;
      const known = seen.get(column) ?? { urls: 0, sample: cell.trim() };
      if (beginsAsUrl(cell)) known.urls++;
      seen.set(column, known);
    }
  }
  const isTooLong = table.problem === undefined && listed > maxListRows;
  return {
    columns: nameColumns(seen, headings, labelKeys),
    headingsAt,
    problem: problemText(isTooLong ? { ...table, problem: { type: 'tooLarge' } } : table, {
      joined,
      longer,
      cut,
      unreadable,
    }),
  };
}

function nameColumns(
  seen: ReadonlyMap<number, Pick<ListColumn, 'urls' | 'sample'>>,
  headings: Row,
  labelKeys: readonly string[],
): readonly ListColumn[] {
  const keys = new Set<string>();
  // Headings may differ in case, but keys are read exactly as the setting writes them.
  const recognised = new Map([...usualHeadings, ...labelKeys.toReversed()].map((each) => [each.toLowerCase(), each]));
  return [...seen]
    .toSorted(([a], [b]) => a - b)
    .map(([index, { urls, sample }]) => {
      const heading = headings[index]?.trim() ?? '';
      const prefixed = /^custom_metadata\.(.+)$/.exec(heading)?.[1]?.trim();
      const usual = labelKeys.includes(heading) ? heading : recognised.get(heading.toLowerCase());
      const key = prefixed ?? usual ?? heading;
      const isKey = key !== '' && isPlainLine(key, maxKeyLength) && !keys.has(key);
      if (isKey) keys.add(key);
      return {
        index,
        heading: heading === '' ? undefined : heading,
        urls,
        sample,
        key: isKey ? key : undefined,
        isRecognised: isKey && (prefixed !== undefined || usual !== undefined),
      };
    });
}

/** Of metadata, in characters. */
export const maxKeyLength = 200;

/** Headings of columns that name a job, in the languages of the product, besides the setting `labelKeys`. */
const usualHeadings =
  'title name customer client project show series episode case ticket reference titre nom projet série émission épisode dossier référence'.split(
    ' ',
  );

/** Headings of columns with URLs. */
const urlHeading =
  /^(?:audio|video|vidéo|media|média|(?:(?:audio|video|media|file|download)[ _-]?)?(?:url|link|lien)s?)$/i;

/** True if a row is the headings of a table: it has several cells, and one has a usual heading. */
export function isHeadingRow(row: Row): boolean {
  const names = row.map((cell) => cell.trim());
  return (
    names.length > 1 &&
    names.some(
      (name) =>
        urlHeading.test(name) || name.startsWith('custom_metadata.') || usualHeadings.includes(name.toLowerCase()),
    )
  );
}

/** A character that stands for one that could not be decoded, or that no text has. */
const unreadableCharacter = /[\0\uFFFD]/;

/** Row numbers by problem. */
interface ProblemRows {
  readonly joined: readonly number[];
  readonly longer: readonly number[];
  readonly cut: readonly number[];
  readonly unreadable: readonly number[];
}

function problemText({ delimiter, problem }: Table, rows: ProblemRows): string | undefined {
  if (problem?.type === 'delimiter') {
    const names: Readonly<Record<string, string>> = {
      '\t': t('tab'),
      ',': t('comma'),
      ';': t('semicolon'),
      '|': t('vertical bar'),
      '': t('nothing'),
    };
    return t(
      'What separates its columns ({0})? The URLs depend on it. Add a first row with headings, such as {1}, or save a list of only URLs as .txt.',
      problem.delimiters.map((each) => names[each] ?? each).join(', '),
      `audio_url${delimiter === '\t' ? ',' : delimiter}name`,
    );
  }
  if (problem?.type === 'tooLarge') return t('It has more than {0} rows, or too many columns. Split it.', maxListRows);
  if (problem?.type === 'longRow') return t('Row {0} is too long for a list of URLs.', problem.row);
  if (rows.unreadable.length > 0) {
    return t(
      "Row {0}: some characters can't be read. Save the file as UTF-8, or select its encoding in the editor.",
      listNumbers(rows.unreadable),
    );
  }
  if (problem?.type === 'quote') {
    return t('Row {0}: a quotation mark is not closed, so rows may be missing. Close it or remove it.', problem.row);
  }
  if (rows.joined.length > 0) {
    return t('Row {0}: one cell holds several lines with URLs. Check its quotation marks.', listNumbers(rows.joined));
  }
  if (rows.longer.length > 0) {
    return t(
      'Row {0}: more cells than headings, so URLs may be cut. Put URLs with a comma or semicolon in quotation marks, or name all columns.',
      listNumbers(rows.longer),
    );
  }
  if (rows.cut.length > 0) {
    return t(
      'Row {0}: without headings, what follows a URL may be a part of it. Add a first row with headings, such as {1}.',
      listNumbers(rows.cut),
      `audio_url${delimiter}name`,
    );
  }
  return undefined;
}

/** True if a cell continues in another row because its quotation mark is closed there. */
function holdsAnotherRow(cell: string): boolean {
  const lineEnd = cell.indexOf('\n');
  return lineEnd >= 0 && /https?:\/\//i.test(cell.slice(lineEnd));
}

/** True if a row has more cells than there are headings. Spreadsheets may add empty ones, but not after the rest of a URL. */
function isLonger(row: Row, headings: number): boolean {
  if (row.length <= headings) return false;
  return row.findLastIndex((cell) => cell.trim() !== '') >= headings || cellsAfterUrls(row).length > 0;
}

/** Returns the cells that may be the rest of a URL that contains the delimiter: a URL is before them, and they have no white space but tabs. */
function cellsAfterUrls(row: Row): Row {
  return row.filter((cell, index) => beginsAsUrl(row[index - 1] ?? '') && /^[\S\t]+$/.test(cell));
}

/** Max number of row numbers listed in a sentence. */
const maxListed = 10;

/** Lists the first few row numbers and how many more there are: `2, 3, 5`. */
export function listNumbers(numbers: readonly number[]): string {
  const more = numbers.length - maxListed;
  return [...numbers.slice(0, maxListed), ...(more > 0 ? [t('and {0} more', more)] : [])].join(', ');
}

/** The columns of a list that requests are made from. */
export interface UsedColumns {
  /** Index of the column with the URLs. */
  readonly url: number;
  /** Indexes of the columns with metadata, by key. */
  readonly metadata: ReadonlyMap<string, number>;
}

/** Returns the URLs of a list with their metadata, in one step per row. */
export function* readAudio(
  { rows }: Pick<Table, 'rows'>,
  { headingsAt }: Pick<ListSurvey, 'headingsAt'>,
  { url: column, metadata }: UsedColumns,
): Generator<undefined, AudioList> {
  const audio = new Map<string, ListedAudio>();
  const unusable: AudioList['unusable'][number][] = [];
  for (const [index, row] of rows.entries()) {
    yield;
    if (index === headingsAt || isBlank(row)) continue;
    const url = (row[column] ?? '').trim();
    const reason = audio.has(url) ? 'duplicate' : whyUnusable(url);
    if (reason === undefined) audio.set(url, { row: index + 1, url, metadata: metadataIn(row, metadata) });
    else unusable.push({ row: index + 1, reason });
  }
  return { audio: [...audio.values()], unusable, headings: rows[headingsAt] };
}

function whyUnusable(url: string): UnusableRow | undefined {
  if (!beginsAsUrl(url)) return 'noUrl';
  if (/\s/.test(url)) return 'space';
  if (!isPlainLine(url, Infinity)) return 'hidden';
  // A wrong delimiter leaves other cells and their quotation marks in it.
  if (url.includes('"') || findSecondAddress(url) !== undefined) return 'more';
  return parseUrl(url) === undefined ? 'noUrl' : undefined;
}

function metadataIn(row: Row, columns: ReadonlyMap<string, number>): ListedAudio['metadata'] {
  const cells = [...columns].map(([key, index]) => [key, (row[index] ?? '').trim()] as const);
  return Object.fromEntries(cells.filter(([, cell]) => cell !== ''));
}

/** Returns the rows of a text with one URL per line. */
export function lineTable(text: string): Table {
  const rows: Row[] = [];
  const lineEnd = /\r\n?|\n/g;
  for (let at = text.startsWith('\uFEFF') ? 1 : 0; ; at = lineEnd.lastIndex) {
    if (rows.length > maxTextRows) return { rows, delimiter: '', problem: { type: 'tooLarge' } };
    lineEnd.lastIndex = at;
    const end = lineEnd.exec(text)?.index;
    rows.push([text.slice(at, end)]);
    if (end === undefined) return { rows, delimiter: '', problem: undefined };
  }
}

/** Finds the headings: the first row that is not blank, if it contains no address, but another row has a URL; -1 if there are none. */
function* findHeadings(rows: readonly Row[]): Generator<undefined, number> {
  let first = -1;
  for (const [index, row] of rows.entries()) {
    yield;
    if (row.some(beginsAsUrl)) return first;
    if (first >= 0 || isBlank(row)) continue;
    if (row.some((cell) => cell.includes('://'))) return -1;
    first = index;
  }
  return -1;
}

/**
 * Returns whether all rows have the same number of cells, with whole URLs in one column, and whether each cell of the first row may be a
 * heading.
 */
export function shapeOf(rows: readonly Row[]): { readonly isRegular: boolean; readonly hasHeadings: boolean } {
  const filled = rows.filter((row) => !isBlank(row));
  const [first = []] = filled;
  const hasUrls = (column: number): boolean =>
    filled.some((row) => isWholeUrl(row[column])) &&
    filled.every(({ [column]: cell = '' }) => !beginsAsUrl(cell) || isWholeUrl(cell));
  return {
    isRegular: filled.every((row) => row.length === first.length) && first.some((_cell, column) => hasUrls(column)),
    hasHeadings: first.every((cell) => cell.trim() !== '' && !beginsAsUrl(cell)),
  };
}

/** Returns the cells that are whole URLs. */
export function urlsIn(rows: readonly Row[]): readonly string[] {
  return rows.flat().filter(isWholeUrl);
}

function isWholeUrl(cell = ''): boolean {
  return whyUnusable(cell.trim()) === undefined;
}

function isBlank(row: Row): boolean {
  return row.every((cell) => cell.trim() === '');
}

/** True if a cell begins with a web address. */
export function beginsAsUrl(cell: string): boolean {
  return /^\s*https?:\/\//i.test(cell);
}
