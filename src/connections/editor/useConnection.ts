import * as vscode from 'vscode';
import type { Settings } from '../../settings.ts';
import { writeSetting } from '../../writeSetting.ts';

/** Makes a connection the current one: in the folder's settings if these select the connection, otherwise in the user's. */
export async function useConnection(
  name: string,
  { connectionChosenByFolder }: Pick<Settings, 'connectionChosenByFolder'>,
): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  await writeSetting('connection', name, connectionChosenByFolder ? Workspace : Global);
}
