import type { Failure } from '../../../base/failure.ts';
import { type BatchEnd, type BatchItem, stopsBatch } from '../common/batch.ts';
import type { SubmissionOutcome } from '../../../jobs/common/submission.ts';
import type { BatchLedger } from './journal/batchLedger.ts';
import { isUnsent, type OutgoingRequest, type SubmitResult } from './submitter.ts';

/** A request of a batch to send. */
export interface BatchRequest extends Pick<BatchItem, 'item' | 'label'> {
  readonly request: OutgoingRequest;
}

/** Result of a batch's run in this window. */
export type BatchRunEnd =
  | Exclude<BatchEnd, { readonly type: 'stopped' }>
  | { readonly type: 'stopped'; readonly failure: Failure | undefined }
  /** Another window has taken over. */
  | { readonly type: 'takenOver' };

/** Dependencies and input of a run. */
export interface BatchRun {
  /** `begin` has been called. */
  readonly ledger: BatchLedger;
  readonly requests: Iterable<BatchRequest>;
  /** Sends one request. Throws an error that {@link isUnsent} recognises when it was not sent. */
  readonly submit: (request: OutgoingRequest) => Promise<SubmitResult>;
  /** Ends the run after the current request, so that its outcome is known. */
  readonly signal: AbortSignal;
  readonly onSettled: (result: SubmitResult, count: number) => void;
}

/**
 * Sends requests one after another, each recorded in the ledger first.
 * @throws the errors of `submit`, or NodeJS.ErrnoException when journal or ledger cannot be written; then nothing more is sent.
 */
export async function runBatch({ ledger, requests, submit, signal, onSettled }: BatchRun): Promise<BatchRunEnd> {
  const outcomes: SubmissionOutcome[] = [];
  const end = async (how: Exclude<BatchRunEnd, { readonly type: 'takenOver' }>): Promise<BatchRunEnd> => {
    await ledger.end({ type: how.type });
    return how;
  };
  for (const { item, label, request } of requests) {
    if (signal.aborted) return end({ type: 'cancelled' });
    if (!(await ledger.claim({ item, label, file: request.file }))) {
      // The window that took over may have read the claim, so correct it.
      await ledger.settle(item, neverLeft);
      return { type: 'takenOver' };
    }
    const result = await submit(request).catch(async (error: unknown) => {
      await giveUp(ledger, item, error);
      throw error;
    });
    await ledger.settle(item, result.submission.outcome);
    outcomes.push(result.submission.outcome);
    onSettled(result, outcomes.length);
    if (stopsBatch(outcomes)) return end({ type: 'stopped', failure: result.failure });
  }
  return end({ type: 'done' });
}

/** Outcome of a request that was claimed but not sent. */
const neverLeft: SubmissionOutcome = { type: 'notSent', code: 'cancelled' };

/** Records that the run ended with a request that was claimed but not sent. If this cannot be written either, the journal shows it. */
async function giveUp(ledger: BatchLedger, item: string, error: unknown): Promise<void> {
  try {
    if (isUnsent(error)) await ledger.settle(item, neverLeft);
    await ledger.end({ type: 'stopped' });
  } catch {
    // The first error is more useful.
  }
}
