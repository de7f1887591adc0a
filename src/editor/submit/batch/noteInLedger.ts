import type { Submission } from '../../../domain/submission/submission.ts';
import { BatchLedger } from '../../../service/journal/batchLedger.ts';
import type { Connection } from '../../../service/ports.ts';
import { digest } from '../../../service/submitter/digest.ts';
import type { SubmitRoom } from '../submitRoom.ts';
import { summaryUri } from './batchDocument.ts';
import { batchFolder } from './batchFolder.ts';

/** Tells the batch of a submission, if it has one, what has turned out about it. */
export async function noteInLedger(room: SubmitRoom, connection: Connection, submission: Submission): Promise<void> {
  const { batch, audioHash, file, outcome } = submission;
  if (batch === undefined) return;
  const ledger = BatchLedger.at(batchFolder(room, connection), batch);
  const source = (await ledger.read())?.plan.source;
  const item = source?.type === 'list' ? audioHash : digest(file);
  if (item !== undefined) await ledger.correct(item, outcome);
  room.summaryChanged.fire(summaryUri(connection, batch));
}
