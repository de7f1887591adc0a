import * as vscode from 'vscode';
import { inspectSetting, type Settings } from '../../../settings.ts';
import { writeSetting } from '../../../writeSetting.ts';

/**
 * Makes a metadata key the first of those that label jobs: in the folder's settings if these have the keys, because they take precedence,
 * otherwise in the user's. @throws UserError when the setting cannot be written
 */
export async function useAsLabel(settings: Settings, key: string): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const target = inspectSetting('labelKeys')?.workspaceValue === undefined ? Global : Workspace;
  await writeSetting('labelKeys', [key, ...settings.get('labelKeys').filter((each) => each !== key)], target);
}
