import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onShutdown } from './shutdown.ts';

/** A folder that is removed on request, at the latest when this process ends. */
export interface OwnedFolder {
  readonly path: string;
  readonly remove: () => void;
}

const owned = new Set<() => void>();

process.on('exit', () => {
  for (const remove of owned) remove();
});

/** Creates a folder in the system's temporary folder. */
export function temporaryFolder(): OwnedFolder {
  return ownedFolder(tmpdir(), 'tj-');
}

/**
 * Creates a folder in `parent` whose name starts with `prefix` and this process's id. First removes folders with that
 * prefix whose process was killed before it could do so.
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
    // EPERM: the process exists but belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

function tryRemove(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The folder belongs to another user, or another run is removing it.
  }
}
