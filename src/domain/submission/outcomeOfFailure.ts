import type { Failure } from '../failure.ts';
import type { SubmissionOutcome } from './submission.ts';

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
