import type { Batch } from '../../../domain/submission/batch.ts';
import type { JournalOwner } from '../../../domain/submission/submission.ts';
import { BatchLedger, readBatch, type KeptBatch } from '../../../service/journal/batchLedger.ts';
import type { SubmitRoom } from '../submitRoom.ts';
import { batchFolders } from './batchFolder.ts';
import { busyBatch } from './batchNames.ts';

/** Where a batch of a connection is kept. */
export async function keptBatch(
  room: Pick<SubmitRoom, 'journal'>,
  owner: JournalOwner,
  id: string,
): Promise<KeptBatch> {
  return { id, owner, ledger: await BatchLedger.find(await batchFolders(room, owner), id) };
}

/** A batch as ledger and journal tell it; undefined when it is not kept any more. @throws Undecodable when a later version wrote it. */
export function readKeptBatch(
  { journal, busy }: Pick<SubmitRoom, 'journal' | 'busy'>,
  kept: KeptBatch,
): Promise<Batch | undefined> {
  return readBatch(journal, kept, () => busy.has(busyBatch(kept.id)));
}
