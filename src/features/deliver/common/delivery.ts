import {
  choice,
  flag,
  integer,
  list,
  number,
  optional,
  record,
  shortText,
  text,
  uriText,
  word,
  type Decoded,
} from '../../../base/decode/decoder.ts';
import { dayMs, minuteMs } from '../../../base/time.ts';
import { jobKinds } from '../../../jobs/common/job.ts';
import { transcriptFormats } from '../../../jobs/common/transcriptFormats.ts';

/** Version of the stored records. Records of later versions are not read. */
export const deliverySchema = 1;
/** Records are kept for this time, in milliseconds. */
export const keptMs = 90 * dayMs;
/** A claim is valid for this time, in milliseconds; then another window may write the files. */
export const claimMs = 10 * minuteMs;

/** Global state key: when files of jobs were wanted last, in milliseconds since the epoch. */
export const wantedKey = 'lastWantedDeliveryAtMs';
/** Workspace state key of the last plan that the user chose. A plan in another form gets another key. */
export const lastPlanKey = 'lastDeliveryPlan';

/** Stands for the language of the speech, in lists of languages. */
export const originalLanguage = 'original';
/** Stands for the original and all translations. */
export const everyLanguage = '*';

const format = word(...transcriptFormats);

/** Decodes which files of a job are saved, and where. */
export const decodePlan = record({
  /** URI of the folder. */
  folder: uriText,
  /** URI of the workspace folder that the folder must be in; undefined if the user chose the folder. */
  root: optional(uriText),
  formats: list(format, transcriptFormats.length),
  /** Codes, {@link originalLanguage} or {@link everyLanguage}. */
  languages: list(shortText(100), 100),
  /** Pattern of the file names. */
  name: shortText(200),
});
export type DeliveryPlan = Decoded<typeof decodePlan>;

const decodeEnd = choice({
  /** `remarks`: sentences about what is missing, or differs from what the service sent. */
  saved: { remarks: list(text) },
  /** The job is done, but its item has no result. `isKnown`: it was reported before that the service sends none. */
  noResult: { isKnown: flag },
  failed: {},
  /** The job is no longer listed. */
  abandoned: {},
});
/** How the delivery of a job ended. */
export type DeliveryEnd = Decoded<typeof decodeEnd>;

/** Decodes a record of the append-only store. `job` is the {@link deliveryKey}. */
export const decodeDeliveryRecord = choice({
  /** The files of a job are wanted. */
  wanted: {
    job: text,
    /** Jobs that are reported together. */
    group: optional(text),
    connection: text,
    origin: text,
    kind: word(...jobKinds),
    id: text,
    label: text,
    plan: decodePlan,
    /** Process of the window that watches the job. */
    pid: integer(),
    atMs: number,
  },
  /** Another window watches the job. */
  taken: { job: text, pid: integer(), atMs: number },
  /** The job has not finished within the time that jobs are watched. Its files are written when it is next seen done. */
  postponed: { job: text, group: optional(text), run: text, atMs: number },
  /** A window is about to write the files. The first valid claim counts. */
  claim: { job: text, run: text, pid: integer(), atMs: number },
  /** The window no longer claims the job. */
  released: { job: text, run: text },
  /** A file is about to get this name. `folder` is the digest of its URI, `hash` the SHA-256 of its content in hexadecimal. */
  file: {
    job: text,
    group: optional(text),
    run: text,
    folder: text,
    name: text,
    hash: text,
    format,
    language: text,
    /** The name has a number, because another file has the usual one. */
    isNumbered: optional(flag),
  },
  /** `label`: title of the job, if its item has one. */
  ended: { job: text, group: optional(text), run: text, label: optional(text), end: decodeEnd, atMs: number },
});
export type DeliveryRecord = Decoded<typeof decodeDeliveryRecord>;

export type Wanted = Extract<DeliveryRecord, { readonly type: 'wanted' }>;
export type RecordedFile = Extract<DeliveryRecord, { readonly type: 'file' }>;
type Claim = Extract<DeliveryRecord, { readonly type: 'claim' }>;

/** The recorded state of one job. */
export interface Delivery {
  readonly wanted?: Wanted;
  /** The window that took the job over last. */
  readonly taken?: Extract<DeliveryRecord, { readonly type: 'taken' }>;
  readonly postponed?: Extract<DeliveryRecord, { readonly type: 'postponed' }>;
  /** Claims that were not released, in the order in which they were recorded. */
  readonly claims: readonly Claim[];
  readonly files: readonly RecordedFile[];
  readonly ended?: Extract<DeliveryRecord, { readonly type: 'ended' }>;
}

/** Merges records into deliveries by job. The last plan before the first end of a job counts, and files that were not saved can be wanted again. */
export function foldDeliveries(records: Iterable<DeliveryRecord>): ReadonlyMap<string, Delivery> {
  const deliveries = new Map<string, Delivery>();
  for (const each of records) {
    const before = deliveries.get(each.job) ?? { claims: [], files: [] };
    deliveries.set(each.job, withRecord(before, each));
  }
  return deliveries;
}

function withRecord(before: Delivery, added: DeliveryRecord): Delivery {
  switch (added.type) {
    case 'wanted':
      if (before.ended === undefined) return { ...before, wanted: added };
      return before.ended.end.type !== 'saved' ? { wanted: added, claims: [], files: before.files } : before;
    case 'taken':
      return { ...before, taken: added };
    case 'postponed':
      return { ...before, postponed: added };
    case 'claim':
      return { ...before, claims: [...before.claims, added] };
    case 'released':
      return { ...before, claims: before.claims.filter(({ run }) => run !== added.run) };
    case 'file':
      return { ...before, files: [...before.files, added] };
    case 'ended':
      return before.ended === undefined ? { ...before, ended: added } : before;
  }
}

/**
 * Returns the run whose claim of a job counts; undefined if any window may claim it.
 * @param isRunning true if the process of a claim is running
 */
export function claimant({ claims }: Delivery, nowMs: number, isRunning: (pid: number) => boolean): string | undefined {
  return claims.find(({ pid, atMs }) => Math.abs(nowMs - atMs) < claimMs && isRunning(pid))?.run;
}

/** What became of a final job. `held`: poll it again, because its files could not be written yet. */
export type DeliveryResult = 'none' | 'delivered' | 'held';

/** The files of a batch that are saved when its jobs are done. */
export interface DeliveryProposal {
  readonly plan: DeliveryPlan | undefined;
  /** Describes the plan in one line. */
  readonly text: string | undefined;
  /** False if the setting decides, or nothing can be saved. */
  readonly canChange: boolean;
}

/** What is recorded of the files of a batch. */
export interface BatchFiles {
  /** In one line. */
  readonly text: string;
  /** Shows the file that was saved last; undefined if none was saved. */
  readonly show: (() => Promise<void>) | undefined;
}

/** How files of jobs are wanted. */
export interface DeliveryOrder {
  readonly plan: DeliveryPlan;
  /** Jobs with the same group are reported together. */
  readonly group: string | undefined;
}
