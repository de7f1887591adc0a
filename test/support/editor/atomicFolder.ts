import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ownedFolder } from './ownedFolder.ts';

const sealName = '.complete';

/** A folder to be created once and kept. */
export interface Recipe {
  readonly cacheDir: string;
  /** Name of the folder in the cache. */
  readonly key: string;
  /** If this text has changed, the folder is created again. */
  readonly ingredients?: string;
  /** Fills the given empty folder. */
  readonly make: (folder: string) => Promise<void>;
}

/**
 * Returns the folder that the recipe describes, creating it if it is missing or incomplete. It is created under another
 * name and then renamed, so that it is always complete, even if two runs start at once: the first to finish wins. A
 * folder with a missing or truncated file is deleted and created again.
 */
export async function atomicFolder({ cacheDir, key, ingredients = '', make }: Recipe): Promise<string> {
  const folder = join(cacheDir, key);
  const isWhole = (): boolean => readSeal(folder) === sealOf(folder, ingredients);
  if (isWhole()) return folder;
  const partial = ownedFolder(cacheDir, '.partial-');
  try {
    const fresh = join(partial.path, 'fresh');
    mkdirSync(fresh);
    await make(fresh);
    writeFileSync(join(fresh, sealName), sealOf(fresh, ingredients));
    try {
      if (existsSync(folder) && !isWhole()) renameSync(folder, join(partial.path, 'broken'));
      renameSync(fresh, folder);
    } catch (error) {
      // Another run may have created it first.
      if (!isWhole()) throw error;
    }
  } finally {
    partial.remove();
  }
  return folder;
}

function readSeal(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, sealName), 'utf8');
  } catch {
    return undefined;
  }
}

/** Returns the names and sizes of all files: enough to detect missing and truncated files, and read in a fraction of a second. */
function sealOf(folder: string, ingredients: string): string {
  if (!existsSync(folder)) return '';
  const hash = createHash('sha256').update(ingredients);
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== sealName)
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  for (const file of files) hash.update(`${relative(folder, file)}\0${statSync(file).size}\0`);
  return `${files.length} files ${hash.digest('hex')}\n`;
}
