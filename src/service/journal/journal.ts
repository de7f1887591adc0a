import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, readdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { originOf } from '../../domain/connection/connectionInput.ts';
import {
  journalSchema,
  withStaleOutcome,
  isSettled,
  type JournalOwner,
  type Submission,
  type SubmissionOutcome,
  rememberedMs,
} from '../../domain/submission/submission.ts';
import { Emitter } from '../emitter.ts';
import { type Log, systemCode, digest } from '../ports.ts';
import type { Clock } from '../clock.ts';
import { replaceFile, mapInChunks, isAlive, readEntry } from './entryFile.ts';

/**
 * Entries that are kept per connection for the record alone: settled, and too old to be warned of. The oldest go first. All others
 * stay, however many they are, because to forget one may be to send a request twice.
 */
export const mostEntries = 500;
/** Looking through a folder of thousands is not for every request. */
const pruneEveryMs = 3_600_000;

/** A connection's submissions, and what in its folder could not be read. */
export interface JournalReading {
  /** The newest first. */
  readonly submissions: readonly Submission[];
  /** Paths of broken files, where they lie now. */
  readonly quarantined: readonly string[];
  /** How many entries a later version of the product has written. */
  readonly fromLaterVersion: number;
}

/** What is known of a submission before it is sent. */
export type NewSubmission = Omit<Submission, 'key' | 'connection' | 'origin' | 'sender' | 'outcome'>;

/**
 * What was submitted, over all windows: one small file per entry, so that two windows never write the same file unless
 * they settle the same entry, and a crash loses nothing. Holds no key, no body and no URL of audio.
 */
export class Journal {
  readonly #folders: JournalFolders;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #changes = new Emitter<void>((error) => this.#log.error(`journal: ${String(error)}`));
  /** When each folder was last looked through for what may go. */
  readonly #prunedAtMs = new Map<string, number>();

  /** @param folder absolute path of a folder that only the journal uses; made when there is something to write. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, log: Log) {
    this.#folders = new JournalFolders(folder);
    this.#clock = clock;
    this.#log = log;
  }

  /** Something was written in this window. */
  readonly onDidChange = this.#changes.event;

  /** Where the files of a connection are that are written now. */
  folderOf(owner: JournalOwner): string {
    return this.#folders.own(owner);
  }

  /** Where files of a connection are, those of its former names included. */
  foldersOf(owner: JournalOwner): Promise<readonly string[]> {
    return this.#folders.all(owner);
  }

  /** Lets a connection keep its submissions under a new name. @throws NodeJS.ErrnoException */
  continueAs(former: JournalOwner, now: JournalOwner): Promise<void> {
    return this.#folders.continueAs(former, now);
  }

  /**
   * Writes an entry that says `sending`. Only when this has come back may the request leave.
   * @throws NodeJS.ErrnoException when it cannot be written.
   */
  async add(owner: JournalOwner, submission: NewSubmission): Promise<Submission> {
    const added: Submission = {
      ...submission,
      key: `${String(submission.sentAtMs).padStart(15, '0')}-${randomUUID()}`,
      connection: owner.name,
      origin: originOf(owner.baseUrl),
      sender: process.pid,
      outcome: { type: 'sending' },
    };
    await this.#write(join(this.folderOf(owner), 'entries', `${added.key}.json`), added);
    // The request does not wait for it; that older ones stay for once harms nobody.
    void this.#prune(owner).catch((error: unknown) => this.#log.warn(`journal: ${String(error)}`));
    return added;
  }

  /**
   * Writes down what became of a submission. What the service itself has said is not overwritten by less.
   * @throws NodeJS.ErrnoException when it cannot be written; the entry then says `sending`, which is soon read as unknown.
   */
  async settle(owner: JournalOwner, submission: Submission, outcome: SubmissionOutcome): Promise<Submission> {
    const path = await this.#pathOf(owner, submission.key);
    const now = await readEntry(path, this.#log);
    if (now.type === 'entry' && now.submission.outcome.type === 'accepted') {
      const { id, status } = now.submission.outcome;
      if (outcome.type !== 'accepted' || id !== undefined) return now.submission;
      return this.#write(path, { ...submission, outcome: { ...outcome, status } });
    }
    return this.#write(path, { ...submission, outcome });
  }

  /** Reads a connection's entries. A broken file is moved into the folder `broken`, where nothing overwrites it. */
  async read(owner: JournalOwner): Promise<JournalReading> {
    const paths = await this.#paths(owner, 'entries');
    const readings = await mapInChunks(paths, (path) => readEntry(path, this.#log));
    const nowMs = this.#clock.now();
    const submissions = readings
      .flatMap((reading) => (reading.type === 'entry' ? [reading.submission] : []))
      .map((submission) => withStaleOutcome(submission, nowMs, isAlive(submission.sender)));
    const broken = paths.filter((_path, index) => readings[index]?.type === 'broken');
    return {
      submissions: submissions.toReversed(),
      quarantined: await Promise.all(broken.map((path) => this.#setAside(path))),
      fromLaterVersion: readings.filter(({ type }) => type === 'later').length,
    };
  }

  /**
   * What was submitted since a moment. Undefined when some of it may be missing here: it is that long ago that entries may be gone,
   * or there are some that cannot be read.
   */
  async readSince(owner: JournalOwner, sinceMs: number): Promise<readonly Submission[] | undefined> {
    if (this.#clock.now() - sinceMs >= rememberedMs) return undefined;
    const { submissions, fromLaterVersion } = await this.read(owner);
    const broken = (await this.#paths(owner, 'broken')).filter((path) => timeOf(path) >= sinceMs);
    return fromLaterVersion > 0 || broken.length > 0 ? undefined : submissions;
  }

  async #write(path: string, submission: Submission): Promise<Submission> {
    await replaceFile(path, JSON.stringify({ schema: journalSchema, ...submission }));
    this.#changes.fire();
    return submission;
  }

  async #setAside(path: string): Promise<string> {
    const folder = join(dirname(path), '..', 'broken');
    const target = join(folder, basename(path));
    await mkdir(folder, { recursive: true });
    await rename(path, target).catch((error: unknown) => {
      // Another window has done it.
      if (systemCode(error) !== 'ENOENT') throw error;
    });
    return target;
  }

  async #prune(owner: JournalOwner): Promise<void> {
    const folder = this.folderOf(owner);
    const nowMs = this.#clock.now();
    if (nowMs - (this.#prunedAtMs.get(folder) ?? -Infinity) < pruneEveryMs) return;
    this.#prunedAtMs.set(folder, nowMs);
    // Names begin with the time, so that what is young needs no reading.
    const old = (await this.#paths(owner, 'entries')).filter((path) => timeOf(path) <= nowMs - rememberedMs);
    if (old.length <= mostEntries) return;
    const readings = await mapInChunks(old, (path) => readEntry(path, this.#log));
    const settled = old.filter((_path, index) => {
      const reading = readings[index];
      return reading?.type === 'entry' && isSettled(reading.submission);
    });
    const surplus = settled.slice(0, Math.max(0, settled.length - mostEntries));
    await mapInChunks(surplus, (path) => rm(path, { force: true }));
  }

  /** The files of a connection in one of its kinds of folder, the oldest first. */
  async #paths(owner: JournalOwner, kind: 'entries' | 'broken'): Promise<readonly string[]> {
    const folders = (await this.foldersOf(owner)).map((folder) => join(folder, kind));
    const paths = await Promise.all(
      folders.map(async (folder) => (await namesIn(folder)).map((name) => join(folder, name))),
    );
    // Names begin with the time.
    return paths
      .flat()
      .filter((path) => path.endsWith('.json'))
      .sort((a, b) => (basename(a) < basename(b) ? -1 : 1));
  }

  /** Where an entry is: it stays where it was written, whatever its connection is called now. */
  async #pathOf(owner: JournalOwner, key: string): Promise<string> {
    const paths = (await this.foldersOf(owner)).map((folder) => join(folder, 'entries', `${key}.json`));
    for (const path of paths) if ((await readEntry(path, this.#log)).type !== 'gone') return path;
    return join(this.folderOf(owner), 'entries', `${key}.json`);
  }
}

/** When the submission of an entry was sent; `NaN` for a name that is none of ours. */
function timeOf(path: string): number {
  return Number.parseInt(basename(path), 10);
}

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
    await mkdir(join(own, 'former'), { recursive: true });
    // A file for each, empty: windows that write at once lose none.
    await Promise.all(earlier.map((folder) => writeFile(join(own, 'former', basename(folder)), '')));
  }
}

/** The names in a folder, sorted; none when it is not there. @throws NodeJS.ErrnoException when it cannot be read. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
