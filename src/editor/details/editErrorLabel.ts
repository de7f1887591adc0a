import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../../domain/json/json.ts';
import { openSettingsStep, UserError } from '../messages.ts';
import { inspectSetting, type Settings } from '../settings.ts';
import { unusableSettingText, writeSetting } from '../writeSetting.ts';

/**
 * Asks for the user's own words for an error code, since the contract does not say what codes mean (contract 7), and keeps them.
 * @throws UserError when the setting cannot be written
 */
export async function editErrorLabel(settings: Settings, code: number): Promise<void> {
  const key = String(code);
  const label = await vscode.window.showInputBox({
    title: vscode.l10n.t('Label for Error Code {0}', code),
    prompt: vscode.l10n.t('Shown wherever a job failed with this code. Leave it empty to show the code alone.'),
    value: settings.get('errorLabels').get(key) ?? '',
  });
  if (label === undefined) return;
  const { labels, target } = labelsWith(key);
  const changed = new Map(Object.entries(labels));
  if (label.trim() === '') changed.delete(key);
  else changed.set(key, label.trim());
  await writeSetting('errorLabels', Object.fromEntries(changed), target);
}

/** The labels among which one is written: the folder's if these have it, because they count, otherwise the user's own. */
function labelsWith(key: string): { readonly labels: JsonObject; readonly target: vscode.ConfigurationTarget } {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const { globalValue, workspaceValue } = inspectSetting('errorLabels') ?? {};
  if (isJsonObject(workspaceValue) && Object.hasOwn(workspaceValue, key)) {
    return { labels: workspaceValue, target: Workspace };
  }
  const labels = globalValue ?? {};
  if (isJsonObject(labels)) return { labels, target: Global };
  // What the user has written is not ours to overwrite.
  const sentence = unusableSettingText('errorLabels', vscode.l10n.t('It must be an object.'));
  throw new UserError(sentence, [openSettingsStep('errorLabels')]);
}
