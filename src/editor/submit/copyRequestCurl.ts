import * as vscode from 'vscode';
import { keyVariable } from '../../domain/connection/connection.ts';
import { showMessage } from '../showMessage.ts';
import { passed } from './passed.ts';
import { readRequest, requestUris } from './requestText.ts';
import { submitCurl } from '../../service/api/curl.ts';
import type { SubmitRoom } from './submitRoom.ts';

/** Puts the POST that a submission would send on the clipboard, as a shell command. @throws UserError or Failure */
export async function copyRequestCurl(room: SubmitRoom, given: readonly unknown[]): Promise<void> {
  const [uri] = requestUris(given);
  if (uri === undefined) return;
  const { body } = passed(room, await readRequest(uri));
  await vscode.env.clipboard.writeText(submitCurl(await room.reach(), body));
  const text = vscode.l10n.t(
    'Copied. The command takes the key from the variable {0}; each run submits a new job.',
    keyVariable,
  );
  void showMessage('information', text);
}
