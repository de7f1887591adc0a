import { basename } from 'node:path';
import * as vscode from 'vscode';
import { isFailure } from '../../domain/failure.ts';
import { failureText } from '../../domain/failureText.ts';
import { numberText, type Locale } from '../../domain/format.ts';
import { isSystemError } from '../../service/export/fileTarget.ts';
import type { ExportOutcome } from '../../service/export/exporter.ts';
import { showMessage, type NextStep } from '../showMessage.ts';
import { UserError } from '../userError.ts';

/** Tells what became of an export, and where it is. */
export async function reportExport(outcome: ExportOutcome, uri: vscode.Uri, locale: Locale): Promise<void> {
  const { l10n } = vscode;
  const jobs = outcome.written === 1 ? l10n.t('1 job') : l10n.t('{0} jobs', numberText(outcome.written, locale));
  if (outcome.type === 'complete') {
    const sentence = l10n.t('Exported {0} to {1}.', jobs, basename(uri.path));
    return showMessage('information', [sentence, ...leftOut(outcome, locale)].join(' '), [open(uri)]);
  }
  const { partial, why } = outcome;
  const sentence = whyText(outcome);
  const severity = why === 'cancelled' ? 'information' : 'error';
  if (partial === undefined) return showMessage(severity, `${sentence} ${l10n.t('Nothing was exported.')}`);
  const where = l10n.t('The file is incomplete: {0}, in {1}.', jobs, basename(partial));
  return showMessage(severity, `${sentence} ${where}`, [open(uri.with({ path: vscode.Uri.file(partial).path }))]);
}

/** Why a file could not be written, for {@link UserError}; what is no error of the file system passes through. */
export function asUserError(error: unknown, uri: vscode.Uri): unknown {
  if (!isSystemError(error)) return error;
  return new UserError(vscode.l10n.t('{0} cannot be written. {1}', basename(uri.path), systemText(error.code)));
}

function whyText(outcome: ExportOutcome & { readonly type: 'partial' }): string {
  const { l10n } = vscode;
  switch (outcome.why) {
    case 'cancelled':
      return l10n.t('The export was cancelled.');
    case 'ended':
      return l10n.t('The service says that there are more jobs but did not send them.');
    case 'failed':
      return l10n.t('The export failed. {0}', errorText(outcome.error));
  }
}

function errorText(error: unknown): string {
  if (isFailure(error)) return failureText(error).sentence;
  if (isSystemError(error)) return systemText(error.code);
  return error instanceof UserError ? error.message : vscode.l10n.t('The log has the details.');
}

function systemText(code: string): string {
  const { l10n } = vscode;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('The disk is full.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'NoPermissions':
      return l10n.t('Writing there is not permitted.');
    case 'ENOENT':
    case 'ENOTDIR':
    case 'FileNotFound':
      return l10n.t('There is no such folder.');
    case 'EISDIR':
    case 'FileIsADirectory':
      return l10n.t('A folder has this name.');
    default:
      return l10n.t('The file system says: {0}', code);
  }
}

function leftOut({ contradicting, unreadable }: ExportOutcome, locale: Locale): readonly string[] {
  const { l10n } = vscode;
  return [
    ...(contradicting === 0
      ? []
      : [l10n.t('Left out because they do not match what was asked for: {0}.', numberText(contradicting, locale))]),
    ...(unreadable === 0
      ? []
      : [l10n.t('Left out because they have no id: {0}. JSON keeps them.', numberText(unreadable, locale))]),
  ];
}

function open(uri: vscode.Uri): NextStep {
  return { title: vscode.l10n.t('Open'), run: () => vscode.commands.executeCommand('vscode.open', uri) };
}
