import { type FailureCode, failureCodes } from '../failure.ts';
import { postVerdict } from './postVerdict.ts';
import { choice, number, optional, record, text, Undecodable, word, type Decoder } from '../decode/decoder.ts';

/** What became of a POST, as far as the journal knows. */
export type SubmissionOutcome =
  /** Written before the request leaves, so that a process that ends in the middle leaves this behind. */
  | { readonly type: 'sending' }
  /** The service took it. `status` is missing when that was found out later, by looking at the list. */
  | { readonly type: 'accepted'; readonly status: number | undefined; readonly id: string | undefined }
  | {
      readonly type: 'rejected';
      readonly code: FailureCode;
      readonly status: number | undefined;
      readonly requestId: string | undefined;
    }
  /** A job may or may not exist. `lookedAtMs`: when the service's list did not show it. `code` is missing after a crash. */
  | { readonly type: 'unknown'; readonly code: FailureCode | undefined; readonly lookedAtMs: number | undefined }
  /** Certainly nothing left this machine. */
  | { readonly type: 'notSent'; readonly code: FailureCode };

/** What a submission can be found by: a unique value under a key of `custom_metadata`. */
export interface CorrelationTag {
  readonly key: string;
  readonly value: string;
}

/** One POST in the journal. Holds no key, no body and no audio URL, only digests (SHA-256, hexadecimal). */
export interface Submission {
  /** Names the entry; sorts by time. */
  readonly key: string;
  /** Name of the connection. */
  readonly connection: string;
  /** Scheme, host and port of the service, as the connection gives them. */
  readonly origin: string;
  /** Milliseconds since the epoch, by our clock. */
  readonly sentAtMs: number;
  /** By then whoever sent it has written down what became of it. */
  readonly expectedByMs: number;
  /** Process id of the sender. */
  readonly sender: number;
  /** URI of the request file. */
  readonly file: string;
  /** Of the body without the correlation tag: equal requests have equal digests. */
  readonly bodyHash: string;
  readonly audioHash: string | undefined;
  readonly tag: CorrelationTag | undefined;
  /** The batch it belongs to. */
  readonly batch: string | undefined;
  readonly outcome: SubmissionOutcome;
}

/** The service that a journal is about. */
export interface JournalOwner {
  readonly name: string;
  readonly baseUrl: string;
}

/**
 * The entry as it must be understood now: one that says `sending` although its sender is gone, or had time enough, has an
 * unknown outcome.
 */
export function withStaleOutcome(submission: Submission, nowMs: number, senderIsAlive: boolean): Submission {
  const { outcome, expectedByMs } = submission;
  if (outcome.type !== 'sending' || (senderIsAlive && nowMs < expectedByMs)) return submission;
  return { ...submission, outcome: { type: 'unknown', code: undefined, lookedAtMs: undefined } };
}

/** Whether the service may have a job for it. */
export function mayHaveJob({ outcome }: Pick<Submission, 'outcome'>): boolean {
  return outcome.type === 'accepted' || outcome.type === 'unknown' || outcome.type === 'sending';
}

/** Whether it is certain what became of it. */
export function isSettled({ outcome }: Pick<Submission, 'outcome'>): boolean {
  return outcome.type !== 'sending' && outcome.type !== 'unknown';
}

/** Of the records of journal and ledger. One with a higher number was written by a later version and is left alone. */
export const journalSchema = 2;

const code = word(...failureCodes);

const storedOutcome: Decoder<SubmissionOutcome> = choice({
  sending: {},
  accepted: { status: optional(number), id: optional(text) },
  rejected: { code, status: optional(number), requestId: optional(text) },
  unknown: { code: optional(code), lookedAtMs: optional(number) },
  notSent: { code },
});

/**
 * Reads what became of a submission. Version 0.1.0 called more answers a rejection than say so: such a one is read as open.
 * Throws {@link Undecodable}.
 */
export const decodeOutcome: Decoder<SubmissionOutcome> = (value, path) => withVerdict(storedOutcome(value, path));

/** The outcome by {@link postVerdict}: a refusal whose status does not say that nothing was processed leaves it open. */
export function withVerdict(outcome: SubmissionOutcome): SubmissionOutcome {
  if (outcome.type !== 'rejected' || postVerdict(outcome.status ?? NaN) === 'rejected') return outcome;
  return { type: 'unknown', code: outcome.code, lookedAtMs: undefined };
}

const submissionFields = {
  key: text,
  connection: text,
  origin: text,
  sentAtMs: number,
  expectedByMs: number,
  sender: number,
  file: text,
  bodyHash: text,
  audioHash: optional(text),
  tag: optional(record({ key: text, value: text })),
  batch: optional(text),
  outcome: decodeOutcome,
} as const;

/** Reads the parsed content of an entry. Throws {@link Undecodable}. */
export const decodeSubmission: Decoder<Submission> = record(submissionFields);

/** A record of the journal, which only ever grows: a submission, or what has turned out about one. */
export type JournalRecord =
  | ({ readonly type: 'entry' } & Submission)
  | { readonly type: 'outcome'; readonly key: string; readonly outcome: SubmissionOutcome };

/** Reads the parsed content of a record. Throws {@link Undecodable}. */
export const decodeJournalRecord: Decoder<JournalRecord> = choice({
  entry: submissionFields,
  outcome: { key: text, outcome: decodeOutcome },
});

/** How much an outcome says. What says less never takes the place of what says more, in whatever order they are written. */
const weights: Readonly<Record<SubmissionOutcome['type'], number>> = {
  sending: 0,
  unknown: 1,
  notSent: 2,
  rejected: 2,
  accepted: 3,
};

/** Merges a later outcome into the known one: the later is used unless it is less certain. A known job id is kept. */
export function mergeOutcome(before: SubmissionOutcome, later: SubmissionOutcome): SubmissionOutcome {
  if (before.type === 'accepted' && later.type === 'accepted') {
    return { type: 'accepted', status: before.status ?? later.status, id: before.id ?? later.id };
  }
  return weights[later.type] < weights[before.type] ? before : later;
}

/**
 * The submissions that some records tell of, by their keys, added to those that are known.
 * @returns keys that records name without there being an entry: its record is lost, or was let go because it is old.
 */
export function foldJournal(known: Map<string, Submission>, records: readonly JournalRecord[]): ReadonlySet<string> {
  const lost = new Set<string>();
  for (const { type, ...told } of records) {
    const before = known.get(told.key);
    const outcome = before === undefined ? told.outcome : mergeOutcome(before.outcome, told.outcome);
    if (before !== undefined) known.set(told.key, { ...before, outcome });
    else if (type === 'entry' && 'file' in told) known.set(told.key, told);
    else lost.add(told.key);
  }
  return lost;
}

/** The schema number that parsed content names. Throws {@link Undecodable} when there is none. */
export function schemaOf(value: unknown): number {
  const { schema } = record({ schema: number })(value);
  if (!Number.isInteger(schema) || schema < 1) throw new Undecodable('.schema: expected a positive whole number');
  return schema;
}

/** After a day, submitting the same body again is considered intentional. */
export const rememberedMs = 24 * 3_600_000;

/** The newest submission of the same body for which a job may exist; undefined when there is none of the last day. */
export function sameBodySent(
  submissions: readonly Submission[],
  bodyHash: string,
  nowMs: number,
): Submission | undefined {
  return submissions
    .filter((each) => each.bodyHash === bodyHash && mayHaveJob(each) && nowMs - each.sentAtMs < rememberedMs)
    .toSorted((a, b) => b.sentAtMs - a.sentAtMs)[0];
}
