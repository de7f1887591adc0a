import * as vscode from 'vscode';
import { commandIds, connectionCommandNames } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { ConnectionCommands, ConnectionCommandsDeps } from './connectionCommands.ts';

/** Registers the commands that choose, change and try connections. What they do is loaded when the first of them runs. */
export function registerConnections(context: ConnectionCommandsDeps): vscode.Disposable {
  let loading: Promise<ConnectionCommands> | undefined;
  const load = (): Promise<ConnectionCommands> => {
    loading ??= import('./connectionCommands.ts').then((loaded) => new loaded.ConnectionCommands(context));
    return loading;
  };
  return vscode.Disposable.from(
    ...connectionCommandNames.map((command) =>
      registerCommand(context.log, commandIds[command], async () => (await load()).run(command)),
    ),
  );
}
