import { isHeadingRow, maxListRows, type Row, type Table } from '../common/audioList.ts';
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
  // With a heading, and the empty row after the last line end.
  maxRows: maxListRows + 2,
  maxCells: 4_000_000,
};

/**
 * Parses CSV (RFC 4180) or text with another delimiter, up to its first problem. Blank lines are rows with one empty cell, as is a first
 * line such as `sep=;`.
 * @param delimiter defaults to the delimiter that the first line names, a tab if the first row has one, the one between its headings,
 * or else the one that fits the rows best
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
  const { meta } = papa.parse<string[]>(head, {
    newline: '\n',
    delimiter: named ?? delimiter ?? (first.includes('\t') ? '\t' : (delimiterOfHeadings(first) ?? '')),
    preview: previewedRows,
    // Blank lines confuse the detection, but the result needs them, because row numbers are shown.
    skipEmptyLines: true,
  });
  const format = { newline: '\n', delimiter: meta.delimiter } as const;
  const rows: Row[] = line === '' ? [] : [['']];
  const end = (problem: Table['problem']): Table => ({ rows, delimiter: meta.delimiter, problem });
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
    } else if (quote !== undefined) {
      return end({ type: 'quote', row: rows.length + openRow + 1 });
    } else if (isTooLong) {
      return end({ type: 'longRow', row: rows.length + data.length });
    } else {
      open = '';
      // The empty row after the last line end is the beginning of the next slice.
      if (!isLast) data.pop();
    }
    for (const row of data) {
      rows.push(row);
      cells += row.length + 1;
    }
    if (rows.length > maxRows || cells > maxCells) return end({ type: 'tooLarge' });
    if (isLast) return end(undefined);
  }
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

/** Returns the delimiter that makes headings of a line; undefined if none or several do. */
function delimiterOfHeadings(line: string): string | undefined {
  const [delimiter, ...others] = [',', ';', '|'].filter((each) =>
    isHeadingRow(line.split(each).map((name) => name.trim().replace(/^"|"$/g, ''))),
  );
  return others.length === 0 ? delimiter : undefined;
}
