import * as vscode from 'vscode';
import { stringIn } from '../../domain/request/requestFields.ts';
import { sameBodySent, type Submission } from '../../domain/submission/submission.ts';
import { digest } from '../../service/ports.ts';
import type { OutgoingRequest } from '../../service/submit/submitter.ts';
import { withCancel } from '../withCancel.ts';
import { confirmSubmission } from './confirmSubmission.ts';
import { passed, showProblems, warningsOf, type PassedRequest } from './passed.ts';
import { readRequest, type RequestText } from './requestText.ts';
import { send } from './send.ts';
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

async function isConfirmed(
  room: SubmitRoom,
  { connection, api }: ServiceInUse,
  { uri, name }: RequestText,
  gate: PassedRequest,
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
