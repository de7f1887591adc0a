import type { FailureCode } from '../failure.ts';

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
export function asUnderstood(submission: Submission, nowMs: number, senderIsAlive: boolean): Submission {
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
