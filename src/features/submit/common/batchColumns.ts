import { t } from '@vscode/l10n';
import type { Locale } from '../../../base/format.ts';
import { formVersion, record, type Decoded } from '../../../base/decode/decoder.ts';
import { flatText } from '../../../base/json/json.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { formatCsvCell } from '../../../jobs/common/csv.ts';
import { columnWidths, fitWidths, type ColumnWidths } from '../../board/common/boardColumns.ts';
import { boardParts, type BoardRow, type GridView } from '../../board/common/boardProtocol.ts';
import { describeField, timeFormat } from '../../board/common/boardText.ts';
import type { BatchSource } from './batch.ts';
import { batchStates, type BatchRow } from './batchRows.ts';

type Layout = Pick<GridView, 'columns' | 'order'>;

/** A column of a batch's page. Each key of metadata is one, too. */
interface BatchColumn {
  readonly key: string;
  /** Localised. */
  readonly title: () => string;
  readonly widths?: ColumnWidths;
  readonly textOf: (row: BatchRow, time: Intl.DateTimeFormat) => string | undefined;
  /** Returns the number by which rows are sorted; by default, they are sorted by their texts. */
  readonly numberOf?: (row: BatchRow) => number | undefined;
}

const batchColumns: readonly BatchColumn[] = [
  { key: 'label', title: () => t('Title'), widths: { usual: 240, min: 168 }, textOf: ({ title }) => title },
  {
    key: 'status',
    title: () => t('Status'),
    widths: { usual: 140, min: 140 },
    textOf: ({ stateText }) => stateText,
    numberOf: ({ state }) => batchStates.indexOf(state),
  },
  { key: 'reason', title: () => t('Reason'), widths: { usual: 560, min: 310 }, textOf: ({ reason }) => reason },
  {
    key: 'error_code',
    title: () => t('Error code'),
    widths: { usual: 110, min: 88 },
    textOf: ({ errorCode }) => errorCode?.toString(),
    numberOf: ({ errorCode }) => errorCode,
  },
  { key: 'audio', title: () => t('Audio'), widths: { usual: 180, min: 84 }, textOf: ({ audio }) => audio },
  {
    key: 'submitted',
    title: () => t('Submitted'),
    widths: { usual: 140, min: 99 },
    textOf: ({ submittedAtMs }, time) => (submittedAtMs === undefined ? undefined : time.format(submittedAtMs)),
    numberOf: ({ submittedAtMs }) => submittedAtMs,
  },
  {
    key: 'id',
    title: () => t('ID'),
    widths: { usual: 160, min: 60 },
    textOf: ({ id }) => id,
  },
];

/** In characters. */
const maxCellLength = 500;
const maxKeyLength = 200;

/** Maximum number of keys of metadata: of those that can be shown, and of those that are shown by default. */
const [maxMetadata, maxUsualMetadata] = [250, 2];

/** Prefix of the keys of columns of metadata, as on the board. */
const metadataPrefix = 'custom_metadata.';

/**
 * Returns the keys of the columns that a batch can show, among them the metadata of its list and of its jobs.
 * @param mask masks the key of the connection; metadata whose name contains it are not shown
 */
export function batchColumnKeys(
  source: BatchSource | undefined,
  rows: readonly BatchRow[],
  mask: (text: string) => string,
): readonly string[] {
  const names = new Set(listedKeys(source));
  for (const { metadata } of rows) {
    if (names.size >= maxMetadata) break;
    for (const [name, value] of Object.entries(metadata)) if (flatText(value) !== undefined) names.add(name);
  }
  const metadata = [...names].filter((name) => name.length <= maxKeyLength && mask(name) === name);
  return [
    ...batchColumns.map(({ key }) => key),
    ...metadata.slice(0, maxMetadata).map((name) => `${metadataPrefix}${name}`),
  ];
}

/** Returns the keys of the columns in which no row has a value. */
export function emptyBatchColumns(
  rows: readonly BatchRow[],
  keys: readonly string[],
  locale: Locale,
): readonly string[] {
  const time = timeOf(locale);
  return keys.filter((key) => {
    const column = columnOf(key);
    return column === undefined || !rows.some((row) => column.textOf(row, time) !== undefined);
  });
}

const widthsVersion = 1;
const storedWidths = record({ version: formVersion(widthsVersion), columns: boardParts.columns });

/** Decodes the columns that the user has resized. Throws {@link Undecodable}. */
export function decodeBatchWidths(stored: unknown): Layout['columns'] {
  return storedWidths(stored).columns;
}

/** Encodes the columns that the user has resized for storage: those of the page and, from before, others. */
export function encodeBatchWidths(before: Layout['columns'], shown: Layout['columns']): Decoded<typeof storedWidths> {
  const resized = shown.filter(({ key, width }) => width !== batchColumnWidths(key).usual);
  const others = before.filter(({ key }) => shown.every((each) => each.key !== key));
  return { version: widthsVersion, columns: [...resized, ...others].slice(0, maxMetadata) };
}

/**
 * Returns what a page shows until the user chooses: failures first and, before the audio, the first metadata from columns of the list, but
 * for the title.
 * @param keys from {@link batchColumnKeys}
 * @param labelKeys metadata keys tried in order for the title
 * @param resized columns that the user has resized on pages of batches
 */
export function usualBatchLayout(
  source: BatchSource | undefined,
  keys: readonly string[],
  labelKeys: readonly string[],
  resized: Layout['columns'] = [],
): Layout {
  const names = listedKeys(source);
  const titleKey = source === undefined || source.type === 'files' ? undefined : source.titleKey;
  const title = labelKeys.find((key) => key === titleKey || names.includes(key));
  const metadata = names
    .filter((name) => name !== title)
    .map((name) => `${metadataPrefix}${name}`)
    .filter((key) => keys.includes(key));
  const columns = batchColumns.map(({ key }) => key);
  const shown = columns.toSpliced(columns.indexOf('audio'), 0, ...metadata.slice(0, maxUsualMetadata));
  return {
    columns: shown.map(
      (key) => resized.find((each) => each.key === key) ?? { key, width: batchColumnWidths(key).usual },
    ),
    order: { key: 'status', isDescending: false },
  };
}

function listedKeys(source: BatchSource | undefined): readonly string[] {
  return source === undefined || source.type === 'files' ? [] : (source.metadataKeys ?? []);
}

/** Returns the title of a column. */
export function nameBatchColumn(key: string): string {
  return columnOf(key)?.title() ?? key;
}

export function batchColumnWidths(key: string): ColumnWidths {
  const { title, widths } = columnOf(key) ?? {};
  return widths === undefined ? columnWidths(key) : fitWidths(widths, title?.());
}

/** Sorts rows by a column; rows without a value come last. Rows with the same value keep their order. */
export function sortBatchRows(
  rows: readonly BatchRow[],
  { key, isDescending }: Layout['order'],
  locale: Locale,
): readonly BatchRow[] {
  const column = columnOf(key);
  if (column === undefined) return rows;
  const time = timeOf(locale);
  const { compare } = new Intl.Collator(locale.language, { numeric: true });
  const valued = rows.map((row) => ({
    row,
    value: column.numberOf === undefined ? column.textOf(row, time)?.slice(0, maxCellLength) : column.numberOf(row),
  }));
  const sign = isDescending ? -1 : 1;
  return valued
    .toSorted(({ value: a }, { value: b }) => {
      if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined);
      return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b)));
    })
    .map(({ row }) => row);
}

/**
 * Returns rows as the page shows them.
 * @param mask masks the key, which a service may repeat in any of its texts
 * @param time format of times; by default with the date
 */
export function showBatchRows(
  rows: readonly BatchRow[],
  columns: Layout['columns'],
  locale: Locale,
  mask: (text: string) => string,
  time = timeOf(locale),
): readonly BoardRow[] {
  const cellOf = (row: BatchRow, key: string): string | undefined => {
    const text = columnOf(key)?.textOf(row, time);
    return text && oneLine(mask(text), maxCellLength);
  };
  return rows.map((row) => ({ tone: row.state, cells: columns.map(({ key }) => cellOf(row, key)) }));
}

/** Returns rows as lines of cells between tabs, with headings, for a spreadsheet. */
export function batchRowsText(...[rows, columns, locale, mask]: Parameters<typeof showBatchRows>): string {
  const shown = showBatchRows(rows, columns, locale, mask).map(({ cells }) =>
    cells.map((cell) => formatCsvCell(cell ?? '')),
  );
  return [columns.map(({ key }) => formatCsvCell(nameBatchColumn(key))), ...shown]
    .map((cells) => cells.join('\t'))
    .join('\n');
}

/** Returns the format of the times of these rows: without the date if all are of one day. */
export function commonTimeFormat(rows: readonly BatchRow[], locale: Locale): Intl.DateTimeFormat {
  let [first, last] = [Infinity, -Infinity];
  for (const { submittedAtMs: atMs } of rows) {
    if (atMs === undefined) continue;
    first = Math.min(first, atMs);
    last = Math.max(last, atMs);
  }
  const date = timeFormat(locale, { dateStyle: 'short' });
  const isOneDay = first <= last && date.format(first) === date.format(last);
  return isOneDay ? timeFormat(locale, { timeStyle: 'short' }) : timeOf(locale);
}

function timeOf(locale: Locale): Intl.DateTimeFormat {
  return timeFormat(locale, { dateStyle: 'short', timeStyle: 'short' });
}

function columnOf(key: string): BatchColumn | undefined {
  if (!key.startsWith(metadataPrefix)) return batchColumns.find((each) => each.key === key);
  const name = key.slice(metadataPrefix.length);
  return {
    key,
    title: () => describeField(key),
    textOf: ({ metadata }) => (Object.hasOwn(metadata, name) ? flatText(metadata[name]) : undefined),
  };
}
