import * as vscode from 'vscode';
import { section } from './ids.ts';
import type { Settings } from './settings.ts';

/** Asks for the user's own words for an error code, since the contract does not say what codes mean (contract 7), and keeps them. */
export async function editErrorLabel(settings: Settings, code: number): Promise<void> {
  const labels = settings.get('errorLabels');
  const label = await vscode.window.showInputBox({
    title: vscode.l10n.t('Label for Error Code {0}', code),
    prompt: vscode.l10n.t('Shown wherever a job failed with this code. Leave it empty to show the code alone.'),
    value: labels.get(String(code)) ?? '',
  });
  if (label === undefined) return;
  const changed = new Map(labels);
  if (label.trim() === '') changed.delete(String(code));
  else changed.set(String(code), label.trim());
  await vscode.workspace
    .getConfiguration(section)
    .update('errorLabels', Object.fromEntries(changed), vscode.ConfigurationTarget.Global);
}
