/** What the status of an answer says of a POST (contract 4.4 and 7 show neither statuses nor bodies). */
export type PostVerdict = 'accepted' | 'rejected' | 'unknown';

/**
 * The statuses by which HTTP itself says that a request was not processed (RFC 9110, 6585, 7725). Not among them, although they sound
 * like a refusal: redirects (the request may have been processed before), 408 and 409 (the first may come after the work was begun, the
 * second because a job exists already), 407 (a proxy's word, not the service's), and every 5xx.
 */
const unprocessed: ReadonlySet<number> = new Set([
  400, 401, 403, 404, 405, 411, 413, 414, 415, 417, 422, 426, 429, 431, 451,
]);

/** Whether a POST that was answered so made a job. Anything that does not say yes or no in HTTP's own words leaves it open. */
export function postVerdict(status: number): PostVerdict {
  if (Number.isInteger(status) && status >= 200 && status < 300) return 'accepted';
  return unprocessed.has(status) ? 'rejected' : 'unknown';
}
