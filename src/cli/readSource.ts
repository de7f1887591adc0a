import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { maxFileMegabytes } from '../language/request/requestFile.ts';

/** An input that cannot be read. The message is a sentence for the user of the program. */
export class SourceError extends Error {
  override readonly name = 'SourceError';
}

const maxBytes = maxFileMegabytes * 1024 * 1024;
/** Bytes to read at once from what has no size. */
const chunkBytes = 64 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the exact text of a file, including a byte order mark.
 * @param name of the file in messages
 * @throws SourceError if it cannot be read, is larger than 10 MB, or is not UTF-8
 */
export function readSource(path: string, name: string): string {
  return readText(name, () => {
    const file = openSync(path, 'r');
    try {
      return readBounded(file, name);
    } finally {
      closeSync(file);
    }
  });
}

/** Returns a text without its byte order mark. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/u, '');
}

/** Reads standard input to its end. @throws SourceError as {@link readSource} */
export function readStandardInput(): string {
  return readText('standard input', () => readBounded(0, 'standard input'));
}

function readText(name: string, read: () => Buffer): string {
  let bytes: Buffer;
  try {
    bytes = read();
  } catch (error) {
    if (error instanceof SourceError) throw error;
    throw new SourceError(`${name} can't be read: ${reasonOf(error)}`);
  }
  return decodeSource(bytes, name);
}

/** Reads an open file to its end. */
function readBounded(file: number, name: string): Buffer {
  const stats = fstatSync(file);
  // Check the size before reading.
  if (stats.size > maxBytes) throw tooLarge(name);
  // Anything else, such as a pipe or a device, has no size, and not always an end.
  if (stats.isFile()) return readFileSync(file);
  const chunks: Buffer[] = [];
  for (let total = 0; ;) {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    const length = readChunk(file, chunk);
    if (length === 0) return Buffer.concat(chunks, total);
    total += length;
    if (total > maxBytes) throw tooLarge(name);
    chunks.push(chunk.subarray(0, length));
  }
}

/** Reads what there is, waiting for it. @returns the number of bytes; 0 at the end */
function readChunk(file: number, chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(file, chunk);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      // Windows reports the end of a pipe as an error.
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw error;
      // The writer of a pipe that does not wait has not written yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
}
const retryMs = 10;

function tooLarge(name: string): SourceError {
  return new SourceError(`${name} has more than ${maxBytes / 1024 / 1024} MB, which no request has`);
}

function decodeSource(bytes: Uint8Array, name: string): string {
  const wide = isUtf32(bytes) ? 'UTF-32' : isUtf16(bytes) ? 'UTF-16' : undefined;
  if (wide !== undefined) throw new SourceError(`${name} is ${wide}; save it as UTF-8`);
  try {
    return utf8.decode(bytes);
  } catch {
    throw new SourceError(`${name} is not UTF-8; save it in that encoding`);
  }
}

/** True if a text has the mark of UTF-32, or begins with an ASCII character in UTF-32. */
function isUtf32(bytes: Uint8Array): boolean {
  const [first, second, third, fourth] = bytes;
  if (bytes.length % 4 !== 0 || bytes.length === 0) return false;
  const isLittle = third === 0 && fourth === 0 && (second === 0 ? first !== 0 : first === 0xff && second === 0xfe);
  const isBig = first === 0 && second === 0 && (third === 0 ? fourth !== 0 : third === 0xfe && fourth === 0xff);
  return isLittle || isBig;
}

/** True if a text has the mark of UTF-16, or begins with an ASCII character in UTF-16, like all JSON. */
function isUtf16([first, second]: Uint8Array): boolean {
  if (first === undefined || second === undefined) return false;
  return (first === 0) !== (second === 0) || (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}

/** Returns the message of a system error. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
