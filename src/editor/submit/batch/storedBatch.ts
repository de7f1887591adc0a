import type { Batch } from '../../../domain/submission/batch.ts';
import type { JournalOwner } from '../../../domain/submission/submission.ts';
import { BatchLedger, readBatch, type StoredBatch } from '../../../service/journal/batchLedger.ts';
import type { Submissions } from '../submitContext.ts';
import { busyBatch } from '../../ids.ts';
import { join } from 'node:path';

/** Where a batch of a connection is kept. */
export async function readStoredBatch(
  room: Pick<Submissions, 'journal'>,
  owner: JournalOwner,
  id: string,
): Promise<StoredBatch> {
  return { id, owner, ledger: await BatchLedger.find(await batchFolders(room, owner), id) };
}

/** A batch as ledger and journal tell it; undefined when it is not kept any more. @throws Undecodable when a later version wrote it. */
export function readKeptBatch(
  { journal, busy }: Pick<Submissions, 'journal' | 'busy'>,
  kept: StoredBatch,
): Promise<Batch | undefined> {
  return readBatch(journal, kept, () => busy.has(busyBatch(kept.id)));
}

const folderName = 'batches';

/** Where the ledgers of a connection's new batches go. */
export function batchFolder({ journal }: Pick<Submissions, 'journal'>, connection: JournalOwner): string {
  return join(journal.folderOf(connection), folderName);
}

/** Where ledgers of a connection's batches are, those of its former names included. */
export async function batchFolders(
  { journal }: Pick<Submissions, 'journal'>,
  connection: JournalOwner,
): Promise<readonly string[]> {
  return (await journal.foldersOf(connection)).map((folder) => join(folder, folderName));
}
