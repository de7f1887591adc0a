import {
  choice,
  dictionary,
  flag,
  formVersion,
  list,
  number,
  optional,
  record,
  shortText,
  text,
  word,
  type Decoded,
  type Decoder,
} from '../../../base/decode/decoder.ts';
import { comparisonView } from './comparison.ts';
import { jobView } from './jobView.ts';

/** The job of a page, with none of its content. */
export interface PageJob {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
  /** The page is permanent, not reused for the next job. */
  readonly side: boolean;
  /** Finds the job again. */
  readonly createdAtMs?: number | undefined;
}
const pageJob: Decoder<PageJob> = record({
  connection: text,
  kind: text,
  id: text,
  side: flag,
  createdAtMs: optional(number),
});

/** The jobs of a comparison, of one kind; those that an older version stored without a kind are live sessions. */
const comparedSessions = record({ connection: text, kind: optional(text), ids: list(shortText(1000), 1000) });
export type ComparedSessions = Decoded<typeof comparedSessions>;

const stateVersion = 1;

/** State of a page to restore: its job and layout. Folds are identified by position, never by content. */
export const pageState = record({
  version: formVersion(stateVersion),
  job: optional(pageJob),
  compared: optional(comparedSessions),
  unfolded: list(shortText(1000), 10_000),
  scrollY: number,
});
export type PageState = Omit<Decoded<typeof pageState>, 'version'>;

/** The state with its format version, so that older versions ignore a newer format. */
export function storedPageState(state: PageState): Decoded<typeof pageState> {
  return { ...state, version: stateVersion };
}

/** Shown instead of a job that is not loaded. */
const absentView = record({ title: text, text, search: word('offered', 'running', 'none') });
export type AbsentView = Decoded<typeof absentView>;

/** From the editor to a page. */
export const hostToPage = choice({
  /** First message: locale and translated strings. */
  hello: { language: text, strings: dictionary(text) },
  /** @param find what to look for in the transcript, the best first; until the page has `found`. */
  job: { job: pageJob, view: jobView, find: optional(list(text)) },
  absent: { job: pageJob, view: absentView },
  comparison: { sessions: comparedSessions, view: comparisonView, diffOffered: flag },
  absentSessions: { sessions: comparedSessions, view: absentView },
  /** The requested text is on the clipboard. */
  copied: { what: text },
});
export type HostToPage = Decoded<typeof hostToPage>;

/** From a page to the editor. */
export const pageToHost = choice({
  /** The page is ready; sent again when a hidden page is recreated. */
  ready: { timeZone: optional(text) },
  copy: { what: word('id', 'requestId', 'link', 'json', 'curl') },
  /** A text composed by the page; `what` describes it in the confirmation. */
  copyText: { what: text, text },
  openJson: {},
  saveTranscript: {},
  /** Of the transcript; a `speakerKey`. */
  renameSpeaker: { speaker: text },
  openLink: { url: text },
  /** The audio of the job, in the browser. */
  openAudio: {},
  editErrorLabel: { code: number },
  /** The request of the failed job, to be changed. */
  retry: {},
  /** Follow the job until it finishes. */
  watch: {},
  /** A new request with the settings of the job. */
  newRequest: {},
  /** The file that the job was submitted from. */
  openRequest: {},
  /** The transcript was looked through for what the job was found by. */
  found: {},
  search: {},
  cancelSearch: {},
  /** The column of a comparison. */
  openSession: { index: number },
  openDiff: {},
  /** A message that the page could not decode. */
  dropped: { why: text },
});
export type PageToHost = Decoded<typeof pageToHost>;
