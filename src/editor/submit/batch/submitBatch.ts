import * as vscode from 'vscode';
import { originOf } from '../../../domain/connection/connectionInput.ts';
import { BatchLedger } from '../../../service/journal/batchLedger.ts';
import { runCommand } from '../../runCommand.ts';
import { UserError } from '../../userError.ts';
import type { ServiceInUse } from '../submitNeeds.ts';
import type { SubmitRoom } from '../submitRoom.ts';
import { chooseAudioList } from './chooseAudioList.ts';
import { confirmBatch } from './confirmBatch.ts';
import { goOnWithBatch } from './goOnWithBatch.ts';
import { batchFolder } from './batchFolder.ts';
import { planFiles } from './planFiles.ts';
import { planList } from './planList.ts';
import type { PlannedBatch } from './plannedBatch.ts';
import { whileChecking } from './whileChecking.ts';
import { sendBatch } from './sendBatch.ts';

/** Submits several request files: one confirmation, one after another. @throws UserError or Failure */
export async function submitFiles(room: SubmitRoom, uris: readonly vscode.Uri[]): Promise<void> {
  const service = room.service();
  const planned = await whileChecking((signal) => planFiles(room, uris, signal));
  await begin(room, service, planned);
}

/** Submits a template once for each URL of a list. @throws UserError or Failure */
export async function submitList(room: SubmitRoom, template: vscode.Uri): Promise<void> {
  const service = room.service();
  const chosen = await chooseAudioList(template);
  if (chosen === undefined) return;
  const planned = await whileChecking((signal, report) => planList(room, template, chosen, signal, report));
  await begin(room, service, planned);
}

async function begin(room: SubmitRoom, service: ServiceInUse, planned: PlannedBatch): Promise<void> {
  const { connection } = service;
  if (planned.requests.length === 0) {
    throw new UserError([vscode.l10n.t('There is nothing to send.'), ...planned.leftOut.slice(0, 3)].join(' '));
  }
  const requests = await confirmBatch(room, connection, planned);
  if (requests === undefined) return;
  const sent = new Set(requests);
  const { id, ledger } = await BatchLedger.create(batchFolder(room, connection), {
    connection: connection.name,
    origin: originOf(connection.baseUrl),
    startedAtMs: room.clock.now(),
    total: requests.length,
    source: planned.source,
    skipped: planned.requests.filter((each) => !sent.has(each)).map(({ item }) => item),
  });
  await ledger.begin();
  const goOn = (): unknown => runCommand(room.log, () => goOnWithBatch(room, service, id));
  await sendBatch(room, service, { id, owner: connection, ledger, requests, texts: planned.texts, goOn });
}
