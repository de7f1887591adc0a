import type { Failure } from '../../domain/failure.ts';
import { type BatchEnd, type BatchItem, stopsBatch } from '../../domain/submission/batch.ts';
import type { SubmissionOutcome } from '../../domain/submission/submission.ts';
import type { BatchLedger } from '../journal/batchLedger.ts';
import { isUnsent, type OutgoingRequest, type SubmitResult } from './submitter.ts';

/** A request of a batch that is to be sent. */
export interface BatchRequest extends Pick<BatchItem, 'item' | 'label'> {
  readonly request: OutgoingRequest;
}

/** How a run through a batch ended here. */
export type BatchRunEnd =
  | Exclude<BatchEnd, { readonly type: 'stopped' }>
  | { readonly type: 'stopped'; readonly failure: Failure | undefined }
  /** Another window goes on with it. */
  | { readonly type: 'takenOver' };

/** What a run through a batch needs. */
export interface BatchRun {
  /** Begun. */
  readonly ledger: BatchLedger;
  readonly requests: Iterable<BatchRequest>;
  /** Throws what {@link isUnsent} knows when it was not sent. */
  readonly submit: (request: OutgoingRequest) => Promise<SubmitResult>;
  /** Ends the run after the request that is on its way, so that its outcome is known. */
  readonly signal: AbortSignal;
  readonly onSettled: (result: SubmitResult, count: number) => void;
}

/**
 * Sends requests one after another, each noted in the ledger before it leaves.
 * @throws what `submit` throws, or NodeJS.ErrnoException, when journal or ledger cannot be written; nothing more is sent then.
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
      // Whoever took over may have read the claim before the request was given up.
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

/** A request that was claimed and given up. */
const neverLeft: SubmissionOutcome = { type: 'notSent', code: 'cancelled' };

/** Notes that the run ends with a request that was claimed and not sent. Where even that cannot be written, the journal tells it. */
async function giveUp(ledger: BatchLedger, item: string, error: unknown): Promise<void> {
  try {
    if (isUnsent(error)) await ledger.settle(item, neverLeft);
    await ledger.end({ type: 'stopped' });
  } catch {
    // What was thrown first says more.
  }
}
