import type { Batch } from '../../../domain/submission/batch.ts';
import type { JournalOwner } from '../../../domain/submission/submission.ts';
import { BatchLedger, readBatch, type KeptBatch } from '../../../service/journal/batchLedger.ts';
import type { SubmitRoom } from '../submitContext.ts';
import { busyBatch } from '../../ids.ts';
import { join } from 'node:path';

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

const folderName = 'batches';

/** Where the ledgers of a connection's new batches go. */
export function batchFolder({ journal }: Pick<SubmitRoom, 'journal'>, connection: JournalOwner): string {
  return join(journal.folderOf(connection), folderName);
}

/** Where ledgers of a connection's batches are, those of its former names included. */
export async function batchFolders(
  { journal }: Pick<SubmitRoom, 'journal'>,
  connection: JournalOwner,
): Promise<readonly string[]> {
  return (await journal.foldersOf(connection)).map((folder) => join(folder, folderName));
}
