import {
  choice,
  flag,
  list,
  number,
  optional,
  record,
  shortText,
  text,
  word,
  type Decoded,
} from '../../../base/decode/decoder.ts';
import { transcriptView } from '../../../jobs/common/result/transcriptView.ts';

/** `absolute` is formatted; the page keeps the relative time up to date. */
const moment = { atMs: number, absolute: text, iso: text } as const;
export const plainMoment = record(moment);

/** Decodes one value. */
export const viewValue = choice({
  /** Absent or null: shown as a dash. */
  missing: {},
  /** Text: from the extension, or from the service if `verbatim`. */
  text: { text, verbatim: flag },
  /** A boolean. */
  switch: { on: flag },
  /** A time, with its distance from now. */
  moment,
  /** JSON text as received: a plain value or a collapsible tree, which the page parses one level at a time. */
  json: { json: text },
});

const action = choice({
  copy: { what: word('id', 'requestId') },
  editErrorLabel: { code: number },
  /** Makes a metadata key the first one of job labels. */
  useAsLabel: { key: text },
});

const row = record({
  /** Identifies the row within its part, stable across views of the job. */
  id: text,
  label: text,
  /** True if the label is a name from the item, not a string of the extension. */
  named: flag,
  value: viewValue,
  /** A remark such as "not the expected type". */
  remark: optional(text),
  action: optional(action),
});

const group = record({ id: text, title: text, rows: list(row) });

const switchTable = record({
  columns: record({ category: text, messages: text, callback: text }),
  /** @param hint what the two values of the row mean together */
  rows: list(record({ id: text, category: text, messages: viewValue, callback: viewValue, hint: optional(text) })),
});

const note = record({ id: text, text });

const part = record({
  id: text,
  /** Empty if the part needs no heading of its own. */
  title: text,
  rows: list(row),
  groups: list(group),
  switches: optional(switchTable),
  /** Warnings, such as contradictions between parameters. */
  notes: list(note),
  /** Sentences that describe the part. */
  remarks: list(text),
  /** JSON text of an object whose members are the part's rows: free-form metadata of any size. */
  members: optional(text),
});

/** The section IDs of the page, in their order; `transcript` has its own view. */
const section = record({ id: word('addOns', 'request', 'details', 'raw'), title: text, parts: list(part) });

/** Jobs that share which sections of their pages are open. */
export const sectionGroup = word('live', 'other');

const sectionIds = list(shortText(100), 20);

/** Decodes which sections the user opened and closed. */
export const chosenSections = record({ opened: sectionIds, closed: sectionIds });
export type ChosenSections = Decoded<typeof chosenSections>;

const timeline = record({
  created: plainMoment,
  /** True if the job is unfinished: the page counts the time since `created`. */
  running: flag,
});

/** Decodes a status: its text and its tone. */
export const viewStatus = record({ tone: word('queued', 'processing', 'done', 'error', 'unknown'), text });

/** Decodes a {@link JobView} sent from the editor to the page. */
export const jobView = record({
  title: text,
  status: viewStatus,
  /** The code of a failed job, with the user's label. */
  reason: optional(text),
  kind: text,
  timeline: optional(timeline),
  /** What went wrong: failed parts of the job, what its failure has in common with others, what to do. */
  warnings: list(note),
  /** Length, languages, speakers, billed and processing time, if known. */
  facts: list(text),
  sections: list(section),
  /** IDs of the sections that exist, and those `chosen` by the user, for all jobs of the group. Of the others, `first` is open. */
  folds: record({ group: sectionGroup, ids: list(text), chosen: optional(chosenSections), first: text }),
  transcript: optional(transcriptView),
  /** True if the job has a transcript to save. */
  canSave: flag,
  /** True if the job failed and its request is available to retry with other settings. */
  canRetry: flag,
  /** True if the job or a part of it failed. */
  hasFailed: flag,
  /** True if that is not marked as handled. */
  canMarkHandled: flag,
  /** True if its request can be sent again, and was not yet. */
  canResubmit: flag,
  /** True if a newer job repeats this failed one. */
  isResubmitted: flag,
  /** True if the item has an audio address that can be opened. */
  hasAudio: flag,
  /** True if the job can be watched until it finishes. */
  canWatch: flag,
  /** True if the item has settings for another request. */
  canRepeat: flag,
  /** True if the job was submitted from this computer. */
  isSubmitted: flag,
  /** True if results of the job were saved as files when it was done. */
  hasFiles: flag,
  /** True if a link to the job can be created. */
  canLink: flag,
});

/** Everything the details page shows of one job, in the user's language. */
export type JobView = Decoded<typeof jobView>;
export type ViewStatus = Decoded<typeof viewStatus>;
export type ViewTimeline = Decoded<typeof timeline>;
export type ViewSection = Decoded<typeof section>;
export type ViewPart = Decoded<typeof part>;
export type ViewNote = Decoded<typeof note>;
export type ViewGroup = Decoded<typeof group>;
export type ViewRow = Decoded<typeof row>;
export type ViewValue = Decoded<typeof viewValue>;
export type ViewMoment = Decoded<typeof plainMoment>;
export type RowAction = Decoded<typeof action>;
export type SwitchTable = Decoded<typeof switchTable>;
