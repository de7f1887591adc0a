import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Undecodable } from '../../domain/decoder.ts';
import { originOf } from '../../domain/baseUrl.ts';
import { decodeSubmission, journalSchema, schemaOf } from '../../domain/submission/decodeSubmission.ts';
import {
  asUnderstood,
  isSettled,
  type JournalOwner,
  type Submission,
  type SubmissionOutcome,
} from '../../domain/submission/submission.ts';
import { rememberedMs } from '../../domain/submission/sameBody.ts';
import { Emitter } from '../emitter.ts';
import type { Clock, Log } from '../ports.ts';
import { systemCode } from '../systemCode.ts';
import { replaceFile } from './entryFile.ts';
import { inTurns } from './inTurns.ts';
import { isAlive } from './isAlive.ts';

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
  readonly setAside: readonly string[];
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
  readonly #folder: string;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #changes = new Emitter<void>((error) => this.#log.error(`journal: ${String(error)}`));
  /** When each folder was last looked through for what may go. */
  readonly #prunedAtMs = new Map<string, number>();

  /** @param folder absolute path of a folder that only the journal uses; made when there is something to write. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, log: Log) {
    this.#folder = folder;
    this.#clock = clock;
    this.#log = log;
  }

  /** Something was written in this window. */
  readonly onDidChange = this.#changes.event;

  /** Where the files of a connection are. */
  folderOf({ name, baseUrl }: JournalOwner): string {
    const digest = createHash('sha256')
      .update(`${name}\n${originOf(baseUrl)}`)
      .digest('hex');
    return join(this.#folder, digest.slice(0, 24));
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
    await this.#write(owner, added);
    // The request does not wait for it; that older ones stay for once harms nobody.
    void this.#prune(owner).catch((error: unknown) => this.#log.warn(`journal: ${String(error)}`));
    return added;
  }

  /**
   * Writes down what became of a submission. What the service itself has said is not overwritten by less.
   * @throws NodeJS.ErrnoException when it cannot be written; the entry then says `sending`, which is soon read as unknown.
   */
  async settle(owner: JournalOwner, submission: Submission, outcome: SubmissionOutcome): Promise<Submission> {
    const now = await this.#read(this.#path(owner, submission.key));
    if (now.type === 'entry' && now.submission.outcome.type === 'accepted') {
      const { id, status } = now.submission.outcome;
      if (outcome.type !== 'accepted' || id !== undefined) return now.submission;
      return this.#rewrite(owner, { ...submission, outcome: { ...outcome, status } });
    }
    return this.#rewrite(owner, { ...submission, outcome });
  }

  /** Reads a connection's entries. A broken file is moved into the folder `broken`, where nothing overwrites it. */
  async read(owner: JournalOwner): Promise<JournalReading> {
    const folder = this.#entries(owner);
    const names = await entryNames(folder);
    const readings = await inTurns(names, (name) => this.#read(join(folder, name)));
    const nowMs = this.#clock.now();
    const submissions = readings
      .flatMap((reading) => (reading.type === 'entry' ? [reading.submission] : []))
      .map((submission) => asUnderstood(submission, nowMs, isAlive(submission.sender)));
    const broken = names.filter((_name, index) => readings[index]?.type === 'broken');
    return {
      submissions: submissions.toReversed(),
      setAside: await Promise.all(broken.map((name) => this.#setAside(owner, name))),
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
    const broken = (await entryNames(join(this.folderOf(owner), 'broken'))).filter((name) => timeOf(name) >= sinceMs);
    return fromLaterVersion > 0 || broken.length > 0 ? undefined : submissions;
  }

  async #read(path: string): Promise<Reading> {
    let text: string;
    try {
      text = await readFile(path, 'utf8');
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') this.#log.warn(`journal: ${path}: ${String(error)}`);
      // Pruned by another window, or not ours to read: nothing to set aside.
      return { type: 'gone' };
    }
    try {
      const value: unknown = JSON.parse(text);
      if (schemaOf(value) > journalSchema) return { type: 'later' };
      // The name counts: what the content says could lead to another file.
      return { type: 'entry', submission: { ...decodeSubmission(value), key: basename(path, '.json') } };
    } catch (error) {
      if (!(error instanceof SyntaxError || error instanceof Undecodable)) throw error;
      this.#log.warn(`journal: ${path}: ${error instanceof Undecodable ? error.message : 'not JSON'}`);
      return { type: 'broken' };
    }
  }

  async #rewrite(owner: JournalOwner, submission: Submission): Promise<Submission> {
    await this.#write(owner, submission);
    return submission;
  }

  async #write(owner: JournalOwner, submission: Submission): Promise<void> {
    await replaceFile(this.#path(owner, submission.key), JSON.stringify({ schema: journalSchema, ...submission }));
    this.#changes.fire();
  }

  async #setAside(owner: JournalOwner, name: string): Promise<string> {
    const target = join(this.folderOf(owner), 'broken', name);
    await mkdir(join(this.folderOf(owner), 'broken'), { recursive: true });
    await rename(join(this.#entries(owner), name), target).catch((error: unknown) => {
      // Another window has done it.
      if (systemCode(error) !== 'ENOENT') throw error;
    });
    return target;
  }

  async #prune(owner: JournalOwner): Promise<void> {
    const folder = this.#entries(owner);
    const nowMs = this.#clock.now();
    if (nowMs - (this.#prunedAtMs.get(folder) ?? -Infinity) < pruneEveryMs) return;
    this.#prunedAtMs.set(folder, nowMs);
    // Names begin with the time, so that what is young needs no reading.
    const old = (await entryNames(folder)).filter((name) => timeOf(name) <= nowMs - rememberedMs);
    if (old.length <= mostEntries) return;
    const readings = await inTurns(old, (name) => this.#read(join(folder, name)));
    const settled = old.filter((_name, index) => {
      const reading = readings[index];
      return reading?.type === 'entry' && isSettled(reading.submission);
    });
    const surplus = settled.slice(0, Math.max(0, settled.length - mostEntries));
    await inTurns(surplus, (name) => rm(join(folder, name), { force: true }));
  }

  #entries(owner: JournalOwner): string {
    return join(this.folderOf(owner), 'entries');
  }

  #path(owner: JournalOwner, key: string): string {
    return join(this.#entries(owner), `${key}.json`);
  }
}

type Reading =
  | { readonly type: 'entry'; readonly submission: Submission }
  | { readonly type: 'broken' }
  | { readonly type: 'later' }
  | { readonly type: 'gone' };

/** The oldest first. */
async function entryNames(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** When the submission of an entry was sent; `NaN` for a name that is none of ours. */
function timeOf(name: string): number {
  return Number.parseInt(name, 10);
}
