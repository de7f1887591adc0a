import * as vscode from 'vscode';
import { section, settingId, type SettingName } from './platform/editor/ids.ts';
import { openSettingsStep, UserError, showMessage } from './platform/editor/messages.ts';

/**
 * Writes a setting; undefined removes it.
 * @throws UserError when the editor cannot, most often because the settings file has errors
 */
export async function writeSetting(
  name: SettingName,
  value: unknown,
  target: vscode.ConfigurationTarget,
): Promise<void> {
  try {
    await vscode.workspace.getConfiguration(section).update(name, value, target);
  } catch (error) {
    // The editor's own message, in the user's language.
    throw new UserError(error instanceof Error ? error.message : String(error), [openSettingsStep(name)]);
  }
}

/** Describes why a setting's value is invalid, for the user. @param problem a localised sentence. */
export function unusableSettingText(name: SettingName, problem: string): string {
  return vscode.l10n.t('The setting {0} is invalid. {1}', settingId(name), problem);
}

/** Reports the problem to the user with a button to the setting. Settles when the notification is closed. */
export function showUnusableSetting(name: SettingName, problem: string): Promise<void> {
  return showMessage('warning', unusableSettingText(name, problem), [openSettingsStep(name)]);
}
