import { join } from 'node:path';
import { hourMs } from '../../../base/time.ts';
import { originOf } from '../../../connections/common/connectionInput.ts';
import {
  foldJournal,
  isSettled,
  journalSchema,
  rememberedMs,
  withStaleOutcome,
  type JournalOwner,
  type Submission,
  type SubmissionOutcome,
} from '../../common/submission.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Log } from '../../../base/log.ts';
import { batchFolder, batchIds } from './batchFiles.ts';
import { isAlive } from './isAlive.ts';
import { JournalFolders } from './journalFolders.ts';
import { JournalSegments, type SegmentMark } from './journalSegments.ts';
import { UnreadRecords } from './unreadRecords.ts';
import { decodeRecords, entryRecord, findRecords, makeKey, timeOf, type WantedRecords } from './journalRecords.ts';

/**
 * Maximum number of settled entries per connection that are too old for a warning and that no stored batch needs; the oldest are deleted.
 * All other entries are kept, whatever their number, because without them a request could be sent twice.
 */
export const maxEntries = 500;
/** Pruning reads thousands of entries, so it does not run for each request. */
const pruneEveryMs = hourMs;

/** A connection's submissions, and the parts of its journal that could not be read. */
export interface JournalReading {
  /** Newest first. */
  readonly submissions: readonly Submission[];
  /** There are older submissions than the requested ones. */
  readonly hasOlder: boolean;
  /** Number of damaged records. They stay in the file; each damages only itself. */
  readonly damaged: number;
  /** Number of records written by a later version of the product. */
  readonly fromLaterVersion: number;
}

/** The submissions since a given time. */
export interface RecentSubmissions {
  /** Newest first. */
  readonly submissions: readonly Submission[];
  /** No submission of that time is missing: none is old enough to have been deleted, and no record is damaged. */
  readonly isComplete: boolean;
}

/** The facts about a submission before it is sent. */
export type NewSubmission = Omit<Submission, 'key' | 'connection' | 'origin' | 'sender' | 'outcome'>;

/**
 * The submissions of all windows, as append-only records: one before the request is sent, others for its outcome.
 * Readers merge them, so that windows need no lock and a less certain outcome never replaces a more certain one.
 * Contains no key, no body and no audio URL.
 */
export class Journal {
  /** Absolute path of the folder that only the journal uses; created when first written to. */
  readonly folder: string;
  readonly #folders: JournalFolders;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #unread: UnreadRecords;
  /** When each folder was last pruned. */
  readonly #prunedAtMs = new Map<string, number>();
  /** The positions of entries that this window has added and not settled yet. */
  readonly #added = new Map<string, { readonly folder: string; readonly mark: SegmentMark }>();

  readonly #changes: Emitter<void>;

  constructor(folder: string, clock: Pick<Clock, 'now'>, log: Log) {
    this.folder = folder;
    this.#folders = new JournalFolders(folder);
    this.#clock = clock;
    this.#log = log;
    this.#unread = new UnreadRecords('journal', log);
    this.#changes = new Emitter((error) => log.error(`journal: ${String(error)}`));
  }

  /** Fires when this journal has added a submission or recorded an outcome; not for records of other windows. */
  readonly onDidChange = (listener: () => void): Disposable => this.#changes.event(listener);

  /** Returns the folder for new files of a connection. */
  folderOf(owner: JournalOwner): string {
    return this.#folders.own(owner);
  }

  /** Returns all folders with files of a connection, including those of its former names. */
  foldersOf(owner: JournalOwner): Promise<readonly string[]> {
    return this.#folders.all(owner);
  }

  /** Keeps a connection's submissions after it was renamed. @throws NodeJS.ErrnoException */
  continueAs(former: JournalOwner, now: JournalOwner): Promise<void> {
    return this.#folders.continueAs(former, now);
  }

  /**
   * Writes an entry with the outcome `sending`. The request must not be sent before this has resolved.
   * @throws NodeJS.ErrnoException when it cannot be written.
   */
  async add(owner: JournalOwner, submission: NewSubmission): Promise<Submission> {
    const added: Submission = {
      ...submission,
      key: makeKey(submission.sentAtMs),
      connection: owner.name,
      origin: originOf(owner.baseUrl),
      sender: process.pid,
      outcome: { type: 'sending' },
    };
    await this.#folders.tighten();
    const folder = this.folderOf(owner);
    const mark = await segmentsIn(folder).append(this.#clock.now(), [entryRecord(added)]);
    this.#added.set(added.key, { folder, mark });
    this.#changes.fire();
    // The request does not wait for pruning, and a failure only leaves old entries.
    void this.#prune(owner).catch((error: unknown) => this.#log.warn(`journal: ${String(error)}`));
    return added;
  }

  /**
   * Records the outcome of a submission. A response of the service is not replaced by a less certain outcome, even if windows
   * write at the same time.
   * @returns the submission with its merged outcome.
   * @throws NodeJS.ErrnoException when it cannot be written; the entry then remains `sending`, which later counts as unknown.
   */
  async settle(owner: JournalOwner, submission: Submission, outcome: SubmissionOutcome): Promise<Submission> {
    const { key } = submission;
    const added = this.#added.get(key);
    const folder = added?.folder ?? (await this.#homeOf(owner, key));
    const record = { schema: journalSchema, type: 'outcome', key, outcome };
    await segmentsIn(folder).append(this.#clock.now(), [record]);
    this.#added.delete(key);
    this.#changes.fire();
    const known = added === undefined ? await this.#readFolder(folder) : await this.#readFrom(folder, added.mark);
    return known.submissions.get(key) ?? { ...submission, outcome };
  }

  /**
   * Reads submissions of a connection.
   * @param newest number of submissions to read, newest first; older ones are not parsed.
   */
  async read(owner: JournalOwner, newest = Infinity): Promise<JournalReading> {
    const readings = await this.#readFolders(owner, { newest });
    const submissions = this.#mergeSubmissions(readings);
    return {
      ...losses(readings),
      submissions: submissions.slice(0, newest),
      hasOlder: submissions.length > newest || readings.some(({ hasOlder }) => hasOlder),
    };
  }

  /** Returns the submissions since a given time, and whether they are complete. */
  async readSince(owner: JournalOwner, sinceMs: number): Promise<RecentSubmissions> {
    const folders = await this.foldersOf(owner);
    const readings = await Promise.all(folders.map((folder) => this.#readFolder(folder, { sinceMs })));
    const isWhole = readings.every(({ damaged, later }) => damaged + later === 0);
    return {
      submissions: this.#mergeSubmissions(readings),
      isComplete: isWhole && this.#clock.now() - sinceMs < rememberedMs,
    };
  }

  /**
   * Returns the submissions of the last day with one of these bodies or audio files; other records are not parsed.
   * @param hashes as in `Submission.bodyHash` and `Submission.audioHash`.
   */
  async readSame(owner: JournalOwner, hashes: ReadonlySet<string>): Promise<JournalReading> {
    const readings = await this.#readFolders(owner, { sinceMs: this.#clock.now() - rememberedMs, hashes });
    const submissions = this.#mergeSubmissions(readings).filter(
      ({ bodyHash, audioHash = '' }) => hashes.has(bodyHash) || hashes.has(audioHash),
    );
    return { ...losses(readings), submissions, hasOlder: false };
  }

  async #readFolders(owner: JournalOwner, wanted: WantedRecords): Promise<readonly FolderReading[]> {
    return Promise.all((await this.foldersOf(owner)).map((folder) => this.#readFolder(folder, wanted)));
  }

  #mergeSubmissions(readings: readonly FolderReading[]): readonly Submission[] {
    const nowMs = this.#clock.now();
    return readings
      .flatMap(({ submissions }) => [...submissions.values()])
      .map((each) => (each.outcome.type === 'sending' ? withStaleOutcome(each, nowMs, isAlive(each.sender)) : each))
      .sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0));
  }

  async #readFolder(folder: string, wanted: WantedRecords = {}): Promise<FolderReading> {
    const { sinceMs = 0 } = wanted;
    const submissions = new Map<string, Submission>();
    const { records, damaged, hasOlder } = await findRecords(segmentsIn(folder), wanted);
    const decoded = decodeRecords(records);
    const lost = foldJournal(submissions, decoded.records);
    // Entries of older outcomes may have been deleted, or were not requested.
    const recentMs = hasOlder ? Infinity : Math.max(sinceMs, this.#clock.now() - rememberedMs);
    const missing = [...lost].filter((key) => timeOf(key) >= recentMs).length;
    const count = damaged + decoded.damaged + missing;
    this.#unread.note(folder, { damaged: count, later: decoded.later });
    return { submissions, hasOlder, damaged: count, later: decoded.later };
  }

  async #readFrom(folder: string, mark: SegmentMark): Promise<Pick<FolderReading, 'submissions'>> {
    const submissions = new Map<string, Submission>();
    foldJournal(submissions, decodeRecords((await segmentsIn(folder).readFrom(mark)).records).records);
    return { submissions };
  }

  /** Returns the folder of an entry. Its outcome is written there even if the connection has been renamed. */
  async #homeOf(owner: JournalOwner, key: string): Promise<string> {
    for (const folder of await this.foldersOf(owner)) {
      if ((await this.#readFolder(folder)).submissions.has(key)) return folder;
    }
    return this.folderOf(owner);
  }

  async #prune(owner: JournalOwner): Promise<void> {
    const folder = this.folderOf(owner);
    const nowMs = this.#clock.now();
    if (nowMs - (this.#prunedAtMs.get(folder) ?? -Infinity) < pruneEveryMs) return;
    this.#prunedAtMs.set(folder, nowMs);
    const segments = segmentsIn(folder);
    const isOld = ({ sentAtMs }: Submission): boolean => sentAtMs <= nowMs - rememberedMs;
    const old = await segments.namesBefore(nowMs - rememberedMs);
    if (old.length === 0) return;
    const { submissions, damaged, later } = await this.#readFolder(folder);
    // Damaged files are kept, because someone may be able to repair them.
    if (damaged + later > 0) return;
    const isNeeded = neededByBatches(
      submissions,
      new Set(await batchIds(...(await this.foldersOf(owner)).map(batchFolder))),
    );
    const settled = [...submissions.values()].filter((each) => isOld(each) && isSettled(each) && !isNeeded(each));
    const surplus = new Set(settled.sort((a, b) => (a.key < b.key ? 1 : -1)).slice(maxEntries));
    if (surplus.size === 0) return;
    // Appended before the old files are deleted: a reader may see records twice, but never misses one.
    const kept = [...submissions.values()].filter((each) => isOld(each) && !surplus.has(each));
    if (kept.length > 0) await segments.append(nowMs, kept.map(entryRecord));
    await segments.remove(old);
  }
}

/** Returns whether an entry is of one of these batches, or repeats a job of one. */
function neededByBatches(
  submissions: ReadonlyMap<string, Submission>,
  batches: ReadonlySet<string>,
): (submission: Submission) => boolean {
  const isOf = ({ batch }: Submission): boolean => batch !== undefined && batches.has(batch);
  const jobs = new Set<string>();
  for (const each of submissions.values())
    if (isOf(each) && each.outcome.type === 'accepted' && each.outcome.id !== undefined) jobs.add(each.outcome.id);
  return (each) => isOf(each) || (each.replaces !== undefined && jobs.has(each.replaces));
}

/** The contents of a folder. */
interface FolderReading {
  readonly submissions: ReadonlyMap<string, Submission>;
  readonly hasOlder: boolean;
  readonly damaged: number;
  readonly later: number;
}

function segmentsIn(folder: string): JournalSegments {
  return new JournalSegments(join(folder, 'journal'));
}

/** Returns the number of records in some folders that cannot be read. */
function losses(readings: readonly FolderReading[]): Pick<JournalReading, 'damaged' | 'fromLaterVersion'> {
  return {
    damaged: readings.reduce((sum, { damaged }) => sum + damaged, 0),
    fromLaterVersion: readings.reduce((sum, { later }) => sum + later, 0),
  };
}
