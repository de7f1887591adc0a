import * as vscode from 'vscode';
import { submitFiles, submitList } from './batch/submitBatch.ts';
import { requestUris, readRequest } from '../requests/requestDocuments.ts';
import type { Submissions } from './submitContext.ts';
import { keyVariable } from '../../domain/connection/connection.ts';
import { showMessage } from '../messages.ts';
import { requireSendable } from './send.ts';
import { submitCurl } from '../../service/api/curl.ts';

/** Submits the files that a command was given, or the one that is being edited. @throws UserError or Failure */
export async function submitUris(room: Submissions, given: readonly unknown[]): Promise<void> {
  const uris = requestUris(given);
  const [first, ...others] = uris;
  if (first !== undefined && others.length === 0) await room.submit(first);
  else if (first !== undefined) await alone(room, () => submitFiles(room, uris));
}

/** Submits a template once for each URL of a list. @throws UserError or Failure */
export async function submitUrlList(room: Submissions, given: readonly unknown[]): Promise<void> {
  const template: vscode.Uri | undefined = requestUris(given)[0];
  if (template !== undefined) await alone(room, () => submitList(room, template));
}

/** One batch at a time is asked about and sent. */
async function alone({ busy }: Submissions, body: () => Promise<void>): Promise<void> {
  const name = 'batch';
  if (busy.has(name)) return;
  busy.add(name);
  try {
    await body();
  } finally {
    busy.delete(name);
  }
}

/** Puts the POST that a submission would send on the clipboard, as a shell command. @throws UserError or Failure */
export async function copyRequestCurl(room: Submissions, given: readonly unknown[]): Promise<void> {
  const [uri] = requestUris(given);
  if (uri === undefined) return;
  const { body } = requireSendable(room, await readRequest(uri));
  await vscode.env.clipboard.writeText(submitCurl(await room.reach(), body));
  const text = vscode.l10n.t(
    'Copied. The command takes the key from the variable {0}; each run submits a new job.',
    keyVariable,
  );
  void showMessage('information', text);
}
