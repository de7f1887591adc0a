import { type Batch, journaledBatch, leftOpen } from '../../domain/submission/batch.ts';
import type { JournalOwner, Submission } from '../../domain/submission/submission.ts';
import { digest } from '../digest.ts';
import type { BatchLedger } from './batchLedger.ts';
import { isAlive } from './isAlive.ts';
import type { Journal } from './journal.ts';

/** A batch that is kept, and where. */
export interface KeptBatch {
  readonly id: string;
  readonly owner: JournalOwner;
  readonly ledger: BatchLedger;
}

/**
 * Reads a batch, and what its ledger leaves open in the journal.
 * @param isSentHere whether this very process is sending it.
 * @returns undefined when there is none, or it is broken.
 * @throws Undecodable when a later version wrote it.
 */
export async function readBatch(
  journal: Journal,
  { id, owner, ledger }: KeptBatch,
  isSentHere: () => boolean,
): Promise<Batch | undefined> {
  const batch = await ledger.read();
  if (batch === undefined) return undefined;
  const open = leftOpen(batch, (sender) => (sender === process.pid ? !isSentHere() : !isAlive(sender)));
  if (open.length === 0) return batch;
  const submissions = await journal.readSince(owner, batch.plan.startedAtMs);
  if (submissions === undefined) return batch;
  const own = submissions.filter((each) => each.batch === id);
  return journaledBatch(batch, open, own, (each) => itemOf(batch, each));
}

/** What a batch calls the request of a submission. */
export function itemOf({ plan }: Batch, { audioHash, file }: Submission): string | undefined {
  return plan.source.type === 'list' ? audioHash : digest(file);
}
