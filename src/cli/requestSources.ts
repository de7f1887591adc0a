import { readFileSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';

/** An input that cannot be read. The message is a sentence for the user of the program. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

/** Operand for standard input. */
export const standardInput = '-';

/** Files that operands match, and problems of operands that match none. */
export interface FoundSources {
  /** Distinct absolute paths in the order of the operands; may include {@link standardInput}. */
  readonly paths: readonly string[];
  readonly problems: readonly string[];
}

const requestPattern = '**/*.transcription.json';
const ignored = ['**/node_modules/**', '**/.git/**'];

/**
 * Finds the files that operands match. An operand may be a file, a folder with request files, a glob or standard input.
 * @param operands if empty, all request files below the folder are found
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

/** @returns the files, or a sentence that describes why there are none */
function findOperand(operand: string, folder: string): readonly string[] | string {
  if (operand === standardInput) return [standardInput];
  const path = resolve(folder, operand);
  const entry = statSync(path, { throwIfNoEntry: false });
  if (entry?.isDirectory() === true) {
    const found = findByGlob(requestPattern, path);
    return found.length > 0 ? found : `there is no request file (*.transcription.json) below ${operand}`;
  }
  // The name of a file may look like a glob.
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

/** Maximum size of a file: checking takes many times its memory. */
const maxBytes = 10 * 1024 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the exact text of a file, including a byte order mark.
 * @param name of the file in messages
 * @throws SourceError if it cannot be read, is larger than 10 MB, or is not UTF-8
 */
export function readSource(path: string, name: string): string {
  let bytes: Buffer;
  try {
    const { size } = statSync(path);
    // Check the size before reading.
    if (size > maxBytes) throw tooLarge(name);
    // File descriptor 0 is standard input.
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

/** Returns the message of a system error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
