import { DisposableOwner, type Disposable } from '../../service/disposable.ts';
import { commandIds, connectionCommandNames } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { ConnectionCommands, ConnectionCommandsDeps } from './connectionCommands.ts';

/** Registers the commands that choose, change and try connections. What they do is much code that is seldom wanted: it is read when the first of them runs. */
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
