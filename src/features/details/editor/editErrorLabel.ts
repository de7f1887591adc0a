import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../../../base/json/json.ts';
import { openSettingsStep, UserError } from '../../../platform/editor/messages.ts';
import { inspectSetting, type Settings } from '../../../settings.ts';
import { unusableSettingText, writeSetting } from '../../../writeSetting.ts';

/**
 * Prompts for the label of an error code and stores it: the contract does not define the meaning of codes (contract 7).
 * @throws UserError when the setting cannot be written
 */
export async function editErrorLabel(settings: Settings, code: number): Promise<void> {
  const key = String(code);
  const label = await vscode.window.showInputBox({
    title: vscode.l10n.t('Label for Error Code {0}', code),
    prompt: vscode.l10n.t('Shown wherever a job failed with this code. Leave empty to show only the code.'),
    value: settings.get('errorLabels').get(key) ?? '',
  });
  if (label === undefined) return;
  const { labels, target } = labelsWith(key);
  const changed = new Map(Object.entries(labels));
  if (label.trim() === '') changed.delete(key);
  else changed.set(key, label.trim());
  await writeSetting('errorLabels', Object.fromEntries(changed), target);
}

/** Returns the labels to edit: the folder's if it labels this code, because they take precedence, otherwise the user's. */
function labelsWith(key: string): { readonly labels: JsonObject; readonly target: vscode.ConfigurationTarget } {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const { globalValue, workspaceValue } = inspectSetting('errorLabels') ?? {};
  if (isJsonObject(workspaceValue) && Object.hasOwn(workspaceValue, key)) {
    return { labels: workspaceValue, target: Workspace };
  }
  const labels = globalValue ?? {};
  if (isJsonObject(labels)) return { labels, target: Global };
  // A malformed value of the user must not be overwritten.
  const sentence = unusableSettingText('errorLabels', vscode.l10n.t('It must be an object.'));
  throw new UserError(sentence, [openSettingsStep('errorLabels')]);
}
