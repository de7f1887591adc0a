import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile, readFile } from 'node:fs/promises';
import { dirname, basename } from 'node:path';
import { delay, systemClock } from '../clock.ts';
import { systemCode, type Log } from '../ports.ts';
import { Undecodable } from '../../domain/decode/decoder.ts';
import { decodeSubmission, journalSchema, schemaOf, type Submission } from '../../domain/submission/submission.ts';

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
      await delay(systemClock, renamePauseMs);
    }
  }
}

/** What is in a file of the journal. */
export type EntryReading =
  | { readonly type: 'entry'; readonly submission: Submission }
  | { readonly type: 'broken' }
  /** A later version of the product wrote it. */
  | { readonly type: 'later' }
  | { readonly type: 'gone' };

/** Reads an entry of the journal, as it stands. What cannot be read is logged. */
export async function readEntry(path: string, log: Log): Promise<EntryReading> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log.warn(`journal: ${path}: ${String(error)}`);
    // Pruned by another window, or not ours to read: nothing to set aside.
    return { type: 'gone' };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (schemaOf(value) > journalSchema) return { type: 'later' };
    // The name counts: what the content says could lead to another file.
    return { type: 'entry', submission: { ...decodeSubmission(value), key: basename(path, '.json') } };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof Undecodable)) throw error;
    log.warn(`journal: ${path}: ${error instanceof Undecodable ? error.message : 'not JSON'}`);
    return { type: 'broken' };
  }
}

/** More open files at once than this a system may refuse. */
const filesAtOnce = 64;

/** What comes of work on each of many files, in their order; a bounded number at a time. Rejects with the first that does. */
export async function mapInChunks<T>(
  names: readonly string[],
  work: (name: string) => Promise<T>,
): Promise<readonly T[]> {
  const done: T[] = [];
  for (let at = 0; at < names.length; at += filesAtOnce) {
    done.push(...(await Promise.all(names.slice(at, at + filesAtOnce).map(work))));
  }
  return done;
}

/** Whether a process of this machine runs. One that may not be signalled does. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
