import * as vscode from 'vscode';
import type { SettingName } from '../domain/settings/settingShapes.ts';
import { section, settingId } from './ids.ts';
import { openSettingsStep, UserError, showMessage } from './messages.ts';

/**
 * Writes one of our settings; undefined removes it.
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
    // The editor's own sentence, in the user's language.
    throw new UserError(error instanceof Error ? error.message : String(error), [openSettingsStep(name)]);
  }
}

/** Says of a setting's value why it cannot be used. @param problem a sentence, localised. */
export function unusableSettingText(name: SettingName, problem: string): string {
  return vscode.l10n.t('The setting {0} cannot be used as it is. {1}', settingId(name), problem);
}

/** Tells the user so, and leads to the setting. Settles when the message is gone. */
export function tellUnusableSetting(name: SettingName, problem: string): Promise<void> {
  return showMessage('warning', unusableSettingText(name, problem), [openSettingsStep(name)]);
}
