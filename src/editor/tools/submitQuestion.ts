import * as vscode from 'vscode';
import { sameBodySent } from '../../domain/submission/submission.ts';
import { digest, type Connection } from '../../service/ports.ts';
import { sameBodyText, serviceLabel, warningLines } from '../submit/confirmationText.ts';
import { warningsOf } from '../submit/passed.ts';
import { readJournal, type SubmitRoom } from '../submit/submitRoom.ts';

/** More of a request nobody reads in a question. */
const mostShown = 1500;

/** What is asked before an agent's request leaves: all that is asked of one's own, in plain words, because part of them is the model's. */
export async function submitQuestion(
  room: SubmitRoom,
  connection: Connection,
  request: string,
): Promise<vscode.MarkdownString> {
  const lines = [
    vscode.l10n.t(
      'It goes to the connection {0} ({1}) as a new job, which the service bills.',
      connection.name,
      serviceLabel(connection),
    ),
    ...(await concerns(room, connection, request)),
  ];
  const question = new vscode.MarkdownString();
  for (const line of lines) question.appendText(line).appendMarkdown('\n\n');
  const shown = request.length > mostShown ? `${request.slice(0, mostShown)}…` : request;
  return question.appendCodeblock(shown, 'json');
}

async function concerns(room: SubmitRoom, connection: Connection, request: string): Promise<readonly string[]> {
  const gate = room.gate(request);
  if (gate.type === 'blocked') {
    return [vscode.l10n.t('The request cannot be sent as it is: {0}', gate.findings[0]?.message ?? '')];
  }
  const nowMs = room.clock.now();
  const same = sameBodySent(await readJournal(room, connection), digest(gate.body), nowMs);
  return [
    ...(same === undefined ? [] : [sameBodyText(same, nowMs)]),
    ...warningLines(warningsOf(gate).map(({ message }) => message)),
  ];
}
