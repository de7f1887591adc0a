import {
  choice,
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
import { pageLanguage } from '../../../base/pageHandshake.ts';
import { copyWhats } from '../../../jobs/common/job.ts';
import { comparisonView } from './comparison.ts';
import { chosenSections, jobView, sectionGroup } from './jobView.ts';

/** Identifies the job of a page, without its content. */
export interface PageJob {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
  /** True if the page is permanent, not reused for the next job. */
  readonly side: boolean;
  /** Helps to find the job again. */
  readonly createdAtMs?: number | undefined;
}
const pageJob: Decoder<PageJob> = record({
  connection: text,
  kind: text,
  id: text,
  side: flag,
  createdAtMs: optional(number),
});

/** Jobs of a comparison, all of one kind. Jobs that an older version stored without a kind are live sessions. */
const comparedSessions = record({
  connection: text,
  kind: optional(text),
  ids: list(shortText(1000), 1000),
  /** Helps to find the jobs again: their creation times, in the order of the IDs. */
  createdAtMs: optional(list(optional(number), 1000)),
});
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

/** Messages from the editor to a page. */
export const hostToPage = choice({
  /** First message. */
  hello: pageLanguage,
  /** @param find texts to search in the transcript, best first; sent until the page reports `found`. */
  job: { job: pageJob, view: jobView, find: optional(list(text)) },
  absent: { job: pageJob, view: absentView },
  comparison: { sessions: comparedSessions, view: comparisonView, diffOffered: flag },
  absentSessions: { sessions: comparedSessions, view: absentView },
  /** The text that the page sent is on the clipboard. */
  copied: { what: text },
});
export type HostToPage = Decoded<typeof hostToPage>;

/** Messages from a page to the editor. */
export const pageToHost = choice({
  copy: { what: word(...copyWhats) },
  /** A text composed by the page; `what` describes it in the confirmation. */
  copyText: { what: text, text },
  openJson: {},
  /** The user opened or closed a section, on the pages of all jobs of the group. */
  foldSections: { group: sectionGroup, chosen: chosenSections },
  saveTranscript: {},
  /** Renames a speaker of the transcript, given by its `speakerKey`. */
  renameSpeaker: { speaker: text },
  openLink: { url: text },
  /** Opens the audio of the job in the browser. */
  openAudio: {},
  editErrorLabel: { code: number },
  /** Labels jobs by this key of their metadata. */
  useAsLabel: { key: text },
  /** Opens the request of the failed job for editing. */
  retry: {},
  /** Sends the request of the failed job again, after confirmation. */
  resubmit: {},
  /** Opens the newest job that repeats the failed one. */
  openResubmitted: {},
  /** Marks the failed job as handled. */
  markHandled: {},
  /** Hides the group of the failed job for a time. */
  mute: {},
  /** Watches the job until it finishes. */
  watch: {},
  saveWhenDone: {},
  /** Opens a new request with the settings of the job. */
  newRequest: {},
  /** Opens the file that the job was submitted from. */
  openRequest: {},
  /** Shows the files that were saved when the job was done. */
  showFiles: {},
  /** The page has searched the transcript for the texts of `find`. */
  found: {},
  search: {},
  cancelSearch: {},
  /** Opens the session in a column of a comparison. */
  openSession: { index: number },
  openDiff: {},
});
export type PageToHost = Decoded<typeof pageToHost>;
