import { isPartlyFailed } from './failedAddOns.ts';
import type { Job } from './job.ts';

/** What this machine knows of the submission of a job. */
export interface RunAgainFacts {
  /** True if the job was submitted from this machine. */
  readonly isSubmitted: boolean;
  /** True if a newer job from this machine repeats it. */
  readonly isResubmitted: boolean;
}

/** Ways to run a job again that are offered. */
export interface WaysToRunAgain {
  /** Opens its request for editing. */
  readonly retry: boolean;
  /** Sends the same request again. */
  readonly resubmit: boolean;
}

/** True if the item contains the request or the parameters that created the job. Determined without parsing it. */
export function echoesRequest({ raw }: Pick<Job, 'raw'>): boolean {
  return /"request_params"\s*:\s*\{/u.test(raw);
}

/** True if the job's request could be sent again. A live session has no request. */
export function isRetryable({ status, kind }: Pick<Job, 'status' | 'kind'>): boolean {
  return status === 'error' && kind !== 'live';
}

/** True if the job failed, even in part, and its request could be sent again, which the user confirms. */
export function isResubmittable(job: Job): boolean {
  return isRetryable(job) || (job.kind === 'pre-recorded' && isPartlyFailed(job));
}

/** Returns which ways to run a job again are offered. A job that was resubmitted leads to the new one instead. */
export function waysToRunAgain(job: Job, { isSubmitted, isResubmitted }: RunAgainFacts): WaysToRunAgain {
  const isOffered = !isResubmitted && (isSubmitted || echoesRequest(job));
  return { retry: isOffered && isRetryable(job), resubmit: isOffered && isResubmittable(job) };
}
