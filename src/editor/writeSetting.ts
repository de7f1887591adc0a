import * as vscode from 'vscode';
import type { SettingName } from '../domain/settings/settingShapes.ts';
import { section } from './ids.ts';
import { openSettingsStep } from './nextSteps.ts';
import { UserError } from './userError.ts';

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
