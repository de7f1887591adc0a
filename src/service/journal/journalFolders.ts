import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { originOf } from '../../domain/connection/connectionInput.ts';
import type { JournalOwner } from '../../domain/submission/submission.ts';
import { digest } from '../ports.ts';
import { namesIn, privateFile, privateFolder } from './journalSegments.ts';

/**
 * The folders in which the submissions of connections are kept: one per name and origin. A connection that was renamed writes into
 * the one of its new name and reads the former ones, too: nothing is moved, so that a window that still knows it by its former name
 * can write down there what becomes of a request.
 */
export class JournalFolders {
  readonly #root: string;

  /** @param root absolute path of a folder that only the journal uses. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Where a connection's new files go. */
  own({ name, baseUrl }: JournalOwner): string {
    return join(this.#root, digest(`${name}\n${originOf(baseUrl)}`).slice(0, 24));
  }

  /** All folders that have files of a connection, its own first. */
  async all(owner: JournalOwner): Promise<readonly string[]> {
    const own = this.own(owner);
    const names = (await namesIn(join(own, 'former'))).filter((name) => /^[\da-f]{24}$/.test(name));
    return [own, ...names.map((name) => join(this.#root, name))];
  }

  /**
   * Lets a connection keep the files that it has under another name. Another service's are none of its own.
   * @throws NodeJS.ErrnoException when it cannot be written down.
   */
  async continueAs(former: JournalOwner, now: JournalOwner): Promise<void> {
    if (originOf(former.baseUrl) !== originOf(now.baseUrl)) return;
    const own = this.own(now);
    const earlier = (await this.all(former)).filter((folder) => folder !== own);
    await mkdir(join(own, 'former'), { recursive: true, mode: privateFolder });
    // A file for each, empty: windows that write at once lose none.
    await Promise.all(
      earlier.map((folder) => writeFile(join(own, 'former', basename(folder)), '', { mode: privateFile })),
    );
  }
}
