import { readFileSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';

/** A sentence about something that cannot be read, for whoever called the program. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** The operand that means standard input. */
export const standardInput = '-';

/** Files that operands mean, and what is wrong with those that mean none. */
export interface FoundSources {
  /** Absolute paths in the order of the operands, each once; {@link standardInput} among them. */
  readonly paths: readonly string[];
  readonly problems: readonly string[];
}

const requestPattern = '**/*.transcription.json';
const ignored = ['**/node_modules/**', '**/.git/**'];

/**
 * Finds the files that operands mean: each may be a file, a folder with request files, a glob or standard input.
 * @param operands all request files below the folder when there are none
 */
export function findSources(operands: readonly string[], folder: string): FoundSources {
  const paths = new Set<string>();
  const problems: string[] = [];
  for (const operand of operands.length === 0 ? ['.'] : operands) {
    const found = findOperand(operand, folder);
    if (typeof found === 'string') problems.push(found);
    else found.forEach((path) => paths.add(path));
  }
  return { paths: [...paths], problems };
}

/** @returns the files, or a sentence that says why there are none */
function findOperand(operand: string, folder: string): readonly string[] | string {
  if (operand === standardInput) return [standardInput];
  const path = resolve(folder, operand);
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory() === true) {
    const found = findByGlob(requestPattern, path);
    return found.length > 0 ? found : `there is no request file (*.transcription.json) below ${operand}`;
  }
  // A file's name may look like a glob.
  if (entry !== undefined || !isDynamicPattern(operand)) return [path];
  const found = findByGlob(sep === '\\' ? operand.replaceAll('\\', '/') : operand, folder);
  return found.length > 0 ? found : `no file matches ${operand}`;
}

function findByGlob(pattern: string, folder: string): readonly string[] {
  const found = globSync(pattern, {
    cwd: folder,
    ignore: ignored,
    dot: true,
    absolute: true,
    followSymbolicLinks: false,
    expandDirectories: false,
  });
  return found.map((path) => resolve(path)).sort();
}

/** Checking takes many times the memory of a file. */
const maxBytes = 10 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The text of a file as it is, a byte order mark included.
 * @param name of the file in messages
 * @throws SourceError when it cannot be read, is larger than 10 MB, or is not UTF-8
 */
export function readSource(path: string, name: string): string {
  let bytes: Buffer;
  try {
    const { size } = statSync(path);
    // Before it is read.
    if (size > maxBytes) throw tooLarge(name);
    // 0 is standard input.
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${name} can't be read: ${reasonOf(error)}`);
  }
  return decodeSource(bytes, name);
}

/** Reads standard input to its end. @throws SourceError as {@link readSource} */
export function readStandardInput(): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(0);
  } catch (error) {
    throw new SourceError(`standard input can't be read: ${reasonOf(error)}`);
  }
  if (bytes.length > maxBytes) throw tooLarge('standard input');
  return decodeSource(bytes, 'standard input');
}

function tooLarge(name: string): SourceError {
  return new SourceError(`${name} has more than ${maxBytes / 1024 / 1024} MB, which no request has`);
}

function decodeSource(bytes: Uint8Array, name: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new SourceError(`${name} is not UTF-8; save it in that encoding`);
  }
}

/** Why the system refused something, in its own words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
