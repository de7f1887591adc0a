import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemCode } from '../systemCode.ts';

const renameTries = 5;
const renamePauseMs = 50;

/**
 * Writes a file whole or not at all: whoever reads it meanwhile sees the old content or the new one, also after a crash.
 * @throws NodeJS.ErrnoException such as `ENOSPC`.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.tmp`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await writeFile(unfinished, text, { flush: true });
    await replace(path, unfinished);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

async function replace(path: string, by: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rename(by, path);
    } catch (error) {
      // Windows refuses while a virus scanner or another reader has the old file open.
      if (tries === renameTries || !['EPERM', 'EACCES', 'EBUSY'].includes(systemCode(error) ?? '')) throw error;
      await delay(renamePauseMs);
    }
  }
}
