import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onShutdown } from './shutdown.ts';

/** A folder that goes when its owner says so, at the latest when this process ends. */
export interface OwnedFolder {
  readonly path: string;
  readonly remove: () => void;
}

const owned = new Set<() => void>();

process.on('exit', () => {
  for (const remove of owned) remove();
});

/** A new folder in the system's temporary one. */
export function temporaryFolder(): OwnedFolder {
  return ownedFolder(tmpdir(), 'tj-');
}

/**
 * Makes a new folder in `parent`, whose name starts with `prefix` and the number of this process. Folders of that prefix whose
 * process was killed before it could remove them are cleared away first.
 */
export function ownedFolder(parent: string, prefix: string): OwnedFolder {
  mkdirSync(parent, { recursive: true });
  removeAbandoned(parent, prefix);
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  const remove = (): void => {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    owned.delete(remove);
    forget();
  };
  owned.add(remove);
  const forget = onShutdown(async () => remove());
  return { path, remove };
}

function removeAbandoned(parent: string, prefix: string): void {
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(prefix) ? Number(/^(\d+)-/.exec(name.slice(prefix.length))?.[1]) : Number.NaN;
    if (pid > 0 && !isRunning(pid)) tryRemove(join(parent, name));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signalled, but is there.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function tryRemove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // Somebody else's, or just being removed by another run.
  }
}
