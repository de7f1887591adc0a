import { randomUUID } from 'node:crypto';
import { basename, join } from 'node:path';
import { originOf } from '../../domain/connection/connectionInput.ts';
import { attempt, Undecodable } from '../../domain/decode/decoder.ts';
import { parseJson } from '../../domain/json/json.ts';
import {
  decodeJournalRecord,
  foldJournal,
  isSettled,
  journalSchema,
  rememberedMs,
  schemaOf,
  withStaleOutcome,
  type JournalOwner,
  type JournalRecord,
  type Submission,
  type SubmissionOutcome,
} from '../../domain/submission/submission.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../ports.ts';
import { rm } from 'node:fs/promises';
import { isAlive, mapInChunks, readEntry, removeUnfinishedEntries, setEntryAside } from './entryFile.ts';
import { JournalFolders } from './journalFolders.ts';
import { JournalSegments, namesIn, type SegmentMark } from './journalSegments.ts';
import type { RecordReading } from './recordLine.ts';

/**
 * Entries that are kept per connection for the record alone: settled, and too old to be warned of. The oldest go first. All others
 * stay, however many they are, because to forget one may be to send a request twice.
 */
export const mostEntries = 500;
/** Looking through thousands of entries is not for every request. */
const pruneEveryMs = 3_600_000;

/** A connection's submissions, and what of its journal could not be read. */
export interface JournalReading {
  /** The newest first. */
  readonly submissions: readonly Submission[];
  /** Paths of broken files of version 0.1.0, where they lie now. */
  readonly quarantined: readonly string[];
  /** Records that are not as they were written. They stay where they are; each is lost alone. */
  readonly damaged: number;
  /** How many records a later version of the product has written. */
  readonly fromLaterVersion: number;
}

/** What was submitted since a moment. */
export interface RecentSubmissions {
  /** The newest first. */
  readonly submissions: readonly Submission[];
  /** Nothing of that time can be missing: none of it is so old that it may have been let go, and all records are as they were written. */
  readonly isComplete: boolean;
}

/** What is known of a submission before it is sent. */
export type NewSubmission = Omit<Submission, 'key' | 'connection' | 'origin' | 'sender' | 'outcome'>;

/**
 * What was submitted, over all windows, as records that are only ever added: the submission before it leaves, then what became of it.
 * Whoever reads puts them together, so that windows need no lock and what says less never hides what says more. Holds no key, no body
 * and no URL of audio.
 */
export class Journal {
  readonly #folders: JournalFolders;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  /** When each folder was last looked through for what may go. */
  readonly #prunedAtMs = new Map<string, number>();
  /** Where the entries are that this window has added and not settled yet. */
  readonly #added = new Map<string, { readonly folder: string; readonly mark: SegmentMark }>();

  /** @param folder absolute path of a folder that only the journal uses; made when there is something to write. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, log: Log) {
    this.#folders = new JournalFolders(folder);
    this.#clock = clock;
    this.#log = log;
  }

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
    const folder = this.folderOf(owner);
    const mark = await segmentsIn(folder).append(this.#clock.now(), [entryRecord(added)]);
    this.#added.set(added.key, { folder, mark });
    // The request does not wait for it; that older ones stay for once harms nobody.
    void this.#prune(folder).catch((error: unknown) => this.#log.warn(`journal: ${String(error)}`));
    return added;
  }

  /**
   * Writes down what became of a submission. What the service itself has said is not overwritten by less, whoever writes at the same time.
   * @returns what is known of it now.
   * @throws NodeJS.ErrnoException when it cannot be written; the entry then says `sending`, which is soon read as unknown.
   */
  async settle(owner: JournalOwner, submission: Submission, outcome: SubmissionOutcome): Promise<Submission> {
    const { key } = submission;
    const added = this.#added.get(key);
    const folder = added?.folder ?? (await this.#homeOf(owner, key));
    const record = { schema: journalSchema, type: 'outcome', key, outcome };
    await segmentsIn(folder).append(this.#clock.now(), [record]);
    this.#added.delete(key);
    const known = added === undefined ? await this.#readFolder(folder) : await this.#readFrom(folder, added.mark);
    return known.submissions.get(key) ?? { ...submission, outcome };
  }

  /** Reads all of a connection's submissions. A broken file of version 0.1.0 is set aside. */
  async read(owner: JournalOwner): Promise<JournalReading> {
    const readings = await Promise.all((await this.foldersOf(owner)).map((folder) => this.#readFolder(folder)));
    return {
      submissions: this.#asUnderstood(readings),
      quarantined: (await Promise.all(readings.flatMap(({ broken }) => broken.map(setEntryAside)))).sort(),
      damaged: sum(readings.map(({ damaged }) => damaged)),
      fromLaterVersion: sum(readings.map(({ later }) => later)),
    };
  }

  /** What was submitted since a moment, and whether that is all. */
  async readSince(owner: JournalOwner, sinceMs: number): Promise<RecentSubmissions> {
    const folders = await this.foldersOf(owner);
    const readings = await Promise.all(folders.map((folder) => this.#readFolder(folder, { sinceMs })));
    // What was set aside before is missed all the same.
    const aside = await Promise.all(folders.map((folder) => namesIn(join(folder, 'broken'))));
    const isWhole = readings.every(({ damaged, later, broken }) => damaged + later + broken.length === 0);
    return {
      submissions: this.#asUnderstood(readings),
      isComplete:
        isWhole &&
        this.#clock.now() - sinceMs < rememberedMs &&
        aside.flat().every((name) => !(timeOf(name) >= sinceMs)),
    };
  }

  /**
   * The submissions of the last day that had one of some bodies, found without reading what any other says.
   * @param bodyHashes as in `Submission.bodyHash`.
   */
  async readSameBodies(owner: JournalOwner, bodyHashes: ReadonlySet<string>): Promise<JournalReading> {
    const sinceMs = this.#clock.now() - rememberedMs;
    const folders = await this.foldersOf(owner);
    const readings = await Promise.all(folders.map((folder) => this.#readFolder(folder, { sinceMs, bodyHashes })));
    return {
      submissions: this.#asUnderstood(readings).filter(({ bodyHash }) => bodyHashes.has(bodyHash)),
      quarantined: (await Promise.all(readings.flatMap(({ broken }) => broken.map(setEntryAside)))).sort(),
      damaged: sum(readings.map(({ damaged }) => damaged)),
      fromLaterVersion: sum(readings.map(({ later }) => later)),
    };
  }

  #asUnderstood(readings: readonly FolderReading[]): readonly Submission[] {
    const nowMs = this.#clock.now();
    return readings
      .flatMap(({ submissions }) => [...submissions.values()])
      .map((each) => (each.outcome.type === 'sending' ? withStaleOutcome(each, nowMs, isAlive(each.sender)) : each))
      .sort((a, b) => (a.key < b.key ? 1 : a.key > b.key ? -1 : 0));
  }

  async #readFolder(folder: string, wanted: Wanted = {}): Promise<FolderReading> {
    const { sinceMs = 0, bodyHashes } = wanted;
    const names = (await namesIn(join(folder, 'entries'))).filter((name) => name.endsWith('.json'));
    // Names begin with the time, so that what is old needs no reading.
    const paths = names.filter((name) => !(timeOf(name) < sinceMs)).map((name) => join(folder, 'entries', name));
    const entries = await mapInChunks(paths, (path) => readEntry(path, this.#log));
    const submissions = new Map(
      entries.flatMap((entry) => (entry.type === 'entry' ? [[entry.submission.key, entry.submission] as const] : [])),
    );
    const { records, damaged } = await recordsOf(folder, sinceMs, bodyHashes, [...submissions.keys()]);
    const told = decoded(records);
    const lost = foldJournal(submissions, told.records);
    // Of what is older the entry may have been let go.
    const recentMs = Math.max(sinceMs, this.#clock.now() - rememberedMs);
    const missing = [...lost].filter((key) => timeOf(key) >= recentMs).length;
    const count = damaged + told.damaged + missing;
    if (count > 0) this.#log.warn(`journal: ${folder}: ${count} damaged records`);
    return {
      submissions,
      damaged: count,
      later: told.later + entries.filter(({ type }) => type === 'later').length,
      broken: paths.filter((_path, index) => entries[index]?.type === 'broken'),
    };
  }

  async #readFrom(folder: string, mark: SegmentMark): Promise<Pick<FolderReading, 'submissions'>> {
    const submissions = new Map<string, Submission>();
    foldJournal(submissions, decoded((await segmentsIn(folder).readFrom(mark)).records).records);
    return { submissions };
  }

  /** Where an entry is: what becomes of it stays beside it, whatever its connection is called now. */
  async #homeOf(owner: JournalOwner, key: string): Promise<string> {
    for (const folder of await this.foldersOf(owner)) {
      if ((await this.#readFolder(folder)).submissions.has(key)) return folder;
    }
    return this.folderOf(owner);
  }

  async #prune(folder: string): Promise<void> {
    const nowMs = this.#clock.now();
    if (nowMs - (this.#prunedAtMs.get(folder) ?? -Infinity) < pruneEveryMs) return;
    this.#prunedAtMs.set(folder, nowMs);
    await removeUnfinishedEntries(join(folder, 'entries'), nowMs);
    const segments = segmentsIn(folder);
    const isOld = ({ sentAtMs }: Submission): boolean => sentAtMs <= nowMs - rememberedMs;
    const old = await segments.namesBefore(nowMs - rememberedMs);
    const files = (await namesIn(join(folder, 'entries'))).filter((name) => timeOf(name) <= nowMs - rememberedMs);
    if (old.length === 0 && files.length <= mostEntries) return;
    const { submissions, damaged, later } = await this.#readFolder(folder);
    // What cannot be read may still be of use to whoever mends it.
    if (damaged + later > 0) return;
    const settled = [...submissions.values()].filter((each) => isOld(each) && isSettled(each));
    const surplus = new Set(settled.sort((a, b) => (a.key < b.key ? 1 : -1)).slice(mostEntries));
    if (surplus.size === 0) return;
    // Added once more before the files go: a reader meets them twice rather than never.
    const kept = [...submissions.values()].filter((each) => isOld(each) && !surplus.has(each));
    if (old.length > 0 && kept.length > 0) await segments.append(nowMs, kept.map(entryRecord));
    await segments.remove(old);
    const isSurplus = new Set([...surplus].map(({ key }) => `${key}.json`));
    const gone = files.filter((name) => isSurplus.has(name)).map((name) => join(folder, 'entries', name));
    await mapInChunks(gone, (path) => rm(path, { force: true }));
  }
}

/** What is looked for; all when left out. */
interface Wanted {
  readonly sinceMs?: number;
  readonly bodyHashes?: ReadonlySet<string>;
}

/** What a folder holds. */
interface FolderReading {
  readonly submissions: ReadonlyMap<string, Submission>;
  readonly damaged: number;
  readonly later: number;
  /** Paths of broken files. */
  readonly broken: readonly string[];
}

function segmentsIn(folder: string): JournalSegments {
  return new JournalSegments(join(folder, 'journal'));
}

/** The body's digest stands near the beginning: {@link recordsOf} finds it without reading the rest. */
function entryRecord({ key, bodyHash, ...rest }: Submission): object {
  return { schema: journalSchema, type: 'entry', key, bodyHash, ...rest };
}

/** More texts than this are looked for faster in each record than in the file. */
const mostSearched = 8;

/**
 * The records of a folder, or those of submissions with one of some bodies.
 * @param known keys of submissions whose entries stand elsewhere.
 */
async function recordsOf(
  folder: string,
  sinceMs: number,
  bodyHashes: ReadonlySet<string> | undefined,
  known: readonly string[],
): Promise<RecordReading> {
  const segments = segmentsIn(folder);
  if (bodyHashes === undefined) return segments.read(sinceMs);
  const isSearched = bodyHashes.size + known.length <= mostSearched;
  const first = await segments.read(sinceMs, isSearched ? [...bodyHashes, ...known] : undefined);
  const keys = new Set(known);
  for (const json of first.records) {
    if (bodyHashes.has(valueAfter(json, '"bodyHash":"'))) keys.add(valueAfter(json, '"key":"'));
  }
  if (keys.size === 0) return { ...first, records: [] };
  const all = isSearched ? await segments.read(sinceMs, [...keys]) : first;
  return { ...all, records: all.records.filter((json) => keys.has(valueAfter(json, '"key":"'))) };
}

/** The text that follows a member's name, to its end; texts that are looked for need no escapes. */
function valueAfter(json: string, name: string): string {
  const at = json.indexOf(name);
  if (at < 0) return '';
  const from = at + name.length;
  return json.slice(from, json.indexOf('"', from));
}

interface DecodedRecords {
  readonly records: readonly JournalRecord[];
  readonly damaged: number;
  readonly later: number;
}

function decoded(lines: readonly string[]): DecodedRecords {
  const records: JournalRecord[] = [];
  let damaged = 0;
  let later = 0;
  for (const json of lines) {
    const value = parseJson(json);
    const schema = attempt(schemaOf, value);
    if (typeof schema === 'number' && schema > journalSchema) {
      later++;
      continue;
    }
    const read = attempt(decodeJournalRecord, value);
    if (read instanceof Undecodable) damaged++;
    else records.push(read);
  }
  return { records, damaged, later };
}

/** When the submission of an entry was sent, by its key or file name; `NaN` for a name that is none of ours. */
function timeOf(name: string): number {
  return Number.parseInt(basename(name), 10);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
