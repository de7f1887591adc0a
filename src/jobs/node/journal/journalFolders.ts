import type { Dirent } from 'node:fs';
import { chmod, lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { originOf } from '../../../connections/common/connectionInput.ts';
import type { JournalOwner } from '../../common/submission.ts';
import { digest } from '../../../base/digest.ts';
import { namesIn, privateFile, privateFolder } from './journalSegments.ts';

/**
 * The folders of submissions, one per connection name and origin. A renamed connection writes to the folder of its new
 * name and also reads those of former names. Nothing is moved, so that a window that still uses the former name can
 * write outcomes there.
 */
export class JournalFolders {
  readonly #root: string;
  #tightening: Promise<void> | undefined;

  /** @param root absolute path of a folder that only the journal uses. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Returns the folder for new files of a connection. */
  own({ name, baseUrl }: JournalOwner): string {
    return join(this.#root, digest(`${name}\n${originOf(baseUrl)}`).slice(0, 24));
  }

  /** Returns all folders with files of a connection, its own first. */
  async all(owner: JournalOwner): Promise<readonly string[]> {
    await this.tighten();
    const own = this.own(owner);
    const names = (await namesIn(join(own, 'former'))).filter((name) => /^[\da-f]{24}$/.test(name));
    return [own, ...names.map((name) => join(this.#root, name))];
  }

  /**
   * Removes other users' access to the files, which earlier versions or someone else may have granted. Runs once. Has
   * no effect on a file system without such modes.
   */
  tighten(): Promise<void> {
    return (this.#tightening ??= tightenModes(this.#root));
  }

  /**
   * Keeps a connection's files after it was renamed. Does nothing when the origin has changed, because that is another
   * service.
   * @throws NodeJS.ErrnoException when it cannot be written.
   */
  async continueAs(former: JournalOwner, now: JournalOwner): Promise<void> {
    if (originOf(former.baseUrl) !== originOf(now.baseUrl)) return;
    const own = this.own(now);
    const earlier = (await this.all(former)).filter((folder) => folder !== own);
    await mkdir(join(own, 'former'), { recursive: true, mode: privateFolder });
    // An empty file for each former folder, so that windows that write at the same time do not overwrite each other's files.
    await Promise.all(
      earlier.map((folder) => writeFile(join(own, 'former', basename(folder)), '', { mode: privateFile })),
    );
  }
}

/** Permissions of the group and of others. */
const ofOthers = 0o077;

/**
 * Makes a folder and its contents accessible to this account only. Skips links, files of other accounts, and files that are deleted at the
 * same time. Never throws.
 */
export async function tightenModes(folder: string): Promise<void> {
  // The folder first, so that nobody else can access its contents from then on.
  await tighten(folder, privateFolder);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((): Dirent[] => []);
  for (const entry of entries) {
    if (!entry.isFile() && !entry.isDirectory()) continue;
    await tighten(join(entry.parentPath, entry.name), entry.isDirectory() ? privateFolder : privateFile);
  }
}

async function tighten(path: string, mode: number): Promise<void> {
  try {
    const found = await lstat(path);
    if ((found.mode & ofOthers) !== 0 && !found.isSymbolicLink()) await chmod(path, mode);
  } catch {
    // Deleted, or owned by another account.
  }
}
