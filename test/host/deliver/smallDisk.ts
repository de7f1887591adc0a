import type * as vscode from 'vscode';
import { MemoryFiles } from '../browse/memoryFiles.ts';

/** A file system without renaming, whose disk may be full. Its only folder exists. */
export class SmallDisk {
  readonly #files = new MemoryFiles();
  isFull = false;

  get provider(): vscode.FileSystemProvider {
    const files = this.#files;
    return {
      onDidChangeFile: files.onDidChangeFile,
      watch: () => files.watch(),
      stat: (uri) => files.stat(uri),
      readFile: (uri) => files.readFile(uri),
      readDirectory: () => files.readDirectory(),
      delete: (uri) => files.delete(uri),
      createDirectory: () => files.createDirectory(),
      rename: () => files.rename(),
      // Rejects, as file systems of the editor do. After a `throw`, the editor would never write the file again.
      writeFile: async (uri, content) => {
        await Promise.resolve();
        if (this.isFull) throw new Error('ENOSPC: no space left on device, write');
        files.writeFile(uri, content);
      },
    };
  }

  /** Names of all files. */
  get names(): readonly string[] {
    return this.#files.readDirectory().map(([name]) => name);
  }
}
