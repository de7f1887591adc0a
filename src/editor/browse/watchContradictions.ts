import type { JobStore } from '../../service/store/jobStore.ts';
import type { Disposable, Log } from '../../service/ports.ts';
import { runQuietly } from '../runCommand.ts';

/** Tells once per connection and session that the service sends jobs that were not asked for. The words are loaded when there is need. */
export function watchContradictions(
  log: Log,
  store: JobStore,
  connection: { readonly current: { readonly name: string } | undefined },
): Disposable {
  const told = new Set<string>();
  return store.onDidContradict(() => {
    const name = connection.current?.name;
    if (name === undefined || told.has(name)) return;
    told.add(name);
    void runQuietly(log, async () => {
      const { tellContradiction } = await import('./tellContradiction.ts');
      await tellContradiction(name);
    });
  });
}
