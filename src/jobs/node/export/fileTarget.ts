import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { systemCode } from '../../../base/failure.ts';
import type { ExportTarget } from './exporter.ts';

/** Writes to a temporary file and renames it when it is complete. */
export class FileTarget implements ExportTarget {
  readonly #path: string;
  readonly #partialPath: string;
  readonly #file: FileHandle;
  #isEmpty = true;

  private constructor(path: string, partialPath: string, file: FileHandle) {
    this.#path = path;
    this.#partialPath = partialPath;
    this.#file = file;
  }

  /** @param path absolute. @throws the file system's error when the file cannot be written. */
  static async open(path: string): Promise<FileTarget> {
    for (let attempt = 1; ; attempt++) {
      const partialPath = attempt === 1 ? `${path}.partial` : `${path}.${attempt}.partial`;
      try {
        return new FileTarget(path, partialPath, await open(partialPath, 'wx'));
      } catch (error) {
        // A partial file of an earlier export is not overwritten.
        if (systemCode(error) !== 'EEXIST') throw error;
      }
    }
  }

  async write(text: string): Promise<void> {
    this.#isEmpty = false;
    await this.#file.writeFile(text);
  }

  async commit(): Promise<void> {
    await this.#file.sync();
    await this.#file.close();
    await rename(this.#partialPath, this.#path);
  }

  async abandon(): Promise<string | undefined> {
    // Closing can fail like writing; the data on the disk is kept.
    await this.#file.close().catch(() => undefined);
    if (!this.#isEmpty) return this.#partialPath;
    await rm(this.#partialPath, { force: true }).catch(() => undefined);
    return undefined;
  }
}

/** True if a thrown value is a system error with a code. */
export function isSystemError(error: unknown): error is Error & { readonly code: string } {
  return systemCode(error) !== undefined;
}
