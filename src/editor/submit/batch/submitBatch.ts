import * as vscode from 'vscode';
import { originOf } from '../../../domain/connection/connectionInput.ts';
import { BatchLedger } from '../../../service/journal/batchLedger.ts';
import { runCommand } from '../../runCommand.ts';
import { UserError } from '../../messages.ts';
import type { SubmitTarget, Submissions } from '../submitContext.ts';
import { chooseAudioList, readAudioList } from './chooseAudioList.ts';
import { confirmBatch } from './confirmBatch.ts';
import { batchFolder, readStoredBatch, readKeptBatch } from './storedBatch.ts';
import { planFiles, planList, type PlannedBatch, whileChecking } from './planBatch.ts';
import { sendBatch } from './sendBatch.ts';
import { isPending, type BatchSource } from '../../../domain/submission/batch.ts';
import { busyBatch } from '../../ids.ts';

/** Submits several request files: one confirmation, one after another. @throws UserError or Failure */
export async function submitFiles(room: Submissions, uris: readonly vscode.Uri[]): Promise<void> {
  const service = room.service();
  const planned = await whileChecking((signal) => planFiles(room, uris, signal));
  await begin(room, service, planned);
}

/** Submits a template once for each URL of a list. @throws UserError or Failure */
export async function submitList(room: Submissions, template: vscode.Uri): Promise<void> {
  const service = room.service();
  const chosen = await chooseAudioList(template);
  if (chosen === undefined) return;
  const planned = await whileChecking((signal, report) => planList(room, template, chosen, signal, report));
  await begin(room, service, planned);
}

async function begin(room: Submissions, service: SubmitTarget, planned: PlannedBatch): Promise<void> {
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

/** Submits what is left of a batch. Its requests are made anew from their source; what was sent is known by its file or URL. */
export async function goOnWithBatch(room: Submissions, service: SubmitTarget, id: string): Promise<void> {
  if (room.busy.has(busyBatch(id))) throw new UserError(vscode.l10n.t('This batch is being sent.'));
  const kept = await readStoredBatch(room, service.connection, id);
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

async function plan(room: Submissions, source: BatchSource): Promise<PlannedBatch | undefined> {
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
