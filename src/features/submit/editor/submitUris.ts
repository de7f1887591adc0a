import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Job } from '../../../jobs/common/job.ts';
import { givenList } from './chooseAudioList.ts';
import { resubmitFailed } from './resubmitFailed.ts';
import { batchName, submitFiles, submitList, submitListFile } from './submitBatch.ts';
import { chosenUris, requestUris, readRequest, sourceOf } from '../../../language/editor/requestDocuments.ts';
import { hasRequestName } from '../../../language/editor/requestFileType.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import type { Submissions } from './submissions.ts';
import type { TreeNode } from '../../tree/common/jobTree.ts';
import { keyVariable } from '../../../connections/common/connection.ts';
import { showMessage, UserError } from '../../../platform/editor/messages.ts';
import { requireSendable } from './sendableRequest.ts';
import { submitCurl } from '../../../jobs/node/curl.ts';

/** Submits the files passed to a command, or the active one; offers a new one when no editor is open. @throws UserError or Failure */
export async function submitUris(submissions: Submissions, given: readonly unknown[]): Promise<void> {
  if (given.length === 0 && vscode.window.activeTextEditor === undefined) {
    await vscode.commands.executeCommand(commandIds.newRequest);
    return;
  }
  const uris = await requireOwnFiles(requestUris(given));
  const [first, ...others] = uris;
  // The caller may be a task, a keybinding or another extension.
  const mustAsk = given.length > 0;
  if (first !== undefined && others.length === 0) await submissions.submitFile(first, { mustAsk });
  else if (first !== undefined) await submissions.once(batchName, () => submitFiles(submissions, uris));
}

/**
 * Submits a template once for each URL of a list. The arguments name the list or the template, or the active editor shows one of them; the
 * user selects the other one.
 * @throws UserError or Failure
 */
export async function submitUrlList(submissions: Submissions, given: readonly unknown[]): Promise<void> {
  const [chosen = vscode.window.activeTextEditor?.document.uri] = chosenUris(given);
  if (chosen !== undefined && isListFile(chosen)) {
    await requireOwnFile(chosen, isListFile);
    return submissions.once(batchName, () => submitListFile(submissions, chosen));
  }
  const [template] = await requireOwnFiles(requestUris(given));
  if (template === undefined) return;
  const addresses = await givenList(submissions, given);
  await submissions.once(batchName, () => submitList(submissions, template, addresses));
}

/** True if the name of a file is that of a text or a table. */
function isListFile({ path }: vscode.Uri): boolean {
  return /\.(?:csv|tsv|txt)$/i.test(path);
}

/** Sends the requests of failed jobs again. @param rows the chosen rows. @throws UserError or Failure */
export async function resubmitJobs(
  submissions: Submissions,
  jobs: readonly Job[],
  rows: readonly TreeNode[],
): Promise<void> {
  await submissions.once(batchName, () => resubmitFailed(submissions, jobs, rows));
}

/**
 * Requires the user's own files: request files in a workspace folder, and the document in the active editor or its preview.
 * @throws UserError for any other.
 */
async function requireOwnFiles(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  for (const uri of uris) await requireOwnFile(uri, hasRequestName);
  return uris;
}

async function requireOwnFile(uri: vscode.Uri, hasExpectedName: (uri: vscode.Uri) => boolean): Promise<void> {
  const active = vscode.window.activeTextEditor?.document.uri;
  if (uri.toString() === (active && sourceOf(active).toString())) return;
  if (hasExpectedName(uri) && (await isInWorkspace(uri))) return;
  const name = posix.basename(uri.path);
  throw new UserError(
    hasExpectedName === isListFile
      ? vscode.l10n.t('"{0}" is not in this workspace. Open it in an editor to submit it.', name)
      : vscode.l10n.t('"{0}" is not a request file in this workspace. Open it in an editor to submit it.', name),
  );
}

/** True if a file is in a workspace folder, and not behind a link or a path that leads out of it. */
async function isInWorkspace(uri: vscode.Uri): Promise<boolean> {
  const folder = vscode.workspace.getWorkspaceFolder(uri)?.uri.path.replace(/\/$/, '');
  if (folder === undefined || posix.normalize(uri.path) !== uri.path || !uri.path.startsWith(`${folder}/`))
    return false;
  const steps = uri.path.slice(folder.length + 1).split('/');
  const paths = steps.map((_step, index) => `${folder}/${steps.slice(0, index + 1).join('/')}`);
  return !(await Promise.all(paths.map((path) => isLink(uri.with({ path }))))).includes(true);
}

/** False for a missing file, which may be open in an editor. */
async function isLink(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.SymbolicLink) !== 0;
  } catch {
    return false;
  }
}

/** Copies the POST of a submission to the clipboard as a shell command. @throws UserError or Failure */
export async function copyRequestCurl(submissions: Submissions, given: readonly unknown[]): Promise<void> {
  const [uri] = requestUris(given);
  if (uri === undefined) return;
  const request = await readRequest(uri);
  const { body } = requireSendable(submissions.gate(request.text), request);
  await vscode.env.clipboard.writeText(submitCurl(await submissions.services.connections.reach(), body));
  const text = vscode.l10n.t(
    'Copied. The command takes the key from the variable {0}; each run submits a new job.',
    keyVariable,
  );
  void showMessage('information', text);
}
