import {
  anything,
  choice,
  flag,
  integer,
  list,
  number,
  optional,
  record,
  shortText,
  text,
  word,
  type Decoded,
} from '../../../base/decode/decoder.ts';
import { pageLanguage } from '../../../base/pageHandshake.ts';
import { columnWidths } from './boardColumns.ts';

/** Maximum numbers of columns and conditions, above any real board. Data from a page or a stored state may hold anything. */
const maxColumns = 500;
const maxConditions = 1000;
const maxSelected = 100_000;

/** Maximum length in characters. */
const key = shortText(1000);

/** A condition of a board: {@link FacetCondition}. */
const condition = record({ key, value: optional(shortText(10_000)), isExcluded: flag });

const chosenRange = record({ fromMs: number, toMs: optional(number) });

const order = record({ key, isDescending: flag });

/** Width in pixels of the page. */
const chosenColumn = record({ key, width: integer(40, 1200) });
export type ChosenColumn = Decoded<typeof chosenColumn>;

/** Parts of a board that fold. */
const boardPart = word('charts', 'facets');
export type BoardPart = Decoded<typeof boardPart>;
const folded = list(boardPart, 10);

/** Parts of the messages that are also stored. */
export const boardParts = {
  columns: list(chosenColumn, maxColumns),
  order,
  folded,
  conditions: list(condition, maxConditions),
  range: optional(chosenRange),
};

/** Returns a column with its usual width, which stands for a column that the user has not resized. */
export function usualColumn(key: string): ChosenColumn {
  return { key, width: columnWidths(key).usual };
}

/** Maximum number of rows in one slice. */
export const maxSliceRows = 400;

const row = record({
  /** Status of the contract, or `unknown`. Selects the icon. */
  tone: text,
  /** In the order of the columns; undefined if a job has no value. */
  cells: list(optional(text)),
});
export type BoardRow = Decoded<typeof row>;

const slice = record({ from: integer(0), rows: list(row) });

/** What a table shows: one slice of its rows, in the current order. */
export const gridView = {
  /** Number of rows. */
  rows: integer(0),
  columns: list(chosenColumn, maxColumns),
  /** Keys of the columns that can be shown. */
  keys: list(text),
  /** Columns that hold numbers or durations. */
  numeric: list(text),
  /** Columns that are as narrow as their titles, because no row has a value. */
  empty: list(text),
  order,
  slice,
};
const gridViewRecord = record(gridView);
export type GridView = Decoded<typeof gridViewRecord>;

const facetValue = record({
  value: optional(text),
  /** Text shown to users. */
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
/** Kind of the measured times, and whether live sessions are left out of them. */
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
  incident: optional(record({ since: share, before: share })),
  code: optional(record({ code: text, hits: integer(0) })),
  /** True if the service can be queried for one of the shared values. */
  canFilter: flag,
});
export type ShownStandout = Decoded<typeof standout>;
/** Result of What Changed? */
const finding = record({
  of: word('failures', 'range', 'selection'),
  /** Conditions of the board at that time; they may have changed since. Failures are explained regardless of the range. */
  conditions: list(condition, maxConditions),
  range: optional(chosenRange),
  /** True if the group is only a part of the failures: those with an error code. */
  isNarrowed: flag,
  /** Conditions that all compared jobs meet. */
  among: list(condition, maxConditions),
  /** Number of jobs in the group, and of all compared jobs including them. */
  group: integer(0),
  compared: integer(0),
  standouts: list(standout),
  /** Conditions of the finding that a filter of the jobs view leaves out. */
  unsupported: list(condition, maxConditions),
  /** True if some jobs may not have been read. */
  isPart: flag,
});
export type BoardFinding = Decoded<typeof finding>;

/** Maximum number of items of the service in one board. */
export const maxBoardItems = 100_000;

/** Extent of the jobs that a board has of its range. */
const extent = choice({
  /** All jobs, and nothing read contradicts that. */
  whole: {},
  /** All jobs that the service sent, which may not be all. `isEarly`: the service stopped early, or its list changed too fast. */
  unproved: { isEarly: flag },
  part: {
    why: word('reading', 'firstPage', 'limit', 'cancelled', 'failed'),
    /** Time since which all created jobs were read, according to the observed order of their lists. */
    sinceMs: optional(number),
    /** Number of jobs in the range: exact, or a lower bound. */
    total: optional(record({ count: integer(0), isExact: flag })),
    /** Number of jobs that the next read adds, and of its requests: at most, unless the total is exact. Undefined at the maximum. */
    next: optional(record({ jobs: integer(1), requests: integer(1) })),
  },
});
export type BoardExtent = Decoded<typeof extent>;

/** Range of places in the table, the end excluded. */
export const viewport = { from: integer(0), to: integer(0) };
const placeRange = record(viewport);
export type PlaceRange = Decoded<typeof placeRange>;
/** The places of the first view. */
export const firstRows: PlaceRange = { from: 0, to: 60 };
export const selectedPlaces = list(placeRange, maxSelected);

/** What the user sees of the rows: survives while the page is hidden, and belongs to one revision. */
export const gridState = {
  revision: integer(0),
  selected: selectedPlaces,
  /** Active cell; the header is row -1. */
  row: integer(-1),
  column: integer(0),
  /** Scrolled distance in pixels. */
  top: number,
};
const gridStateRecord = record(gridState);
export type GridState = Decoded<typeof gridStateRecord>;

/** Messages from the editor to a board. */
export const hostToBoard = choice({
  /** First message, with the folded parts. */
  hello: { ...pageLanguage, folded },
  /** Scope of the board; stored by the page. */
  scope: {
    scope: anything,
    title: text,
    filterText: text,
    /** True if the filter leaves out jobs of the time range. */
    isFiltered: flag,
    hours: optional(number),
    isOther: flag,
  },
  progress: {
    phase: word('reading', 'counting'),
    jobs: integer(0),
    requests: integer(0),
    /** True if the service requested a slower rate. */
    isSlowed: flag,
  },
  /** Nothing could be read. */
  failed: { sentence: text },
  /** Jobs read so far that meet the conditions. */
  view: {
    revision: integer(0),
    extent,
    /** True if the view is of another range or filter, whose jobs have not been read yet. */
    isOutdated: flag,
    error: optional(text),
    isSlowed: flag,
    /** Time when reading began. The jobs of the range are as of this time. */
    atMs: number,
    read: integer(0),
    unreadable: integer(0),
    contradicting: integer(0),
    /** True if some keys of metadata or parameters may have no column. */
    lacksKeys: flag,
    /** Number of failures among the rows. */
    failed: integer(0),
    times: processingTimes,
    /** The rows are the jobs that meet the conditions. */
    ...gridView,
    conditions: list(condition, maxConditions),
    range: optional(chosenRange),
    facets: list(facet),
    pulse,
    /** True if the service can be queried for the range or for any of the conditions. */
    canFilter: flag,
    /** Conditions that a filter of the jobs view leaves out. */
    unsupported: list(condition, maxConditions),
  },
  rows: { revision: integer(0), slice },
  /** Restores what a page showed before it was hidden. */
  gridState,
  finding: { finding: optional(finding) },
  copied: { what: text },
});
export type HostToBoard = Decoded<typeof hostToBoard>;
export type ShownView = Extract<HostToBoard, { type: 'view' }>;

/** Actions on selected rows. */
const boardActions = [
  'open',
  'compare',
  'watch',
  'saveTranscript',
  'export',
  'resubmit',
  'markHandled',
  'mute',
  'copyIds',
  'copyJson',
] as const;
export type BoardAction = (typeof boardActions)[number];

/** Messages from a board to the editor. */
export const boardToHost = choice({
  slice: { revision: integer(0), ...viewport },
  /** Sent when rows were selected or scrolled. */
  gridState,
  narrow: { conditions: list(condition, maxConditions), range: optional(chosenRange), ...viewport },
  layout: { columns: list(chosenColumn, maxColumns), order, ...viewport },
  /** Stores which parts are folded. */
  fold: { folded },
  window: { hours: integer(1, 24 * 366) },
  /** Opens the input for a range of time. */
  customWindow: {},
  /** Takes over the current filter of the jobs view. */
  takeFilter: {},
  /** Shows all jobs of the time range, regardless of the filter that the board was opened with. */
  clearFilter: {},
  /** Sets the filter of the jobs view to the supported conditions; with shared values, to those of the finding. */
  useAsFilter: { shared: list(condition, maxConditions) },
  /** Reads from the beginning. */
  read: {},
  /** Reads the jobs that follow those already read. */
  readOn: {},
  cancel: {},
  act: { what: word(...boardActions), revision: integer(0), selected: selectedPlaces },
  explain: {
    of: word('failures', 'range', 'selection'),
    revision: integer(0),
    selected: selectedPlaces,
  },
  closeFinding: {},
  copyText: { what: text, text },
});
export type BoardToHost = Decoded<typeof boardToHost>;
