import * as vscode from 'vscode';
import type { Severity } from '../../../language/requestLanguage.ts';
import { withCancel, type Report } from '../../../platform/editor/progress.ts';
import { showMessage, UserError } from '../../../platform/editor/messages.ts';
import { activeRequest, chosenUris } from '../../../language/editor/requestDocuments.ts';
import { findRequestFiles, type CheckedRequest, type FileChecks } from './fileChecks.ts';

/** Max number of files named in a message. */
const maxUnreadable = 3;

/**
 * Checks the given files and folders, else the whole workspace and the request in the active editor, and reports the findings; after a
 * cancellation, the findings so far.
 * @throws UserError when there is no request file, or none that can be read
 */
export async function checkRequests(given: readonly unknown[], checks: FileChecks): Promise<void> {
  const chosen = chosenUris(given);
  const uris = chosen.length > 0 ? await findRequestFiles(chosen) : await findAllRequests();
  if (uris.length === 0) throw new UserError(vscode.l10n.t('No request files (*.transcription.json) found.'));
  const result = await withCancel(vscode.l10n.t('Checking request files'), (signal, onProgress) =>
    checkAll(uris, checks, signal, onProgress),
  );
  if (result.checked.length === 0 && result.unreadable.length > 0) throw new UserError(named(result.unreadable));
  // The message may stay for long; the command is over.
  void report(result);
}

/** Returns all request files of the workspace, and the request in the active editor, which may be unsaved or outside of it. */
async function findAllRequests(): Promise<readonly vscode.Uri[]> {
  const [active, found] = [activeRequest(), await findRequestFiles()];
  const isFound = found.some((uri) => uri.toString() === active?.toString());
  return active === undefined || isFound ? found : [active, ...found];
}

interface CheckResult {
  readonly checked: readonly CheckedRequest[];
  /** Sentences with the reasons why other files cannot be read. */
  readonly unreadable: readonly string[];
}

async function checkAll(
  uris: readonly vscode.Uri[],
  checks: FileChecks,
  signal: AbortSignal,
  onProgress: Report,
): Promise<CheckResult> {
  const checked: CheckedRequest[] = [];
  const unreadable: string[] = [];
  for (const uri of uris) {
    if (signal.aborted) break;
    try {
      checked.push(await checks.check(uri));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      unreadable.push(error.message);
    }
    onProgress(vscode.workspace.asRelativePath(uri), 100 / uris.length);
  }
  return { checked, unreadable };
}

async function report({ checked, unreadable }: CheckResult): Promise<void> {
  const { l10n } = vscode;
  const count = (severity: Severity) =>
    checked.flatMap(({ findings }) => findings).filter((each) => each.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const notes = count('info') + count('hint');
  const files = checked.length === 1 ? l10n.t('1 request file') : l10n.t('{0} request files', checked.length);
  if (errors + warnings + notes + unreadable.length === 0)
    return showMessage('information', l10n.t('{0} checked. No problems found.', files));
  const counts = l10n.t('{0} checked. Errors: {1}. Warnings: {2}. Notes: {3}.', files, errors, warnings, notes);
  const message = unreadable.length === 0 ? counts : `${counts} ${named(unreadable)}`;
  const severity = errors > 0 ? 'error' : warnings + unreadable.length > 0 ? 'warning' : 'information';
  await showMessage(severity, message, [
    { title: l10n.t('Show Problems'), run: () => vscode.commands.executeCommand('workbench.actions.view.problems') },
  ]);
}

function named(unreadable: readonly string[]): string {
  return unreadable.slice(0, maxUnreadable).join(' ');
}
