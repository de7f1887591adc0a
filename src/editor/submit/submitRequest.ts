import * as vscode from 'vscode';
import { stringIn } from '../../domain/request/requestFields.ts';
import { sameBodySent, type Submission } from '../../domain/submission/submission.ts';
import { digest, type Connection } from '../../service/ports.ts';
import type { OutgoingRequest } from '../../service/submit/submitter.ts';
import { withCancel } from '../progress.ts';
import { confirmSubmission } from './confirmSubmission.ts';
import { requireSendable, showProblems, warningsOf, type SendableRequest, send } from './send.ts';
import { readRequest, type RequestText } from '../requests/requestDocuments.ts';
import { type SubmitTarget, readJournal, type Submissions } from './submitContext.ts';
import { tellOutcome, showAndWatch } from './tellOutcome.ts';
import { outcomeSentence } from '../../domain/submission/submissionText.ts';
import { UserError } from '../messages.ts';

/**
 * Submits one request file: what the editor shows, checked, confirmed, and sent by exactly one POST (contract 4.4).
 * @param earlier the submission that this one repeats.
 * @throws UserError when it cannot be sent as it is; Failure when there is no service to send to.
 */
export async function submitRequest(room: Submissions, uri: vscode.Uri, earlier?: Submission): Promise<void> {
  const key = uri.toString();
  if (room.busy.has(key)) return;
  room.busy.add(key);
  try {
    await submit(room, uri, earlier);
  } finally {
    room.busy.delete(key);
  }
}

async function submit(room: Submissions, uri: vscode.Uri, earlier: Submission | undefined): Promise<void> {
  const request = await readRequest(uri);
  const gate = requireSendable(room, request);
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
  room: Submissions,
  { connection, api }: SubmitTarget,
  { uri, name }: RequestText,
  gate: SendableRequest,
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

/**
 * Submits a text that stands in no file, by exactly one POST that is noted in the journal; whoever calls has asked the user.
 * @param isConfirmed whether the user has agreed to send it over a connection.
 * @returns what became of it, in words.
 * @throws UserError when it cannot be sent as it is; Failure when there is no service to send to.
 */
export async function submitText(
  room: Submissions,
  text: string,
  isConfirmed: (connection: Connection) => boolean,
  signal: AbortSignal,
): Promise<string> {
  const gate = room.gate(text);
  if (gate.type === 'blocked') {
    throw new UserError(vscode.l10n.t('The request cannot be sent as it is: {0}', gate.findings[0]?.message ?? ''));
  }
  const service = room.service();
  if (!isConfirmed(service.connection)) {
    throw new UserError(
      vscode.l10n.t(
        'Nothing was sent: the user was not asked about the connection {0}, which is in use now. Ask again.',
        service.connection.name,
      ),
    );
  }
  const outgoing = {
    file: 'untitled:agent.transcription.json',
    body: gate.body,
    audioUrl: stringIn(gate.request, 'audio_url'),
  };
  const { submission } = await send(room, service, outgoing, signal);
  const { outcome } = submission;
  if (outcome.type === 'accepted') showAndWatch(room, service, outcome.id, vscode.l10n.t('Request of an agent'));
  return outcomeSentence(outcome);
}
