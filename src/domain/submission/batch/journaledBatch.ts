import type { Submission, SubmissionOutcome } from '../submission.ts';
import type { Batch, BatchItem } from './batch.ts';

/** Requests that were claimed by a run that is over and did not say what became of them. */
export function leftOpen(batch: Batch, isOver: (sender: number) => boolean): readonly BatchItem[] {
  return [...batch.items.values()].filter(({ outcome, run }) => {
    const sender = batch.open.get(run);
    return isWithoutWord(outcome) && (sender === undefined || isOver(sender));
  });
}

/**
 * The batch with the journal's word for such requests. Each is written into the journal before it is sent: one that is not there was not.
 * @param submissions those of the batch, all of them, the newest first.
 * @param itemOf what the batch calls the request of a submission.
 */
export function journaledBatch(
  batch: Batch,
  open: readonly BatchItem[],
  submissions: readonly Submission[],
  itemOf: (submission: Submission) => string | undefined,
): Batch {
  const words = new Map(submissions.toReversed().map((each) => [itemOf(each), each.outcome]));
  const told = open.map(({ item, ...rest }): [string, BatchItem] => [
    item,
    { ...rest, item, outcome: words.get(item) ?? { type: 'notSent', code: 'cancelled' } },
  ]);
  return { ...batch, items: new Map([...batch.items, ...told]) };
}

function isWithoutWord(outcome: SubmissionOutcome): boolean {
  if (outcome.type === 'sending') return true;
  return outcome.type === 'unknown' && outcome.code === undefined && outcome.lookedAtMs === undefined;
}
