import { join } from 'node:path';
import type { JournalOwner } from '../../../domain/submission/submission.ts';
import type { SubmitRoom } from '../submitRoom.ts';

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
