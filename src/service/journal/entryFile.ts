import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Undecodable } from '../../domain/decode/decoder.ts';
import { decodeSubmission, schemaOf, type Submission } from '../../domain/submission/submission.ts';
import { systemCode, type Log } from '../ports.ts';
import { namesIn } from './journalSegments.ts';

/** The schema of the files that are read here. */
const entrySchema = 1;

/** What is in a file of the journal of version 0.1.0. */
export type EntryReading =
  | { readonly type: 'entry'; readonly submission: Submission }
  | { readonly type: 'broken' }
  /** A later version of the product wrote it. */
  | { readonly type: 'later' }
  | { readonly type: 'gone' };

/**
 * Reads an entry as version 0.1.0 wrote it, a file for each. None is written any more; what has turned out later stands in the
 * segments. What cannot be read is logged.
 */
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
    if (schemaOf(value) > entrySchema) return { type: 'later' };
    // The name counts: what the content says could lead to another file.
    return { type: 'entry', submission: { ...decodeSubmission(value), key: basename(path, '.json') } };
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof Undecodable)) throw error;
    log.warn(`journal: ${path}: ${error instanceof Undecodable ? error.message : 'not JSON'}`);
    return { type: 'broken' };
  }
}

/** Moves a broken file into the folder `broken`, where nothing overwrites it. @returns where it is now. */
export async function setEntryAside(path: string): Promise<string> {
  const folder = join(dirname(path), '..', 'broken');
  const target = join(folder, basename(path));
  await mkdir(folder, { recursive: true });
  await rename(path, target).catch((error: unknown) => {
    // Another window has done it.
    if (systemCode(error) !== 'ENOENT') throw error;
  });
  return target;
}

/** Longer than this no version takes to replace a file. */
const staleMs = 60_000;

/** Removes what version 0.1.0 left behind when it ended in the middle of writing an entry. */
export async function removeUnfinishedEntries(folder: string, nowMs: number): Promise<void> {
  const paths = (await namesIn(folder)).filter((name) => name.endsWith('.tmp')).map((name) => join(folder, name));
  await mapInChunks(paths, async (path) => {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
    if (mtimeMs <= nowMs - staleMs) await rm(path, { force: true });
  });
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
