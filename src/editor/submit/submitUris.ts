import * as vscode from 'vscode';
import { submitFiles, submitList } from './batch/submitBatch.ts';
import { requestUris, readRequest } from '../requests/requestDocuments.ts';
import type { Submissions } from './submissions.ts';
import { keyVariable } from '../../domain/connection/connection.ts';
import { showMessage } from '../messages.ts';
import { requireSendable } from './sendableRequest.ts';
import { submitCurl } from '../../service/api/curl.ts';

/** Submits the files that a command was given, or the one that is being edited. @throws UserError or Failure */
export async function submitUris(submissions: Submissions, given: readonly unknown[]): Promise<void> {
  const uris = requestUris(given);
  const [first, ...others] = uris;
  if (first !== undefined && others.length === 0) await submissions.submitFile(first);
  else if (first !== undefined) await submissions.once(batchName, () => submitFiles(submissions, uris));
}

/** Submits a template once for each URL of a list. @throws UserError or Failure */
export async function submitUrlList(submissions: Submissions, given: readonly unknown[]): Promise<void> {
  const template: vscode.Uri | undefined = requestUris(given)[0];
  if (template !== undefined) await submissions.once(batchName, () => submitList(submissions, template));
}

/** One batch at a time is asked about and sent. */
const batchName = 'batch';

/** Puts the POST that a submission would send on the clipboard, as a shell command. @throws UserError or Failure */
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
