import { posix } from 'node:path';
import * as vscode from 'vscode';
import { submitFiles, submitList } from './batch/submitBatch.ts';
import { hasRequestName, requestUris, readRequest } from '../requests/requestDocuments.ts';
import type { Submissions } from './submissions.ts';
import { keyVariable } from '../../domain/connection/connection.ts';
import { showMessage, UserError } from '../messages.ts';
import { requireSendable } from './sendableRequest.ts';
import { submitCurl } from '../../service/api/curl.ts';

/** Submits the files passed to a command, or the active one. @throws UserError or Failure */
export async function submitUris(submissions: Submissions, given: readonly unknown[]): Promise<void> {
  const uris = requireOwnFiles(requestUris(given));
  const [first, ...others] = uris;
  // The caller may be a task, a keybinding or another extension.
  const mustAsk = given.length > 0;
  if (first !== undefined && others.length === 0) await submissions.submitFile(first, { mustAsk });
  else if (first !== undefined) await submissions.once(batchName, () => submitFiles(submissions, uris));
}

/** Submits a template once for each URL of a list. @throws UserError or Failure */
export async function submitUrlList(submissions: Submissions, given: readonly unknown[]): Promise<void> {
  const template: vscode.Uri | undefined = requireOwnFiles(requestUris(given))[0];
  if (template !== undefined) await submissions.once(batchName, () => submitList(submissions, template));
}

/**
 * Only the user's own files may be submitted: request files in a workspace folder, and the document in the active editor.
 * @throws UserError for any other.
 */
function requireOwnFiles(uris: readonly vscode.Uri[]): readonly vscode.Uri[] {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const stranger = uris.find((uri) => {
    const isInWorkspace = hasRequestName(uri) && vscode.workspace.getWorkspaceFolder(uri) !== undefined;
    return !isInWorkspace && uri.toString() !== active;
  });
  if (stranger === undefined) return uris;
  throw new UserError(
    vscode.l10n.t(
      '"{0}" is not a request file of this workspace. Open it in an editor to submit it.',
      posix.basename(stranger.path),
    ),
  );
}

/** Only one batch is confirmed and sent at a time. */
const batchName = 'batch';

/** Copies the POST of a submission to the clipboard as a shell command. @throws UserError or Failure */
export async function copyRequestCurl(submissions: Submissions, given: readonly unknown[]): Promise<void> {
  const [uri] = requestUris(given);
  if (uri === undefined) return;
  const request = await readRequest(uri);
  const { body } = requireSendable(submissions.gate(request.text), request);
  await vscode.env.clipboard.writeText(submitCurl(await submissions.deps.reach(), body));
  const text = vscode.l10n.t(
    'Copied. The command takes the key from the variable {0}; each run submits a new job.',
    keyVariable,
  );
  void showMessage('information', text);
}
