import * as vscode from 'vscode';
import type { Severity } from '../../domain/request/finding.ts';
import { withCancel, type Report } from '../withCancel.ts';
import { showMessage } from '../showMessage.ts';
import { UserError } from '../userError.ts';
import { activeRequest, chosenUris } from './chosenUris.ts';
import { requestFilesIn } from './requestFilesIn.ts';
import type { CheckedRequest, FileChecks } from './fileChecks.ts';

/**
 * Checks the files and folders that were chosen, else the request in the active editor, else the whole workspace,
 * and says what was found. Cancelling says what was found until then.
 * @throws UserError when there is no request file
 */
export async function checkCommand(given: readonly unknown[], checks: FileChecks): Promise<void> {
  const chosen = chosenUris(given);
  const active = activeRequest();
  const uris = chosen.length > 0 ? await requestFilesIn(chosen) : active ? [active.uri] : await requestFilesIn();
  if (uris.length === 0) throw new UserError(vscode.l10n.t('There is no request file (*.transcription.json) here.'));
  const checked = await withCancel(vscode.l10n.t('Checking request files'), (signal, tell) =>
    checkAll(uris, checks, signal, tell),
  );
  // The message may stay for long; the command is over.
  void report(checked);
}

async function checkAll(
  uris: readonly vscode.Uri[],
  checks: FileChecks,
  signal: AbortSignal,
  tell: Report,
): Promise<readonly CheckedRequest[]> {
  const checked: CheckedRequest[] = [];
  for (const uri of uris) {
    if (signal.aborted) break;
    checked.push(await checks.check(uri));
    tell(vscode.workspace.asRelativePath(uri), 100 / uris.length);
  }
  return checked;
}

async function report(checked: readonly CheckedRequest[]): Promise<void> {
  const { l10n } = vscode;
  const count = (severity: Severity) =>
    checked.flatMap(({ findings }) => findings).filter((each) => each.severity === severity).length;
  const [errors, warnings] = [count('error'), count('warning')];
  const notes = count('info') + count('hint');
  const files = checked.length === 1 ? l10n.t('1 request file') : l10n.t('{0} request files', checked.length);
  if (errors + warnings + notes === 0)
    return showMessage('information', l10n.t('{0} checked. Nothing was found.', files));
  const message = l10n.t('{0} checked. Errors: {1}. Warnings: {2}. Notes: {3}.', files, errors, warnings, notes);
  const severity = errors > 0 ? 'error' : warnings > 0 ? 'warning' : 'information';
  await showMessage(severity, message, [
    { title: l10n.t('Show Problems'), run: () => vscode.commands.executeCommand('workbench.actions.view.problems') },
  ]);
}
