import type { Table } from '../common/audioList.ts';

const previewedRows = 50;

/** First line that names the delimiter of a file for spreadsheets. */
const delimiterLine = /^"?sep=([^"\n])"?(?:\n|$)/i;

/**
 * Parses CSV (RFC 4180) or text with another delimiter. Blank lines are rows with one empty cell, as is a first line such as `sep=;`.
 * @param delimiter defaults to the delimiter that the first line names, a tab if the first row has one, or else the one that fits the rows
 * best
 */
export async function parseTable(text: string, delimiter?: string): Promise<Table> {
  // Loaded on demand.
  const { default: papa } = await import('papaparse');
  // One file may have several kinds of line ends, for example after another tool added a heading.
  const table = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  const [line = '', named] = delimiterLine.exec(table) ?? [];
  const body = table.slice(line.length);
  const isTabbed = body.trimStart().split('\n', 1)[0]?.includes('\t') === true;
  const format = { newline: '\n', delimiter: named ?? delimiter ?? (isTabbed ? '\t' : '') } as const;
  // Blank lines confuse the detection, but the result needs them, because row numbers are shown.
  const { meta } = papa.parse<string[]>(body, { ...format, preview: previewedRows, skipEmptyLines: true });
  const { data, errors } = papa.parse<string[]>(body, { ...format, delimiter: meta.delimiter });
  const before = line === '' ? [] : [['']];
  const unclosed = errors.find(({ type }) => type === 'Quotes')?.row;
  return {
    rows: [...before, ...data],
    delimiter: meta.delimiter,
    unclosedRow: unclosed === undefined ? undefined : before.length + unclosed + 1,
  };
}
