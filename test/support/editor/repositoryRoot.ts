import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Absolute path of this repository, the same for sources and bundled code. */
export const repositoryRoot = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'package.json')) ? folder : rootAbove(dirname(folder));
}
