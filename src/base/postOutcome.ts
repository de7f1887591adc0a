import type { Failure } from './failure.ts';

/** The meaning of a response status for a POST (contract 4.4 and 7 show neither statuses nor bodies). */
export type PostVerdict = 'accepted' | 'rejected' | 'unknown';

/**
 * The statuses that guarantee that a request was not processed (RFC 9110, 6585, 7725). These are excluded although they look
 * like a refusal: redirects (the request may have been processed first), 408 and 409 (408 may be sent after processing began,
 * 409 because the job exists already), 407 (sent by a proxy, not by the service), and every 5xx.
 */
const unprocessed: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 411, 413, 414, 415, 417, 422, 426, 429, 431, 451,
]);

/** Returns the outcome of a POST with this response status; `unknown` unless HTTP defines it. */
export function postVerdict(status: number): PostVerdict {
  if (Number.isInteger(status) && status >= 200 && status < 300) return 'accepted';
  return unprocessed.has(status) ? 'rejected' : 'unknown';
}

/** What the service answered to a POST. */
export interface PostAnswer {
  readonly status: number;
  /** The beginning of the body, with the key masked. */
  readonly text: string;
}

/** Outcome of a POST that was not accepted. */
export type UnacceptedPost =
  /** The response shows that the request was not processed: {@link postVerdict}. */
  | { readonly type: 'rejected'; readonly failure: Failure }
  /** The request may have been sent, and no response confirms or denies it: a job may or may not exist. */
  | { readonly type: 'unknown'; readonly failure: Failure }
  /** The request certainly did not leave this machine. */
  | { readonly type: 'notSent'; readonly failure: Failure };
