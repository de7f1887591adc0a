import { mkdir, open, readFile, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemCode } from '../ports.ts';
import { readRecordLines, recordLine, type RecordReading } from './recordLine.ts';

/** Only whoever uses the machine under this account may read what was submitted. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

const dayMs = 24 * 3_600_000;
const extension = '.ndjson';
/** A reader that meets a file being let go begins again; so often that happens to nobody. */
const readTries = 5;

/** Where a record was added: it stands in that file, at that byte or later. */
export interface SegmentMark {
  readonly name: string;
  readonly offset: number;
}

/**
 * Records in files that are only appended to, one file a day (UTC). Windows need no lock: a record is one write at the end of a file,
 * and what is no longer wanted goes with its whole file.
 */
export class JournalSegments {
  readonly #folder: string;

  /** @param folder absolute path; made with the first record. */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Adds records to the file of the day. When it has come back they are on the disk.
   * @throws NodeJS.ErrnoException when they could not be written whole.
   */
  async append(nowMs: number, records: readonly object[]): Promise<SegmentMark> {
    await mkdir(this.#folder, { recursive: true, mode: privateFolder });
    const name = segmentName(nowMs);
    const file = await open(join(this.#folder, name), 'a', privateFile);
    try {
      const { size: offset } = await file.stat();
      const bytes = Buffer.from(records.map(recordLine).join(''));
      // One write: what several processes append at once stays apart.
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.byteLength) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
      await file.sync();
      return { name, offset };
    } finally {
      await file.close();
    }
  }

  /**
   * What was added since a moment, and perhaps some of that day from before; all without one.
   * @param having texts (ASCII) of which a record has one; all records when left out.
   */
  async read(sinceMs = 0, having?: readonly string[]): Promise<RecordReading> {
    const first = segmentName(sinceMs);
    for (let tries = 1; ; tries++) {
      const readings: RecordReading[] = [];
      const names = (await this.#names()).filter((name) => name >= first);
      for (const name of names) {
        const content = await this.#content(name);
        if (content !== undefined) readings.push(readRecordLines(content, having && { having }));
      }
      // What a file held that is gone now was added to another one before.
      if (readings.length === names.length || tries === readTries) return joined(readings);
    }
  }

  /** What was added at a mark and after it. */
  async readFrom(mark: SegmentMark): Promise<RecordReading> {
    const names = (await this.#names()).filter((name) => name >= mark.name);
    const readings: RecordReading[] = [];
    for (const name of names) {
      const content = name === mark.name ? await this.#contentFrom(mark) : await this.#content(name);
      readings.push(readRecordLines(content ?? Buffer.alloc(0)));
    }
    return joined(readings);
  }

  /** The files from before a moment, the oldest first. */
  async namesBefore(beforeMs: number): Promise<readonly string[]> {
    const first = segmentName(beforeMs);
    return (await this.#names()).filter((name) => name < first);
  }

  /** Lets files go, for good. */
  async remove(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => rm(join(this.#folder, name), { force: true })));
  }

  async #names(): Promise<readonly string[]> {
    return (await namesIn(this.#folder)).filter((name) => segmentPattern.test(name));
  }

  async #content(name: string): Promise<Buffer | undefined> {
    try {
      return await readFile(join(this.#folder, name));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  async #contentFrom({ name, offset }: SegmentMark): Promise<Buffer> {
    const file = await open(join(this.#folder, name));
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - offset)), { position: offset });
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
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

const segmentPattern = /^\d{6}\.ndjson$/;

/** The file of a day, by its number since 1970: names sort by time. */
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
