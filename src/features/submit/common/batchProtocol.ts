import {
  choice,
  flag,
  formVersion,
  integer,
  optional,
  record,
  shortText,
  text,
  word,
  type Decoded,
} from '../../../base/decode/decoder.ts';
import { pageLanguage } from '../../../base/pageHandshake.ts';
import { gridView, selectedPlaces, gridState, viewport } from '../../board/common/boardProtocol.ts';

const pageVersion = 1;
const pageFields = { connection: shortText(1000), baseUrl: shortText(10_000), id: shortText(200) };
/** The batch of a page, which the page stores for the next session. */
export const batchPageState = record({ version: formVersion(pageVersion), ...pageFields });
export type BatchName = Omit<Decoded<typeof batchPageState>, 'version'>;

/** Encodes the name of a batch for storage. */
export function encodeBatchName(name: BatchName): Decoded<typeof batchPageState> {
  return { ...name, version: pageVersion };
}

/** Messages from the editor to the page of a batch. */
export const hostToBatch = choice({
  /** First message, with the state to store. */
  hello: { ...pageLanguage, state: batchPageState },
  view: {
    /** The same while the rows and their order are the same. */
    revision: integer(0),
    title: text,
    /** Source, connection and time. */
    origin: text,
    /** Number of requests, jobs and left-out rows by state. */
    counts: text,
    /** Where files of its jobs were saved, and what is missing. */
    files: optional(text),
    /** True if there are saved files to show. */
    hasFiles: flag,
    /** What is being done, or why it failed. */
    notice: optional(record({ text, isFailure: flag })),
    /** Numbers of jobs to save, of failed jobs to resubmit, of requests to submit, and of jobs whose final state is unknown. */
    done: integer(0),
    failed: integer(0),
    left: integer(0),
    open: integer(0),
    ...gridView,
  },
  rows: { revision: integer(0), slice: gridView.slice },
  /** Selection and active cell in the current rows. */
  gridState,
});
export type HostToBatch = Decoded<typeof hostToBatch>;
export type ShownBatch = Extract<HostToBatch, { type: 'view' }>;

/** Actions on the whole batch. */
const batchActions = ['saveAll', 'showFiles', 'resubmitFailed', 'submitRest', 'refresh'] as const;
export type BatchAction = (typeof batchActions)[number];

/** Actions on selected rows. */
const batchRowActions = ['open', 'saveTranscript', 'resubmit', 'findJob', 'openRequest', 'copy'] as const;
export type BatchRowAction = (typeof batchRowActions)[number];

/** Messages from the page of a batch to the editor. */
export const batchToHost = choice({
  slice: { revision: integer(0), ...viewport },
  gridState,
  layout: { columns: gridView.columns, order: gridView.order, ...viewport },
  act: { what: word(...batchRowActions), revision: integer(0), selected: selectedPlaces },
  run: { what: word(...batchActions) },
});
export type BatchToHost = Decoded<typeof batchToHost>;

/**
 * Returns the actions for selected rows.
 * @param states of all selected rows, as in `BatchRow`; undefined if not all rows are known, which excludes nothing
 */
export function batchRowActionsOf(count: number, states: ReadonlySet<string> | undefined): readonly BatchRowAction[] {
  const isAmong = (...wanted: readonly string[]): boolean =>
    states === undefined || wanted.some((each) => states.has(each));
  const hasJob = isAmong('error', 'partly', 'accepted', 'queued', 'processing', 'other', 'resubmitted', 'done');
  return [
    ...(count === 1 && hasJob ? (['open'] as const) : []),
    ...(isAmong('done', 'partly') ? (['saveTranscript'] as const) : []),
    ...(isAmong('error', 'partly') ? (['resubmit'] as const) : []),
    ...(count === 1 && isAmong('unknown') ? (['findJob'] as const) : []),
    ...(count === 1 && !isAmong('leftOut') ? (['openRequest'] as const) : []),
    'copy',
  ];
}
