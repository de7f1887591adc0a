import type { KeptList } from '../../domain/watch/watchPlan.ts';
import { runQuietly } from '../runCommand.ts';
import { setAside } from '../setAside.ts';
import type { WatchNeeds } from './watchNeeds.ts';

/** What was kept under a name before a reload. Set aside when it cannot be read, for it is about to be overwritten. */
export function restoreKept<T>(
  { log, memory }: Pick<WatchNeeds, 'log' | 'memory'>,
  name: string,
  kept: KeptList<T>,
): readonly T[] {
  const value = memory.get<unknown>(name);
  if (value === undefined) return [];
  const restored = kept.read(value);
  if (restored !== undefined) return restored;
  const listName = `${name}.setAside`;
  log.warn(`what is kept as ${name} cannot be read; it is set aside as ${listName}`);
  void runQuietly(log, async () => setAside(memory, name, listName, value));
  return [];
}
