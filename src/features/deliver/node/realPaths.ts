import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, relative, sep } from 'node:path';
import { systemCode } from '../../../base/failure.ts';

/** True if a folder, or its closest parent that exists, is below another one when all links are resolved. */
export async function isReallyBelow(folder: string, root: string): Promise<boolean> {
  const steps = relative(await realpath(root), await realpathOfExisting(folder));
  return steps !== '..' && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
}

async function realpathOfExisting(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return realpathOfExisting(dirname(path));
  }
}

/** Replaces `~` at the beginning of a path. */
export function expandHome(path: string): string {
  return path.replace(/^~(?=[/\\]|$)/, () => homedir());
}
