import { mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../../../base/failure.ts';
import { dayMs } from '../../../base/time.ts';
import { lineBreak, readRecordLines, recordLine, type RecordReading } from './recordLine.ts';

/** Other accounts of this machine must not read the submissions. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

const extension = '.ndjson';
/** Maximum number of attempts. A read starts again if a file is deleted or written at the same time. */
const readTries = 5;

/** Position of a record: in this file, at this byte or later. */
export interface SegmentMark {
  readonly name: string;
  readonly offset: number;
}

/**
 * Records in append-only files, one file per day (UTC). Windows need no lock, because a record is written by one append; old
 * records are deleted by whole files.
 */
export class JournalSegments {
  readonly #folder: string;

  /** @param folder absolute path; created with the first record. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Appends records to the file of the day. They are on the disk when this resolves.
   * @throws NodeJS.ErrnoException when they could not be written completely.
   */
  async append(nowMs: number, records: readonly object[]): Promise<SegmentMark> {
    await mkdir(this.#folder, { recursive: true, mode: privateFolder });
    const name = segmentName(nowMs);
    const file = await open(join(this.#folder, name), 'a', privateFile);
    try {
      const { size: offset } = await file.stat();
      const bytes = Buffer.from(records.map(recordLine).join(''));
      // One write, so that appends of several processes are not mixed.
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.byteLength) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
      await file.sync();
      return { name, offset };
    } finally {
      await file.close();
    }
  }

  /**
   * Returns the records since a given time, and possibly earlier ones of the same day; all records by default.
   * @param choose returns ASCII texts, one of which a record must contain; all records by default.
   */
  read(sinceMs = 0, choose?: (contents: readonly Buffer[]) => readonly string[]): Promise<RecordReading> {
    const first = segmentName(sinceMs);
    return this.#whileFilesStay(async (contentOf) => {
      const names = (await this.#names()).filter((name) => name >= first);
      const contents: Buffer[] = [];
      for (const name of names) contents.push(await contentOf(name));
      const having = choose?.(contents);
      return joined(contents.map((content) => readRecordLines(content, having && { having })));
    });
  }

  /**
   * Returns the newest records, read from the newest files.
   * @param count number of records that `find` has to find.
   */
  readNewest(count: number, find: FindNewest): Promise<NewestReading> {
    return this.#whileFilesStay(async (contentOf) => {
      const readings: RecordReading[] = [];
      let missing = count;
      let hasOlder = false;
      for (const name of (await this.#names()).toReversed()) {
        hasOlder ||= missing === 0;
        if (hasOlder) break;
        const content = await contentOf(name);
        const { found, offset } = find(content, missing, dayMs * Number.parseInt(name, 10));
        missing -= found;
        hasOlder = offset > 0;
        readings.unshift(readRecordLines(content, { from: offset }));
      }
      return { ...joined(readings), hasOlder };
    });
  }

  /** Reads again if a file was deleted during the read, because its records were first appended to another one. */
  async #whileFilesStay<T>(read: (contentOf: (name: string) => Promise<Buffer>) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      let isGone = false;
      const result = await read(async (name) => {
        const content = await this.#content(name);
        isGone ||= content === undefined;
        return content ?? Buffer.alloc(0);
      });
      if (!isGone || tries === readTries) return result;
    }
  }

  /** Returns the records at a mark and after it. */
  async readFrom(mark: SegmentMark): Promise<RecordReading> {
    const names = (await this.#names()).filter((name) => name >= mark.name);
    const readings: RecordReading[] = [];
    for (const name of names) {
      const content = await this.#content(name, name === mark.name ? mark.offset : 0);
      readings.push(readRecordLines(content ?? Buffer.alloc(0)));
    }
    return joined(readings);
  }

  /** Returns the names of files from before a given time, oldest first. */
  async namesBefore(beforeMs: number): Promise<readonly string[]> {
    const first = segmentName(beforeMs);
    return (await this.#names()).filter((name) => name < first);
  }

  /** Deletes files. */
  async remove(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => rm(join(this.#folder, name), { force: true })));
  }

  async #names(): Promise<readonly string[]> {
    return (await namesIn(this.#folder)).filter((name) => segmentPattern.test(name));
  }

  /** Returns the bytes of a file from an offset on; undefined if it has been deleted. */
  async #content(name: string, offset = 0): Promise<Buffer | undefined> {
    for (let tries = 1; ; tries++) {
      const content = await readFrom(join(this.#folder, name), offset);
      // If it does not end with a line break, another window may be writing its last record at this moment.
      const isWhole = content === undefined || content.length === 0 || content.at(-1) === lineBreak;
      if (isWhole || tries === readTries) return content;
    }
  }
}

async function readFrom(path: string, offset: number): Promise<Buffer | undefined> {
  let file: FileHandle;
  try {
    file = await open(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - offset)), { position: offset });
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Finds the newest records of a file.
 * @param count number of wanted records.
 * @param dayStartMs the file's day, in milliseconds since the epoch. Records of earlier days in it are copies.
 * @returns the number of found records, at most `count`, and the byte offset of the first of them; 0 if there are no
 * others.
 */
type FindNewest = (
  content: Buffer,
  count: number,
  dayStartMs: number,
) => { readonly found: number; readonly offset: number };

interface NewestReading extends RecordReading {
  /** Older records exist. */
  readonly hasOlder: boolean;
}

/**
 * Returns the names in a folder, sorted; none if the folder does not exist. @throws NodeJS.ErrnoException when it
 * cannot be read.
 */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

const segmentPattern = /^\d{6}\.ndjson$/;

/** Returns the file name of a day: the number of days since 1970, so that names sort by time. */
function segmentName(atMs: number): string {
  const day = Math.max(0, Math.floor(atMs / dayMs));
  return `${String(day).padStart(6, '0')}${extension}`;
}

function joined(readings: readonly RecordReading[]): RecordReading {
  return {
    records: readings.flatMap(({ records }) => records),
    damaged: readings.reduce((sum, { damaged }) => sum + damaged, 0),
  };
}
