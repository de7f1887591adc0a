import * as vscode from 'vscode';
import type { SettingName } from '../domain/settings/settingShapes.ts';
import { settingId } from './ids.ts';
import { openSettingsStep } from './nextSteps.ts';
import { showMessage } from './showMessage.ts';

/** Says of a setting's value why it cannot be used. @param problem a sentence, localised. */
export function unusableSettingText(name: SettingName, problem: string): string {
  return vscode.l10n.t('The setting {0} cannot be used as it is. {1}', settingId(name), problem);
}

/** Tells the user so, and leads to the setting. Settles when the message is gone. */
export function tellUnusableSetting(name: SettingName, problem: string): Promise<void> {
  return showMessage('warning', unusableSettingText(name, problem), [openSettingsStep(name)]);
}
