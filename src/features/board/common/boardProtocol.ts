import {
  anything,
  attempt,
  choice,
  dictionary,
  flag,
  formVersion,
  integer,
  list,
  number,
  optional,
  record,
  shortText,
  text,
  Undecodable,
  word,
  type Decoded,
  type Decoder,
} from '../../../base/decode/decoder.ts';
import type { JobFilter } from '../../../jobs/common/jobFilter.ts';
import { decodeStoredFilter, encodeStoredFilter } from '../../../jobs/common/storedFilter.ts';

/** More than a board has of columns, or a person of conditions: a page and a stored state may hold anything. */
const maxColumns = 500;
const maxConditions = 1000;
const maxSelected = 100_000;

/** In characters. */
const key = shortText(1000);

/** A condition of a board: {@link FacetCondition}. */
const condition = record({ key, value: optional(shortText(10_000)), isExcluded: flag });

const timeRange = record({ fromMs: number, toMs: number });

const order = record({ key, isDescending: flag });

/** Widths are pixels of the page. */
const chosenColumn = record({ key, width: integer(40, 1200) });
export type ChosenColumn = Decoded<typeof chosenColumn>;

const columnsVersion = 1;
const storedColumns = record({ version: formVersion(columnsVersion), columns: list(chosenColumn, maxColumns), order });
/** The columns and the order that a user has chosen. */
export type BoardLayout = Omit<Decoded<typeof storedColumns>, 'version'>;

export const usualLayout: BoardLayout = {
  columns: [
    { key: 'label', width: 220 },
    { key: 'created_at', width: 170 },
    { key: 'status', width: 110 },
    { key: 'kind', width: 120 },
    { key: 'error_code', width: 124 },
    { key: 'processing_time', width: 150 },
    { key: 'id', width: 300 },
  ],
  order: { key: 'created_at', isDescending: true },
};

/** A layout as it is kept. */
export function encodeLayout(layout: BoardLayout): Decoded<typeof storedColumns> {
  return { ...layout, version: columnsVersion };
}

/** The kept layout; the usual one where there is none, or it is damaged. */
export function decodeLayout(stored: unknown): BoardLayout {
  const read = attempt(storedColumns, stored);
  return read instanceof Undecodable || read.columns.length === 0 ? usualLayout : read;
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
  conditions: list(condition, maxConditions),
  range: optional(timeRange),
};
const scopeState = record({ version: formVersion(scopeVersion), ...scopeFields });
/** What a board is about: jobs of a connection within a filter, whose time is the window, and how they are narrowed down. */
export type BoardScope = Omit<Decoded<typeof scopeState>, 'version'>;

/** The scope as a page keeps it for the next session. */
export function encodeScope(scope: BoardScope): object {
  return { ...scope, version: scopeVersion, filter: encodeStoredFilter(scope.filter) };
}

export function decodeScope(stored: unknown): BoardScope | Undecodable {
  return attempt(scopeState, stored);
}

/** Rows are shown in this many at a time, at most. */
export const maxSliceRows = 400;

const row = record({
  /** For icons: a status of the contract, or `unknown`. */
  tone: text,
  /** In the order of the columns; undefined where a job has no value. */
  cells: list(optional(text)),
});
export type BoardRow = Decoded<typeof row>;

const slice = record({ from: integer(0), rows: list(row) });

const facetValue = record({
  value: optional(text),
  /** How users read it. */
  label: text,
  count: integer(0),
  state: word('free', 'included', 'excluded'),
});
const facet = record({ key: text, values: list(facetValue), further: integer(0) });
export type ShownFacet = Decoded<typeof facet>;

const bin = record({
  fromMs: number,
  toMs: number,
  byStatus: list(integer(0)),
  p50Ms: optional(number),
  p95Ms: optional(number),
});
/** What times are of, and whether live sessions are left out of them. */
const timed = record({ of: word('processing', 'session'), isPart: flag });
export type ShownTimed = Decoded<typeof timed>;
const pulse = record({
  bins: list(bin),
  timed,
  elsewhere: number,
});
export type ShownPulse = Decoded<typeof pulse>;

const processingTimes = record({
  timed,
  p50Ms: optional(number),
  p95Ms: optional(number),
});

const share = record({ hits: integer(0), of: integer(0) });
/** Jobs that stand out from others: {@link Standout}. */
const standout = record({
  shared: list(condition, maxConditions),
  time: optional(record({ side: word('since', 'until'), atMs: number })),
  having: share,
  rest: share,
  code: optional(record({ code: text, hits: integer(0) })),
  /** True if the service can be queried for one of the shared values. */
  canFilter: flag,
});
export type ShownStandout = Decoded<typeof standout>;
/** The answer to What Changed? */
const finding = record({
  of: word('failures', 'range', 'selection'),
  /** What narrowed the board down then; it may be something else by now. */
  conditions: list(condition, maxConditions),
  range: optional(timeRange),
  /** Whether the group is only some of the failures: those with an error code, or of a brushed range. */
  isNarrowed: flag,
  /** Jobs that were compared, and those of the group among them. */
  group: integer(0),
  compared: integer(0),
  standouts: list(standout),
  /** Of its conditions, those that a filter of the jobs view leaves out. */
  unsupported: list(condition, maxConditions),
  /** There may be jobs that were not read. */
  isPart: flag,
});
export type BoardFinding = Decoded<typeof finding>;

/** Items of the service that one board can hold. */
export const maxBoardItems = 100_000;

/** Which part of the jobs of its range a board has. */
const extent = choice({
  /** All of them, and nothing seen contradicts that. */
  whole: {},
  /** As many as the service sent, which may not be all. `isEarly`: it stopped sending, or its list changed too fast. */
  unproved: { isEarly: flag },
  part: {
    why: word('reading', 'firstPage', 'limit', 'cancelled', 'failed'),
    /** It has all jobs that were created since, by the order that their lists were seen to have. */
    sinceMs: optional(number),
    /** Jobs of the range: counted, or at least as many. */
    total: optional(record({ count: integer(0), isExact: flag })),
    /** How many it reads next, and the requests that takes; undefined where it has as many as it can. */
    next: optional(record({ jobs: integer(1), requests: integer(1) })),
  },
});
export type BoardExtent = Decoded<typeof extent>;

/** From the editor to a board. */
export const hostToBoard = choice({
  /** First message: locale and translated strings. */
  hello: { language: text, strings: dictionary(text) },
  /** What the board is about; kept by the page. */
  scope: {
    scope: anything,
    title: text,
    filterText: text,
    /** Whether the filter leaves out jobs of the time range. */
    isFiltered: flag,
    hours: optional(number),
    isOther: flag,
  },
  progress: {
    phase: word('reading', 'counting'),
    jobs: integer(0),
    requests: integer(0),
    /** The service asked to slow down. */
    isSlowed: flag,
  },
  /** Nothing could be read. */
  failed: { sentence: text },
  /** What was read, under the conditions. */
  view: {
    revision: integer(0),
    extent,
    /** It is of another range or filter, whose jobs are still to be read. */
    isOutdated: flag,
    error: optional(text),
    isSlowed: flag,
    /** When reading began: what it has of the range, it has of that time. */
    atMs: number,
    read: integer(0),
    unreadable: integer(0),
    contradicting: integer(0),
    /** Keys of metadata or parameters may have no column. */
    lacksKeys: flag,
    /** Of the rows. */
    failed: integer(0),
    times: processingTimes,
    /** Jobs that meet the conditions: the rows of the table. */
    rows: integer(0),
    columns: list(chosenColumn, maxColumns),
    keys: list(text),
    /** Of the columns, those that hold numbers or durations. */
    numeric: list(text),
    order,
    conditions: list(condition, maxConditions),
    range: optional(timeRange),
    facets: list(facet),
    pulse,
    /** Whether the service can be asked for the range, or for any of the conditions. */
    canFilter: flag,
    /** Of the conditions, those that a filter of the jobs view leaves out. */
    unsupported: list(condition, maxConditions),
    slice,
  },
  rows: { revision: integer(0), slice },
  finding: { finding: optional(finding) },
  copied: { what: text },
});
export type HostToBoard = Decoded<typeof hostToBoard>;
export type ShownView = Extract<HostToBoard, { type: 'view' }>;

/** Places in the table, the end not included. */
const placeRange = record({ from: integer(0), to: integer(0) });
export type PlaceRange = Decoded<typeof placeRange>;

/** What can be done with selected rows. */
const boardActs = [
  'open',
  'compare',
  'watch',
  'saveTranscript',
  'export',
  'resubmit',
  'markHandled',
  'copyIds',
  'copyJson',
] as const;
export type BoardAct = (typeof boardActs)[number];

const viewport = { from: integer(0), to: integer(0) };

/** From a board to the editor. */
export const boardToHost = choice({
  /** The page is ready; sent again when a hidden page is recreated. */
  ready: { timeZone: optional(text) },
  /** A message that the page could not decode. */
  dropped: { why: text },
  slice: { revision: integer(0), ...viewport },
  narrow: { conditions: list(condition, maxConditions), range: optional(timeRange), ...viewport },
  layout: { columns: list(chosenColumn, maxColumns), order, ...viewport },
  window: { hours: integer(1, 24 * 366) },
  /** Asks for a range of time. */
  customWindow: {},
  /** Takes the filter that the jobs view has now. */
  takeFilter: {},
  /** Shows all jobs of the time range, whatever filter the board was opened with. */
  clearFilter: {},
  /** Makes the conditions that a service can be asked for the filter of the jobs view; with what jobs share, those of the finding. */
  useAsFilter: { shared: list(condition, maxConditions) },
  /** Reads from the beginning. */
  read: {},
  /** Reads the jobs after those that were read. */
  readOn: {},
  cancel: {},
  act: { what: word(...boardActs), revision: integer(0), selected: list(placeRange, maxSelected) },
  explain: {
    of: word('failures', 'range', 'selection'),
    revision: integer(0),
    selected: list(placeRange, maxSelected),
  },
  closeFinding: {},
  copyText: { what: text, text },
});
export type BoardToHost = Decoded<typeof boardToHost>;
