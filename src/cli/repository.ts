import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Finds the root of the repository that contains a folder; undefined if there is none. */
export function findRepository(folder: string): string | undefined {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}
