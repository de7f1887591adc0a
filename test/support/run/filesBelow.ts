import { globSync } from 'node:fs';
import { join } from 'node:path';

/** The absolute paths of the files below a folder that match the pattern, sorted by name. */
export function filesBelow(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder })
    .sort()
    .map((file) => join(folder, file));
}
