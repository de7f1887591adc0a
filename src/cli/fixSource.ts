import { closeSync, fstatSync, ftruncateSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import type { RequestFile } from '../language/request/requestFile.ts';
import type { RequestLanguage } from '../language/requestLanguage.ts';
import { reasonOf, SourceError } from './readSource.ts';

/** A request file to fix. */
export interface FixableSource {
  /** Undefined for standard input. */
  readonly path: string | undefined;
  /** Display path, with forward slashes. */
  readonly name: string;
  /** Exact text of the file, including a byte order mark. */
  readonly text: string;
  readonly request: RequestFile;
}

/** Returns a file with its safe fixes applied. Everything else stays unchanged, including line breaks and comments. */
export function fixSource<T extends FixableSource>(source: T, language: RequestLanguage): T {
  const { text, request } = source;
  const fixed = language.fix(request);
  if (fixed.edits.length === 0) return source;
  return {
    ...source,
    text: text.slice(0, text.length - request.text.length) + fixed.text,
    request: language.parse(fixed.text),
  };
}

/** Formats a unified diff that `git apply` accepts. */
export function formatDiff(name: string, before: string, after: string): string {
  const options = { headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
}

/**
 * Writes a fixed text into its file, which keeps its owner, mode and links. If that fails, the file has its old text.
 * @throws SourceError if the file cannot be written, is read-only, or no longer has the old text
 */
export function writeFixed(path: string, name: string, before: string, after: string): void {
  try {
    // Not every user is kept from writing to such a file.
    if ((statSync(path).mode & 0o222) === 0) throw new SourceError(`${name} is read-only`);
    const file = openSync(path, 'r+');
    try {
      if (!fstatSync(file).isFile()) throw new SourceError(`${name} is not a regular file`);
      const old = Buffer.from(before);
      if (!readFileSync(file).equals(old))
        throw new SourceError(`${name} has changed meanwhile; run the command again`);
      try {
        overwrite(file, Buffer.from(after));
      } catch (error) {
        // The old text needs no more space than it had.
        overwrite(file, old);
        throw error;
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${name} can't be written: ${reasonOf(error)}`);
  }
}

function overwrite(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, at);
  ftruncateSync(file, bytes.length);
}
