import {
  beginsAsUrl,
  isHeadingRow,
  shapeOf,
  lineTable,
  maxTextRows,
  urlsIn,
  type Row,
  type Table,
} from '../common/audioList.ts';
import { nextTurn } from '../../../base/clock.ts';

const previewedRows = 50;

/** First line that names the delimiter of a file for spreadsheets. */
const delimiterLine = /^"?sep=([^"\r\n])"?(?:\r\n?|\n|$)/i;
const maxDelimiterLine = 10;

/** Bounds of a table. */
export interface TableBounds {
  /** Number of characters that are parsed in one turn, or more if a row needs it. */
  readonly sliceLength: number;
  /** In characters, approximately. */
  readonly maxRowLength: number;
  /** Including blank rows. */
  readonly maxRows: number;
  /** Including one more for each row. */
  readonly maxCells: number;
}

const usualBounds: TableBounds = {
  sliceLength: 64 * 1024,
  maxRowLength: 1024 * 1024,
  maxRows: maxTextRows,
  maxCells: 4_000_000,
};

/**
 * Reads a list: a table, or text with one URL per line. Spreadsheets copy and save tab-separated text, and no URL contains a tab; in other
 * texts than CSV a comma may belong to a URL, unless the first line has headings. The first line of a text file may be a title.
 * @param extension of the file's name, such as `csv`; undefined for the clipboard
 */
export async function parseList(text: string, extension: string | undefined): Promise<Table> {
  if (extension === 'tsv') return parseTable(text, '\t');
  const [first = ''] = text.trimStart().split(/[\r\n]/u, 1);
  const hasHeadings = delimiterOfHeadings(first) !== undefined;
  if (extension === 'csv' || hasHeadings || delimiterLine.test(`${first}\n`)) return parseTable(text);
  if (text.includes('\t')) return parseTable(text, '\t');
  const mayBeCopied = extension === undefined && /[,;]/u.test(first) && !/https?:/iu.test(first);
  return mayBeCopied ? parseTable(text) : lineTable(text);
}

/**
 * Parses CSV (RFC 4180) or text with another delimiter, up to its first problem. Blank lines are rows with one empty cell, as is a first
 * line such as `sep=;`.
 * @param delimiter defaults to the delimiter that the first line names, the one between its headings, or else the only one that gives
 * each row the same number of cells and a whole URL in the same column; the problem names several
 */
export async function parseTable(text: string, delimiter?: string, bounds: TableBounds = usualBounds): Promise<Table> {
  const { sliceLength, maxRowLength, maxRows, maxCells } = bounds;
  // Loaded on demand.
  const { default: papa } = await import('papaparse');
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  const [line = '', named] = delimiterLine.exec(text.slice(start, start + maxDelimiterLine)) ?? [];
  let at = start + line.length;
  const head = withLineFeeds(text.slice(at, at + sliceLength));
  const first = head.split('\n').find((each) => each.trim() !== '') ?? '';
  const fitting = [named ?? delimiter ?? delimiterOfHeadings(first) ?? []].flat();
  if (fitting.length === 0) {
    const isCut = at + sliceLength < text.length;
    const lines = head.split('\n', previewedRows).flatMap((each) => (each.trim() === '' ? [] : [[each]]));
    fitting.push(
      ...findDelimiters((each) => {
        // Blank lines say nothing.
        const { data } = papa.parse<string[]>(head, {
          newline: '\n',
          delimiter: each,
          preview: previewedRows,
          skipEmptyLines: true,
        });
        return isCut && data.length < previewedRows ? data.slice(0, -1) : data;
      }, lines),
    );
  }
  const [chosen = ','] = fitting;
  const format = { newline: '\n', delimiter: chosen } as const;
  const rows: Row[] = line === '' ? [] : [['']];
  const end = (problem: Table['problem']): Table => ({ rows, delimiter: chosen, problem });
  if (fitting.length > 1) return end({ type: 'delimiter', delimiters: fitting });
  /** Finds the first row with an odd number of quotation marks. */
  const findOddRow = (part: string): number | undefined => {
    if (!part.includes('"')) return undefined;
    let odd: number | undefined;
    let index = 0;
    let from = 0;
    papa.parse<string[]>(part, {
      ...format,
      step: ({ meta: { cursor } }, parser) => {
        if (isOdd(part.slice(from, cursor))) {
          odd = index;
          parser.abort();
        }
        index++;
        from = cursor;
      },
    });
    return odd;
  };
  let hasQuotedCell = false;
  /** If a quotation mark is missing or too many, cells may be divided elsewhere than they were written. */
  let oddRow: number | undefined;
  let cells = 0;
  /** The beginning of a row whose quoted cell goes on in the next lines. */
  let open = '';
  for (;;) {
    await nextTurn();
    // As long as the open row, so that it is not parsed again too often.
    const length = Math.max(sliceLength, open.length);
    const lineEnd = lineEndAfter(text, at + length);
    const isLast = lineEnd === text.length;
    const isTooLong = lineEnd - at > length + maxRowLength;
    const slice = open + withLineFeeds(text.slice(at, isTooLong ? at + length : lineEnd));
    const { data, errors } = papa.parse<string[]>(slice, format);
    const quote = errors.find(({ type }) => type === 'Quotes');
    const openRow = quote?.row ?? 0;
    at = lineEnd;
    if (quote?.code === 'MissingQuotes' && !isTooLong && !isLast && (openRow > 0 || slice.length <= maxRowLength)) {
      // Finds where the open row begins.
      const { meta: before } = papa.parse<string[]>(slice, { ...format, preview: openRow });
      data.length = openRow;
      open = openRow === 0 ? slice : slice.slice(before.cursor);
    } else if (isTooLong && quote?.code !== 'InvalidQuotes') {
      // Its last quotation mark may be closed in the rest.
      return end({ type: 'longRow', row: rows.length + data.length });
    } else if (quote !== undefined) {
      return end({ type: 'quote', row: rows.length + openRow + 1 });
    } else {
      open = '';
      // The empty row after the last line end is the beginning of the next slice.
      if (!isLast) data.pop();
    }
    const read = open === '' ? slice : slice.slice(0, -open.length);
    hasQuotedCell ||= [`\n"`, `${chosen}"`].some((each) => `\n${read}`.includes(each));
    const odd = oddRow === undefined ? findOddRow(read) : undefined;
    if (odd !== undefined) oddRow = rows.length + odd + 1;
    for (const row of data) {
      rows.push(row);
      cells += row.length + 1;
    }
    if (rows.length > maxRows || cells > maxCells) return end({ type: 'tooLarge' });
    if (isLast) return end(hasQuotedCell && oddRow !== undefined ? { type: 'quote', row: oddRow } : undefined);
  }
}

/** True if a text has an odd number of quotation marks. */
function isOdd(text: string): boolean {
  let isOddSoFar = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) isOddSoFar = !isOddSoFar;
  return isOddSoFar;
}

/** One file may have several kinds of line ends, for example after another tool added a heading. */
function withLineFeeds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Returns the index after the first line end from an index on; the end of the text if there is none. */
function lineEndAfter(text: string, from: number): number {
  const lineEnd = /\r\n?|\n/g;
  lineEnd.lastIndex = from;
  return lineEnd.test(text) ? lineEnd.lastIndex : text.length;
}

const delimiters = ['\t', ',', ';', '|'] as const;

/** Returns the delimiter that makes headings of a line; undefined if none or several do. */
function delimiterOfHeadings(line: string): string | undefined {
  const [delimiter, ...others] = delimiters.filter((each) =>
    isHeadingRow(line.split(each).map((name) => name.trim().replace(/^"|"$/g, ''))),
  );
  return others.length === 0 ? delimiter : undefined;
}

/**
 * Finds the delimiter of a table: the only one that gives each row the same number of cells and whole URLs in the same column.
 * @returns several if the URLs depend on which it is
 */
function findDelimiters(rowsOf: (delimiter: string) => readonly Row[], lines: readonly Row[]): readonly string[] {
  const readings = delimiters
    .map((delimiter) => ({ delimiter, rows: rowsOf(delimiter) }))
    // A table with one column is CSV, too.
    .filter(({ delimiter, rows }) => delimiter === ',' || rows.some((row) => row.length > 1))
    .map((each) => ({ ...each, urls: urlsIn(each.rows), ...shapeOf(each.rows) }))
    .filter(({ urls }) => urls.length > 0);
  const regular = readings.filter((each) => each.isRegular);
  // Headings that are divided like their rows are no single heading.
  const [divided, ...others] = regular.filter(({ rows: [first = []] }) => first.length > 1);
  if (divided?.hasHeadings === true && others.length === 0) return [divided.delimiter];
  const [best, ...rest] = regular.length === 1 ? regular : readings.toSorted((a, b) => b.urls.length - a.urls.length);
  if (best === undefined) return [];
  const [first = []] = best.rows;
  // Below a line without a URL, the delimiter may belong to the URLs. Rows that are longer than this line are reported by their numbers.
  const mayBeList =
    !first.some(beginsAsUrl) && best.rows.every((row) => row.length <= first.length) && shapeOf(lines).isRegular;
  const further = mayBeList ? [...rest, { delimiter: '', urls: urlsIn(lines) }] : rest;
  const conflicting = further.filter(({ urls }) => urls.join('\n') !== best.urls.join('\n'));
  return [best, ...conflicting].map(({ delimiter }) => delimiter);
}
