import { DisposableOwner, type Disposable } from '../../service/disposable.ts';
import { commandIds, connectionCommandNames } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { ConnectionCommands, ConnectionCommandsDeps } from './connectionCommands.ts';

/** Registers the commands that choose, edit and check connections. Their code is large and rarely used, so it is imported on first use. */
export function registerConnections(deps: ConnectionCommandsDeps): Disposable {
  let loading: Promise<ConnectionCommands> | undefined;
  const load = (): Promise<ConnectionCommands> => {
    loading ??= import('./connectionCommands.ts').then((loaded) => new loaded.ConnectionCommands(deps));
    return loading;
  };
  const owner = new DisposableOwner();
  for (const command of connectionCommandNames) {
    owner.own(registerCommand(deps.log, commandIds[command], async () => (await load()).run(command)));
  }
  return owner;
}
