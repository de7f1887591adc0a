import * as vscode from 'vscode';
import { stringIn } from '../../domain/request/requestFields.ts';
import { outcomeSentence } from '../../domain/submission/submissionText.ts';
import type { Connection } from '../../service/ports.ts';
import { UserError } from '../userError.ts';
import { send } from './send.ts';
import type { SubmitRoom } from './submitRoom.ts';
import { takeIn } from './tellOutcome.ts';

/**
 * Submits a text that stands in no file, by exactly one POST that is noted in the journal; whoever calls has asked the user.
 * @param isConfirmed whether the user has agreed to send it over a connection.
 * @returns what became of it, in words.
 * @throws UserError when it cannot be sent as it is; Failure when there is no service to send to.
 */
export async function submitText(
  room: SubmitRoom,
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
  if (outcome.type === 'accepted') takeIn(room, service, outcome.id, vscode.l10n.t('Request of an agent'));
  return outcomeSentence(outcome);
}
