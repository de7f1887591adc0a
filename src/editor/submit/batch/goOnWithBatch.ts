import * as vscode from 'vscode';
import { isPending, type BatchSource } from '../../../domain/submission/batch.ts';
import { runCommand } from '../../runCommand.ts';
import { UserError } from '../../userError.ts';
import type { ServiceInUse } from '../submitNeeds.ts';
import type { SubmitRoom } from '../submitRoom.ts';
import { chooseAudioList, readAudioList } from './chooseAudioList.ts';
import { confirmBatch } from './confirmBatch.ts';
import { busyBatch } from './batchNames.ts';
import { keptBatch, readKeptBatch } from './keptBatch.ts';
import { planFiles } from './planFiles.ts';
import { planList } from './planList.ts';
import type { PlannedBatch } from './plannedBatch.ts';
import { whileChecking } from './whileChecking.ts';
import { sendBatch } from './sendBatch.ts';

/** Submits what is left of a batch. Its requests are made anew from their source; what was sent is known by its file or URL. */
export async function goOnWithBatch(room: SubmitRoom, service: ServiceInUse, id: string): Promise<void> {
  if (room.busy.has(busyBatch(id))) throw new UserError(vscode.l10n.t('This batch is being sent.'));
  const kept = await keptBatch(room, service.connection, id);
  const before = await readKeptBatch(room, kept);
  if (before === undefined) throw new UserError(vscode.l10n.t('This batch is not kept any more.'));
  const planned = await plan(room, before.plan.source);
  if (planned === undefined) return;
  const left = { ...planned, requests: planned.requests.filter(({ item }) => isPending(before, item)) };
  if (left.requests.length === 0) throw new UserError(vscode.l10n.t('There is nothing left to send.'));
  const confirmed = await confirmBatch(room, service.connection, left);
  if (confirmed === undefined) return;
  // Another window may have gone on while this one was asking.
  await kept.ledger.begin();
  const now = await readKeptBatch(room, kept);
  const requests = confirmed.filter(({ item }) => now !== undefined && isPending(now, item));
  const goOn = (): unknown => runCommand(room.log, () => goOnWithBatch(room, service, id));
  await sendBatch(room, service, { ...kept, requests, texts: planned.texts, goOn });
}

async function plan(room: SubmitRoom, source: BatchSource): Promise<PlannedBatch | undefined> {
  if (source.type === 'files') {
    const uris = source.files.map((file) => vscode.Uri.parse(file, true));
    return whileChecking((signal) => planFiles(room, uris, signal));
  }
  const template = vscode.Uri.parse(source.template, true);
  const chosen = await (source.list === undefined
    ? chooseAudioList(template)
    : readAudioList(vscode.Uri.parse(source.list, true)));
  if (chosen === undefined) return undefined;
  return whileChecking((signal, report) => planList(room, template, chosen, signal, report));
}
