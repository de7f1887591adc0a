import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../../src/base/failure.ts';
import type { DeliveryFolder } from '../../../src/features/deliver/node/deliverer.ts';

const existing = <T>(promise: Promise<T>): Promise<T | undefined> =>
  promise.catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw error;
    return undefined;
  });

/** A folder on the disk, with the editor's way of renaming: it looks for the new name first. */
export class DiskFolder implements DeliveryFolder {
  readonly #path: string;
  /** Called before and after each change, with its name. */
  readonly #observe: (moment: string) => void;

  constructor(path: string, observe: (moment: string) => void = () => undefined) {
    this.#path = path;
    this.#observe = observe;
  }

  async names(): Promise<readonly string[]> {
    await mkdir(this.#path, { recursive: true });
    return readdir(this.#path);
  }

  read(name: string): Promise<Uint8Array | undefined> {
    return existing(readFile(join(this.#path, name)));
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    this.#observe('write');
    await writeFile(join(this.#path, name), content, { flag: 'wx' });
  }

  async rename(from: string, to: string): Promise<boolean> {
    this.#observe('rename');
    if ((await existing(stat(join(this.#path, to)))) !== undefined) return false;
    await rename(join(this.#path, from), join(this.#path, to));
    this.#observe('renamed');
    return true;
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.#path, name), { force: true });
  }
}
