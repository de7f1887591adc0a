import { globSync } from 'node:fs';
import { join } from 'node:path';

/** The absolute paths of the files below a folder that match the pattern, in the order of their names. */
export function filesBelow(folder: string, pattern: string): string[] {
  return globSync(pattern, { cwd: folder })
    .sort()
    .map((file) => join(folder, file));
}
