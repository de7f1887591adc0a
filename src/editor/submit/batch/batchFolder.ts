import { join } from 'node:path';
import type { JournalOwner } from '../../../domain/submission/submission.ts';
import type { SubmitRoom } from '../submitRoom.ts';

/** Where the ledgers of a connection's batches are. */
export function batchFolder({ journal }: Pick<SubmitRoom, 'journal'>, connection: JournalOwner): string {
  return join(journal.folderOf(connection), 'batches');
}
