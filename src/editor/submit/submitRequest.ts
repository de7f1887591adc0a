import * as vscode from 'vscode';
import type { Finding } from '../../domain/request/finding.ts';
import type { GateResult } from '../../domain/request/gate.ts';
import { placeRange, type RequestFile } from '../../domain/request/requestFile.ts';
import { stringIn } from '../../domain/request/requestValue.ts';
import { sameBodySent } from '../../domain/submission/sameBody.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { digest } from '../../service/digest.ts';
import { JournalUnwritable, type OutgoingRequest, type SubmitResult } from '../../service/submitter/submitter.ts';
import { withCancel } from '../withCancel.ts';
import { UserError } from '../userError.ts';
import { confirmSubmission } from './confirmSubmission.ts';
import { readRequest, type RequestText } from './requestText.ts';
import type { ServiceInUse } from './submitNeeds.ts';
import { readJournal, type SubmitRoom } from './submitRoom.ts';
import { tellOutcome } from './tellOutcome.ts';

/**
 * Submits one request file: what the editor shows, checked, confirmed, and sent by exactly one POST (contract 4.4).
 * @param earlier the submission that this one repeats.
 * @throws UserError when it cannot be sent as it is; Failure when there is no service to send to.
 */
export async function submitRequest(room: SubmitRoom, uri: vscode.Uri, earlier?: Submission): Promise<void> {
  const key = uri.toString();
  if (room.busy.has(key)) return;
  room.busy.add(key);
  try {
    await submit(room, uri, earlier);
  } finally {
    room.busy.delete(key);
  }
}

async function submit(room: SubmitRoom, uri: vscode.Uri, earlier: Submission | undefined): Promise<void> {
  const request = await readRequest(uri);
  const gate = passed(room, request);
  const service = room.service();
  const outgoing = { file: uri.toString(), body: gate.body, audioUrl: stringIn(gate.request, 'audio_url') };
  if (!(await isConfirmed(room, service, request, gate, outgoing, earlier))) return;

  room.complaints.clear(uri);
  const { name } = request;
  const result = await withCancel(vscode.l10n.t('Submitting "{0}" to {1}', name, service.connection.name), (signal) =>
    send(room, service, outgoing, signal),
  );
  tellOutcome(room, service, request, result);
}

/** Sends by one POST, noted in the journal. @throws UserError when it cannot be noted, and so was not sent. */
export function send(...given: Parameters<typeof post>): Promise<SubmitResult> {
  return sayingWhatWasNotSent(() => post(...given));
}

/** The same. @throws JournalUnwritable when it cannot be noted, and so was not sent. */
export function post(
  { submitter, settings }: SubmitRoom,
  { connection, api }: ServiceInUse,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<SubmitResult> {
  return submitter.submit({ connection, sink: api }, request, settings.get('submit.correlationTag'), signal);
}

/** Makes a sentence of what could not be noted. @throws UserError */
export async function sayingWhatWasNotSent<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof JournalUnwritable)) throw error;
    throw new UserError(
      vscode.l10n.t('Nothing was sent, because the submission could not be written down: {0}', error.message),
    );
  }
}

/** Lets a request through that is JSON and has the right types. @throws UserError for one that has not. */
export function passed(
  { gate }: Pick<SubmitRoom, 'gate'>,
  request: RequestText,
): Extract<GateResult, { readonly type: 'ok' }> {
  const result = gate(request.text);
  if (result.type === 'ok') return result;
  const { file, findings } = result;
  const [first] = findings;
  const text = vscode.l10n.t('"{0}" cannot be sent as it is: {1}', request.name, first?.message ?? '');
  const show = (): Promise<void> => showProblems(request.uri, file, first);
  throw new UserError(text, [{ title: vscode.l10n.t('Show Problems'), run: show }]);
}

/** The findings that are more than advice. */
export function warningsOf({ warnings }: { readonly warnings: readonly Finding[] }): readonly Finding[] {
  return warnings.filter(({ severity }) => severity === 'error' || severity === 'warning');
}

async function isConfirmed(
  room: SubmitRoom,
  { connection, api }: ServiceInUse,
  { uri, name }: RequestText,
  gate: Extract<GateResult, { readonly type: 'ok' }>,
  { body, audioUrl }: OutgoingRequest,
  earlier: Submission | undefined,
): Promise<boolean> {
  const nowMs = room.clock.now();
  const bodyHash = digest(body);
  const warnings = warningsOf(gate);
  const same = sameBodySent(await readJournal(room, connection), bodyHash, nowMs);
  const hasChanged = earlier !== undefined && earlier.bodyHash !== bodyHash;
  if (room.settings.get('submit.confirm') === 'warnings' && warnings.length === 0 && !same && !hasChanged) return true;
  const answer = await confirmSubmission({ name, connection, audioUrl, warnings, same, hasChanged, nowMs });
  switch (answer) {
    case 'submit':
      return true;
    case 'showProblems':
      await showProblems(uri, gate.file, warnings[0]);
      return false;
    case 'lookForIt':
      if (same !== undefined) await room.lookFor({ connection, api }, same);
      return false;
    case 'cancel':
      return false;
  }
}

async function showProblems(uri: vscode.Uri, file: RequestFile, first: Finding | undefined): Promise<void> {
  const editor = await vscode.window.showTextDocument(uri);
  if (first !== undefined) {
    const { offset, length } = placeRange(file, first.place);
    const { document } = editor;
    const range = new vscode.Range(document.positionAt(offset), document.positionAt(offset + length));
    editor.selection = new vscode.Selection(range.start, range.end);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  }
  await vscode.commands.executeCommand('workbench.actions.view.problems');
}
