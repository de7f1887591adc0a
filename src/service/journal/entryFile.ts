import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Undecodable } from '../../domain/decode/decoder.ts';
import { decodeSubmission, schemaOf, type Submission } from '../../domain/submission/submission.ts';
import { systemCode, type Log } from '../ports.ts';
import { namesIn, privateFolder } from './journalSegments.ts';

/** The schema of these files. */
const entrySchema = 1;

/** Result of reading an entry file of version 0.1.0. */
export type EntryReading =
  | { readonly type: 'entry'; readonly submission: Submission }
  | { readonly type: 'broken' }
  /** Written by a later version of the product. */
  | { readonly type: 'later' }
  | { readonly type: 'gone' };

/**
 * Reads an entry of version 0.1.0, which wrote one file per entry. They are no longer written; later outcomes are in the
 * segments. Logs what cannot be read.
 */
export async function readEntry(path: string, log: Log): Promise<EntryReading> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log.warn(`journal: ${path}: ${String(error)}`);
    // Deleted by another window or not readable: there is nothing to move.
    return { type: 'gone' };
  }
  try {
    const value: unknown = JSON.parse(text);
    if (schemaOf(value) > entrySchema) return { type: 'later' };
    // The file name is the key: a key from the content could refer to another file.
    return { type: 'entry', submission: { ...decodeSubmission(value), key: basename(path, '.json') } };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof Undecodable)) throw error;
    log.warn(`journal: ${path}: ${error instanceof Undecodable ? error.message : 'not JSON'}`);
    return { type: 'broken' };
  }
}

/** Moves a broken file into the folder `broken`, where nothing overwrites it. @returns the new path. */
export async function quarantineEntry(path: string): Promise<string> {
  const folder = join(dirname(path), '..', 'broken');
  const target = join(folder, basename(path));
  await mkdir(folder, { recursive: true, mode: privateFolder });
  await rename(path, target).catch((error: unknown) => {
    // Another window has moved it already.
    if (systemCode(error) !== 'ENOENT') throw error;
  });
  return target;
}

/** Replacing a file never takes longer than this. */
const staleMs = 60_000;

/** Removes temporary files that version 0.1.0 left when it ended while writing an entry. */
export async function removeUnfinishedEntries(folder: string, nowMs: number): Promise<void> {
  const paths = (await namesIn(folder)).filter((name) => name.endsWith('.tmp')).map((name) => join(folder, name));
  await mapInChunks(paths, async (path) => {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs <= nowMs - staleMs) await rm(path, { force: true });
  });
}

/** Maximum number of files to open at once: systems limit open files. */
const filesAtOnce = 64;

/** Runs a function on many files, a limited number at a time. Returns the results in order; rejects with the first error. */
export async function mapInChunks<N, T>(names: readonly N[], work: (name: N) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  for (let at = 0; at < names.length; at += filesAtOnce) {
    done.push(...(await Promise.all(names.slice(at, at + filesAtOnce).map(work))));
  }
  return done;
}

/** Whether a process of this machine is running. A process that we may not signal is running, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
