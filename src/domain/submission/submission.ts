import { type FailureCode, failureCodes, type Failure } from '../failure.ts';
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

/** Of the files of the journal. A file with a higher number was written by a later version and is left alone. */
export const journalSchema = 1;

const code = word(...failureCodes);

/** Reads what became of a submission. Throws {@link Undecodable}. */
export const decodeOutcome: Decoder<SubmissionOutcome> = choice({
  sending: {},
  accepted: { status: optional(number), id: optional(text) },
  rejected: { code, status: optional(number), requestId: optional(text) },
  unknown: { code: optional(code), lookedAtMs: optional(number) },
  notSent: { code },
});

/** Reads the parsed content of an entry. Throws {@link Undecodable}. */
export const decodeSubmission: Decoder<Submission> = record({
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
});

/** The schema number that parsed content names. Throws {@link Undecodable} when there is none. */
export function schemaOf(value: unknown): number {
  const { schema } = record({ schema: number })(value);
  if (!Number.isInteger(schema) || schema < 1) throw new Undecodable('.schema: expected a positive whole number');
  return schema;
}

/** After a day, sending the same again is a new wish and no slip. */
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

/**
 * What a POST has come to that was answered with anything but 2xx. An answer says "rejected" only when it says so:
 * a server that failed on the way, a gateway that waited in vain, or "see other" may stand before a job that exists.
 */
export function outcomeOfRefusal(failure: Failure): SubmissionOutcome {
  const { code, facts } = failure;
  if (facts.status !== undefined && leavesOpen(facts.status)) return { type: 'unknown', code, lookedAtMs: undefined };
  return { type: 'rejected', code, status: facts.status, requestId: facts.requestId };
}

/** RFC 9110, 15: "not implemented", "unavailable" and "version not supported" say that nothing was done; the other 5xx do not. */
function leavesOpen(status: number): boolean {
  return status === 303 || (status >= 500 && ![501, 503, 505].includes(status));
}
