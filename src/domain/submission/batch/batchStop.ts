import type { SubmissionOutcome } from '../submission.ts';

/** One that breaks off may be chance; so many in a row are not. */
const mostUnknownInARow = 3;

/**
 * Whether a batch stops after these outcomes, the newest last: when nothing that follows could fare better (rejected key, rate
 * limit, no way to the service), or when the service leaves one request after another without an answer.
 */
export function stopsBatch(outcomes: readonly SubmissionOutcome[]): boolean {
  const last = outcomes.at(-1);
  switch (last?.type) {
    case undefined:
    case 'sending':
    case 'accepted':
      return false;
    case 'notSent':
      return true;
    case 'rejected':
      return last.code !== 'rejected';
    case 'unknown': {
      const row = outcomes.slice(-mostUnknownInARow);
      return row.length === mostUnknownInARow && row.every(({ type }) => type === 'unknown');
    }
  }
}
