import * as vscode from 'vscode';
import type { SettingName } from '../domain/settings/settingShapes.ts';
import { commandIds, settingId, type CommandId } from './ids.ts';
import type { NextStep } from './showMessage.ts';

/** Leads to the log. */
export function showLogStep(): NextStep {
  return commandStep(vscode.l10n.t('Show Log'), commandIds.showLog);
}

/** Runs one of our commands. */
export function commandStep(title: string, id: CommandId): NextStep {
  return { title, run: () => vscode.commands.executeCommand(id) };
}

/** Leads to one of our settings. */
export function openSettingsStep(name: SettingName): NextStep {
  return { title: vscode.l10n.t('Open Settings'), run: () => openSettings(`@id:${settingId(name)}`) };
}

/** Leads to what the settings editor finds. */
export function openSettings(query: string): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', query);
}
