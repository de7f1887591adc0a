import {
  attempt,
  formVersion,
  optional,
  record,
  text,
  Undecodable,
  type Decoded,
  type Decoder,
} from '../../../base/decode/decoder.ts';
import type { JobFilter } from '../../../jobs/common/jobFilter.ts';
import { decodeStoredFilter, encodeStoredFilter } from '../../../jobs/common/storedFilter.ts';
import { boardParts, usualColumn, type BoardPart } from './boardProtocol.ts';

const columnsVersion = 1;
const storedColumns = record({
  version: formVersion(columnsVersion),
  columns: boardParts.columns,
  order: boardParts.order,
  folded: optional(boardParts.folded),
});
/** The columns, the order and the folded parts that a user has chosen. */
export interface BoardLayout extends Omit<Decoded<typeof storedColumns>, 'version' | 'folded'> {
  readonly folded: readonly BoardPart[];
}

export const usualLayout: BoardLayout = {
  columns: ['label', 'created_at', 'status', 'kind', 'error_code', 'processing_time', 'id'].map(usualColumn),
  order: { key: 'created_at', isDescending: true },
  folded: [],
};

/** Encodes a layout for storage. */
export function encodeLayout(layout: BoardLayout): Decoded<typeof storedColumns> {
  // Without folded parts, it has the form that version 0.2.0 stored.
  return { ...layout, folded: layout.folded.length > 0 ? layout.folded : undefined, version: columnsVersion };
}

export function decodeLayout(stored: unknown): BoardLayout {
  const { columns, order, folded = [] } = storedColumns(stored);
  return columns.length === 0 ? usualLayout : { columns, order, folded };
}

const filter: Decoder<JobFilter> = (value, path = '') => {
  const read = decodeStoredFilter(value);
  if (read instanceof Undecodable) throw new Undecodable(`${path}: ${read.message}`);
  return read;
};

const scopeVersion = 1;
const scopeFields = {
  connection: text,
  filter,
  conditions: boardParts.conditions,
  range: boardParts.range,
};
const scopeState = record({ version: formVersion(scopeVersion), ...scopeFields });
/** Scope of a board: the jobs of a connection within a filter, whose time is the window, and the conditions that narrow them down. */
export type BoardScope = Omit<Decoded<typeof scopeState>, 'version'>;

/** Encodes the scope that a page stores for the next session. */
export function encodeScope(scope: BoardScope): object {
  return { ...scope, version: scopeVersion, filter: encodeStoredFilter(scope.filter) };
}

export function decodeScope(stored: unknown): BoardScope | Undecodable {
  return attempt(scopeState, stored);
}
