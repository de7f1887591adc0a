import { choice, flag, list, number, optional, record, text, word, type Decoded } from '../decode/decoder.ts';
import { transcriptView } from '../result/transcriptView.ts';

/** `absolute` is ready to read; the distance from now is the page's to keep up to date. */
const moment = { atMs: number, absolute: text, iso: text } as const;
export const plainMoment = record(moment);

/** Reads one shown value. */
export const viewValue = choice({
  /** Absent or null: shown as a dash. */
  missing: {},
  /** Words: ours, or the service's when `verbatim`. */
  text: { text, verbatim: flag },
  /** A switch. */
  switch: { on: flag },
  /** A moment, with the distance from now. */
  moment,
  /** JSON text as received: a plain value, or an outline that folds. The page reads it one level at a time. */
  json: { json: text },
});

const action = choice({
  copy: { what: word('id', 'requestId') },
  editErrorLabel: { code: number },
});

const row = record({
  /** Names the row among its section's rows, the same in every view of the job. */
  id: text,
  label: text,
  /** The label is a name from the item, not one of our words. */
  named: flag,
  value: viewValue,
  /** A remark such as "not the expected type". */
  remark: optional(text),
  action: optional(action),
});

const group = record({ id: text, title: text, rows: list(row) });

const switchTable = record({
  columns: record({ category: text, messages: text, callback: text }),
  rows: list(record({ id: text, category: text, messages: viewValue, callback: viewValue })),
});

const note = record({ id: text, text });

const section = record({
  id: text,
  title: text,
  rows: list(row),
  groups: list(group),
  switches: optional(switchTable),
  /** What the parameters say against each other. */
  notes: list(note),
  /** An object whose members are the section's rows, as JSON text: free-form metadata of any size. */
  members: optional(text),
});

const timeline = record({
  created: plainMoment,
  completed: optional(plainMoment),
  /** Ready to read; undefined while it grows and when it cannot be told. */
  duration: optional(text),
  /** The job goes on: the page counts the time since `created`. */
  running: flag,
});

/** A status in words and the tone to show it in. */
export const viewStatus = record({ tone: word('queued', 'processing', 'done', 'error', 'unknown'), text });

/** Reads a {@link JobView} that crossed the border between editor and page. */
export const jobView = record({
  title: text,
  status: viewStatus,
  kind: text,
  timeline: optional(timeline),
  /** What failed inside the job. */
  warnings: list(note),
  sections: list(section),
  transcript: optional(transcriptView),
});

/** Everything the details page shows of one job, in the user's language, ready to be laid out. */
export type JobView = Decoded<typeof jobView>;
export type ViewStatus = Decoded<typeof viewStatus>;
export type ViewTimeline = Decoded<typeof timeline>;
export type ViewSection = Decoded<typeof section>;
export type ViewNote = Decoded<typeof note>;
export type ViewGroup = Decoded<typeof group>;
export type ViewRow = Decoded<typeof row>;
export type ViewValue = Decoded<typeof viewValue>;
export type ViewMoment = Decoded<typeof plainMoment>;
export type RowAction = Decoded<typeof action>;
export type SwitchTable = Decoded<typeof switchTable>;
