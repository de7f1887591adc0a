import { postVerdict, type PostAnswer, type UnacceptedPost } from '../../base/postOutcome.ts';
import { type FailureCode, failureCodes } from '../../base/failure.ts';
import {
  choice,
  list,
  number,
  optional,
  record,
  shortText,
  text,
  time,
  Undecodable,
  word,
  type Decoder,
} from '../../base/decode/decoder.ts';
import { dayMs } from '../../base/time.ts';

/** The recorded outcome of a POST. */
export type SubmissionOutcome =
  /** Written before the request is sent; it remains if the process ends before the outcome is known. */
  | { readonly type: 'sending' }
  /**
   * The service accepted it. `status` is missing if the job was found in the list later. `fate`: once it is known of a job
   * that was watched.
   */
  | {
      readonly type: 'accepted';
      readonly status: number | undefined;
      readonly id: string | undefined;
      readonly fate?: JobFate;
    }
  | {
      readonly type: 'rejected';
      readonly code: FailureCode;
      readonly status: number | undefined;
      readonly requestId: string | undefined;
    }
  /** A job may or may not exist. `lookedAtMs`: time of a search that did not find it. `code` is missing after a crash. */
  | { readonly type: 'unknown'; readonly code: FailureCode | undefined; readonly lookedAtMs: number | undefined }
  /** The request certainly did not leave this machine. */
  | { readonly type: 'notSent'; readonly code: FailureCode };

/** The final state of a job. */
export interface JobFate {
  readonly status: 'done' | 'error';
  readonly errorCode?: number | undefined;
  /** Names of the add-ons that failed in a job that is done. Missing in earlier batches, and if there are none. */
  readonly failedAddOns?: readonly string[] | undefined;
}

type Acceptance = Extract<SubmissionOutcome, { readonly type: 'accepted' }>;

/** Returns an outcome with the final state of its job, or without one. */
export function withFate({ type, status, id }: Omit<Acceptance, 'fate'>, fate: JobFate | undefined): Acceptance {
  return { type, status, id, ...(fate && { fate }) };
}

/** Identifies a submission: a unique value under a key of `custom_metadata`. */
export interface CorrelationTag {
  readonly key: string;
  readonly value: string;
}

/** What is known of a job because it was submitted from this machine. */
export interface SubmittedAs {
  readonly name: string;
  readonly isInBatch: boolean;
  /** Id of the failed job that it repeats. */
  readonly replaces?: string | undefined;
}

/** One POST in the journal. Contains no key, no body and no audio URL, only digests (SHA-256, hexadecimal). */
export interface Submission {
  /** Identifies the entry; sorts by time. */
  readonly key: string;
  /** Name of the connection. */
  readonly connection: string;
  /** Scheme, host and port of the service. */
  readonly origin: string;
  /** Milliseconds since the epoch, by the local clock. */
  readonly sentAtMs: number;
  /** The time by which the sender must have recorded the outcome; later, a pending outcome counts as unknown. */
  readonly expectedByMs: number;
  /** Process id of the sender. */
  readonly sender: number;
  /** URI of the request file. */
  readonly file: string;
  /** Digest of the body without the correlation tag, so that equal requests have equal digests. */
  readonly bodyHash: string;
  readonly audioHash: string | undefined;
  /** Names the key of that hash: hashes with different keys can't be compared. Missing in earlier entries. */
  readonly audioKeyId?: string | undefined;
  /** Host and file name of the audio, if the file is a template or there is no file; no query. */
  readonly label?: string | undefined;
  readonly tag: CorrelationTag | undefined;
  /** Id of its batch. */
  readonly batch: string | undefined;
  /** Id of the failed job that this one repeats. */
  readonly replaces?: string | undefined;
  readonly outcome: SubmissionOutcome;
}

/** The connection that a journal belongs to. */
export interface JournalOwner {
  readonly name: string;
  readonly baseUrl: string;
}

/**
 * Returns the submission with a stale outcome replaced: if it is still `sending` although its process or its time has
 * ended, its outcome is unknown.
 */
export function withStaleOutcome(submission: Submission, nowMs: number, senderIsAlive: boolean): Submission {
  const { outcome, expectedByMs } = submission;
  if (outcome.type !== 'sending' || (senderIsAlive && nowMs < expectedByMs)) return submission;
  return { ...submission, outcome: { type: 'unknown', code: undefined, lookedAtMs: undefined } };
}

/** True if the service may have a job for this submission. */
export function mayHaveJob({ outcome }: Pick<Submission, 'outcome'>): boolean {
  return outcome.type === 'accepted' || outcome.type === 'unknown' || outcome.type === 'sending';
}

/** True if the outcome is certain. */
export function isSettled({ outcome }: Pick<Submission, 'outcome'>): boolean {
  return outcome.type !== 'sending' && outcome.type !== 'unknown';
}

/**
 * Schema number of journal and ledger records. Records with a higher number were written by a later version and are left
 * unchanged.
 */
export const journalSchema = 2;

const code = word(...failureCodes);

const storedOutcome = choice({
  sending: {},
  accepted: {
    status: optional(number),
    id: optional(text),
    fate: optional(
      record({
        status: word('done', 'error'),
        errorCode: optional(number),
        failedAddOns: optional(list(shortText(1000), 100)),
      }),
    ),
  },
  rejected: { code, status: optional(number), requestId: optional(text) },
  unknown: { code: optional(code), lookedAtMs: optional(number) },
  notSent: { code },
});

/** Decodes an outcome. Throws {@link Undecodable}. */
export const decodeOutcome: Decoder<SubmissionOutcome> = (value, path) => {
  const read = storedOutcome(value, path);
  return read.type === 'accepted' ? withFate(read, read.fate) : read;
};

/**
 * Corrects an outcome by {@link postVerdict}: a rejection becomes unknown if its status does not guarantee that the request
 * was not processed.
 */
export function withVerdict(outcome: SubmissionOutcome): SubmissionOutcome {
  if (outcome.type !== 'rejected' || postVerdict(outcome.status ?? NaN) === 'rejected') return outcome;
  return { type: 'unknown', code: outcome.code, lookedAtMs: undefined };
}

const submissionFields = {
  key: text,
  connection: text,
  origin: text,
  sentAtMs: time,
  expectedByMs: number,
  sender: number,
  file: text,
  bodyHash: text,
  audioHash: optional(text),
  audioKeyId: optional(text),
  label: optional(text),
  tag: optional(record({ key: text, value: text })),
  batch: optional(text),
  replaces: optional(text),
  outcome: decodeOutcome,
} as const;

/** A record of the append-only journal: a submission, or a later outcome of one. */
export type JournalRecord =
  | ({ readonly type: 'entry' } & Submission)
  | { readonly type: 'outcome'; readonly key: string; readonly outcome: SubmissionOutcome };

/** Decodes a record. Throws {@link Undecodable}. */
export const decodeJournalRecord: Decoder<JournalRecord> = choice({
  entry: submissionFields,
  outcome: { key: text, outcome: decodeOutcome },
});

/** Certainty of an outcome. A less certain outcome never replaces a more certain one, in whatever order they were written. */
const weights: Readonly<Record<SubmissionOutcome['type'], number>> = {
  sending: 0,
  unknown: 1,
  notSent: 2,
  rejected: 2,
  accepted: 3,
};

/** Merges a later outcome into the known one. The later one is used unless it is less certain. A known job id is kept. */
function mergeOutcome(before: SubmissionOutcome, later: SubmissionOutcome): SubmissionOutcome {
  if (before.type === 'accepted' && later.type === 'accepted') {
    const { type } = before;
    const merged = { type, status: before.status ?? later.status, id: before.id ?? later.id };
    return withFate(merged, later.fate ?? before.fate);
  }
  return weights[later.type] < weights[before.type] ? before : later;
}

/**
 * Merges records into the known submissions.
 * @param known submissions by key; updated
 * @returns keys of outcomes without an entry, which is lost or was deleted because of its age.
 */
export function foldJournal(known: Map<string, Submission>, records: readonly JournalRecord[]): ReadonlySet<string> {
  const lost = new Set<string>();
  for (const { type, ...update } of records) {
    const before = known.get(update.key);
    const outcome = before === undefined ? update.outcome : mergeOutcome(before.outcome, update.outcome);
    if (before !== undefined) known.set(update.key, { ...before, outcome });
    else if (type === 'entry' && 'file' in update) known.set(update.key, update);
    else lost.add(update.key);
  }
  return lost;
}

/** Returns the schema number of a decoded record. Throws {@link Undecodable} if it has none. */
export function schemaOf(value: unknown): number {
  const { schema } = record({ schema: number })(value);
  if (!Number.isInteger(schema) || schema < 1) throw new Undecodable('.schema: expected a positive whole number');
  return schema;
}

/** After a day, submitting the same body again is considered intentional. */
export const rememberedMs = dayMs;

/** True if a submission may have created a job within a day. */
export function isRecent(submission: Pick<Submission, 'outcome' | 'sentAtMs'>, nowMs: number): boolean {
  return mayHaveJob(submission) && nowMs - submission.sentAtMs < rememberedMs;
}

/** Returns the newest submission of the same body that may have created a job; undefined if there is none within a day. */
export function sameBodySent(
  submissions: readonly Submission[],
  bodyHash: string,
  nowMs: number,
): Submission | undefined {
  return submissions
    .filter((each) => each.bodyHash === bodyHash && isRecent(each, nowMs))
    .toSorted((a, b) => b.sentAtMs - a.sentAtMs)[0];
}

/** Outcome of the single POST (contract 4.4). */
export type SubmitOutcome = (
  | {
      readonly type: 'accepted';
      /** Any 2xx. */
      readonly status: number;
      /** The response's `id`, if it is a string. */
      readonly id: string | undefined;
    }
  | UnacceptedPost
) & {
  /** Missing without a complete answer. */
  readonly answer?: PostAnswer;
};
