import type { Submission } from '../../../domain/submission/submission.ts';
import { itemOf } from '../../../service/journal/batchLedger.ts';
import type { Connection } from '../../../service/ports.ts';
import type { SubmitRoom } from '../submitRoom.ts';
import { summaryUri } from './batchDocument.ts';
import { keptBatch } from './keptBatch.ts';

/** Tells the batch of a submission, if it has one, what has turned out about it. */
export async function noteInLedger(room: SubmitRoom, connection: Connection, submission: Submission): Promise<void> {
  const { batch, outcome } = submission;
  if (batch === undefined) return;
  const { ledger } = await keptBatch(room, connection, batch);
  const known = await ledger.read();
  const item = known && itemOf(known, submission);
  if (item !== undefined) await ledger.correct(item, outcome);
  room.summaryChanged.fire(summaryUri(connection, batch));
}
