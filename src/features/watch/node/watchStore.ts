import type { StoredList } from '../common/watchPlan.ts';
import type { Log } from '../../../base/log.ts';
import { type StateStore, quarantine } from '../../../base/stateStore.ts';

/** Workspace state keys of the watched jobs, and of those that failed and were not viewed. */
export const watchMemory = {
  jobs: 'watchedJobs',
  failures: 'unseenFailures',
} as const;

/** Restores the value stored under a name before a reload. Quarantines a value that cannot be decoded, because it will be overwritten. */
export function restoreStored<T>(memory: StateStore, name: string, kept: StoredList<T>, log: Log): readonly T[] {
  const value = memory.get(name);
  if (value === undefined) return [];
  const restored = kept.read(value);
  if (restored !== undefined) return restored;
  const listName = `${name}.setAside`;
  log.warn(`what is kept as ${name} cannot be read; it is set aside as ${listName}`);
  quarantine(memory, name, listName, value).catch((error: unknown) => log.warn(`watch: ${String(error)}`));
  return [];
}
