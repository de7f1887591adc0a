import {
  choice,
  dictionary,
  flag,
  formVersion,
  list,
  number,
  optional,
  record,
  text,
  word,
  type Decoded,
} from './decode/decoder.ts';
import { comparisonView } from './jobView/comparison.ts';
import { jobView } from './jobView/jobView.ts';

/** Which job a page shows, and whether it stays ("side") or is reused for the next one. Nothing of the job's content. */
const pageJob = record({ connection: text, kind: text, id: text, side: flag });
export type PageJob = Decoded<typeof pageJob>;

const stateVersion = 1;

/** What a page keeps for when it comes back: its job and how it was left. Folds are named by position, never by content. */
export const pageState = record({
  version: formVersion(stateVersion),
  job: optional(pageJob),
  unfolded: list(text),
  scrollY: number,
});
export type PageState = Omit<Decoded<typeof pageState>, 'version'>;

/** The same as it is kept: another form gets another version, so that an older program leaves it alone. */
export function storedPageState(state: PageState): Decoded<typeof pageState> {
  return { ...state, version: stateVersion };
}

/** What stands in place of a job that is not loaded. */
const absentView = record({ title: text, text, search: word('offered', 'running', 'none') });
export type AbsentView = Decoded<typeof absentView>;

/** From the editor to a page. */
export const hostToPage = choice({
  /** Comes first: how the reader writes, and the strings of the reader's language. */
  hello: { language: text, strings: dictionary(text) },
  job: { job: pageJob, view: jobView },
  absent: { job: pageJob, view: absentView },
  comparison: { view: comparisonView, diffOffered: flag },
  /** A copy that the page asked for is on the clipboard. */
  copied: { what: text },
});
export type HostToPage = Decoded<typeof hostToPage>;

/** From a page to the editor. */
export const pageToHost = choice({
  /** Listening: may be sent again, because a hidden page is thrown away and made anew. */
  ready: { timeZone: optional(text) },
  copy: { what: word('id', 'requestId', 'json', 'curl') },
  /** A text that the page put together from what it shows; `what` names it when it is on the clipboard. */
  copyText: { what: text, text },
  openJson: {},
  openLink: { url: text },
  editErrorLabel: { code: number },
  search: {},
  cancelSearch: {},
  /** The column of a comparison. */
  openSession: { index: number },
  openDiff: {},
  /** A message that the page could not read. */
  dropped: { why: text },
});
export type PageToHost = Decoded<typeof pageToHost>;
export type CopyWhat = Extract<PageToHost, { type: 'copy' }>['what'];
