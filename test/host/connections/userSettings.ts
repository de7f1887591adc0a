import * as vscode from 'vscode';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import type { SettingName } from '../../../src/platform/editor/ids.ts';
import { Settings, type ReportProblem } from '../../../src/settings.ts';

const { Global, Workspace } = vscode.ConfigurationTarget;

/** The settings of the extension under test. The caller disposes them. */
export function openSettings(report: ReportProblem = () => undefined): Settings {
  return new Settings(vscode.extensions.getExtension(extensionId)?.packageJSON, report);
}

/** Writes a user setting; undefined removes it. */
export async function setUser(name: SettingName, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('transcriptionJobs').update(name, value, Global);
}

/** Writes a workspace folder setting; undefined removes it. */
export async function setFolder(name: SettingName, value: unknown): Promise<void> {
  await vscode.workspace.getConfiguration('transcriptionJobs').update(name, value, Workspace);
}

/** Removes all settings that the tests write. */
export async function resetSettings(): Promise<void> {
  for (const name of [
    'connection',
    'overdueMinutes',
    'autoRefresh.intervalSeconds',
    'labelKeys',
    'errorLabels',
    'rules',
  ] as const) {
    await setUser(name, undefined);
    await setFolder(name, undefined);
  }
  await setUser('connections', undefined);
}
