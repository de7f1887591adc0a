import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import {
  batchAsUnderstood,
  replayLedger,
  type Batch,
  type BatchEnd,
  type BatchItem,
  type BatchPlan,
  type LedgerLine,
  decodeLedger,
} from '../../domain/submission/batch.ts';
import { journalSchema, type SubmissionOutcome } from '../../domain/submission/submission.ts';
import { systemCode } from '../ports.ts';
import { isAlive } from './entryFile.ts';
import { namesIn, privateFile, privateFolder } from './journalSegments.ts';
import { readRecordLines, recordLine } from './recordLine.ts';

/** Batches that are kept per connection; the oldest go first. */
const mostBatches = 20;

/**
 * What was sent of one batch: a file that is only ever appended to, so that windows need no lock. Whoever wants to send appends a
 * `run` line and owns the batch from there on; the order of lines in the file decides, and it is the same for all.
 */
export class BatchLedger {
  readonly #path: string;
  readonly #run = randomUUID();
  /** How far the file has been read, in bytes. */
  #readTo = 0;
  #isOwned = false;
  /** Lines that this run has written. */
  #lines = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws NodeJS.ErrnoException when it cannot be written. */
  static async create(folder: string, plan: BatchPlan): Promise<{ readonly id: string; readonly ledger: BatchLedger }> {
    const id = `${String(plan.startedAtMs).padStart(15, '0')}-${randomUUID()}`;
    await mkdir(folder, { recursive: true, mode: privateFolder });
    const ledger = new BatchLedger(pathOf(folder, id));
    const line = recordLine({ type: 'plan', schema: journalSchema, ...plan });
    await writeFile(ledger.#path, line, { flag: 'wx', flush: true, mode: privateFile });
    const old = (await batchIds(folder)).slice(mostBatches);
    await Promise.all(old.map((each) => rm(pathOf(folder, each), { force: true })));
    return { id, ledger };
  }

  /** @param id one of {@link batchIds}. */
  static at(folder: string, id: string): BatchLedger {
    return new BatchLedger(pathOf(folder, id));
  }

  /** The same where it is not certain in which of some folders it is; in the first when it is in none. */
  static async find(folders: readonly string[], id: string): Promise<BatchLedger> {
    for (const folder of folders) if ((await batchIds(folder)).includes(id)) return BatchLedger.at(folder, id);
    return BatchLedger.at(folders[0] ?? '', id);
  }

  /** The batch as it stands; undefined when there is none, or it is broken. @throws Undecodable when a later version wrote it. */
  async read(): Promise<Batch | undefined> {
    try {
      const { records, damaged } = readLedgerLines(await readFile(this.#path));
      const decoded = decodeLedger(records);
      const batch = replayLedger(decoded.lines, damaged + decoded.damaged);
      return batch && batchAsUnderstood(batch, batch.sender !== undefined && isAlive(batch.sender));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Takes the batch over from whoever had it. What it gives is all that has been sent, or ever will be, by others. */
  async begin(): Promise<Batch | undefined> {
    await this.#appendOwn({ type: 'run', run: this.#run, sender: process.pid });
    this.#isOwned = true;
    await this.#readOn();
    return this.read();
  }

  /** Notes that an item is about to be sent. False: another window has taken over, and nothing may be sent any more. */
  async claim(item: Pick<BatchItem, 'item' | 'label' | 'file'>): Promise<boolean> {
    await this.#appendOwn({ type: 'send', run: this.#run, ...item });
    await this.#readOn();
    return this.#isOwned;
  }

  async settle(item: string, outcome: SubmissionOutcome): Promise<void> {
    await this.#appendOwn({ type: 'outcome', run: this.#run, item, outcome });
  }

  /** Notes what has turned out later about an item, whoever sent it. */
  async correct(item: string, outcome: SubmissionOutcome): Promise<void> {
    const run = (await this.read())?.items.get(item)?.run;
    if (run !== undefined) await this.#append({ type: 'outcome', run, item, outcome });
  }

  async end(end: BatchEnd): Promise<void> {
    await this.#appendOwn({ type: 'end', run: this.#run, end });
  }

  async #appendOwn(line: LedgerLine): Promise<void> {
    await this.#append({ ...line, n: this.#lines++ });
  }

  async #append(line: LedgerLine): Promise<void> {
    const file = await open(this.#path, 'a', privateFile);
    try {
      const bytes = Buffer.from(recordLine(line));
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.byteLength) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Reads what has been added, for a run that is newer than ours. */
  async #readOn(): Promise<void> {
    const file = await open(this.#path);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - this.#readTo), { position: this.#readTo });
      // A line that is still being written is for next time.
      const added = buffer.subarray(0, buffer.lastIndexOf('\n', bytesRead) + 1);
      const { lines } = decodeLedger(readRecordLines(added, { mayBeBare: true }).records);
      const runs = lines.filter((line) => line.type === 'run');
      const newest = runs.at(-1);
      if (newest !== undefined) this.#isOwned = newest.run === this.#run;
      this.#readTo += added.length;
    } finally {
      await file.close();
    }
  }
}

/** The ids of the batches in some folders, the newest first. */
export async function batchIds(...folders: readonly string[]): Promise<readonly string[]> {
  const names = (await Promise.all(folders.map(namesIn))).flat().filter((name) => name.endsWith(extension));
  return names
    .sort()
    .reverse()
    .map((name) => name.slice(0, -extension.length));
}

const extension = '.ndjson';

function pathOf(folder: string, id: string): string {
  return join(folder, basename(`${id}${extension}`));
}

/** Lines without a checksum count in a ledger that version 0.1.0 has begun: its plan has none. */
function readLedgerLines(content: Buffer): ReturnType<typeof readRecordLines> {
  const begin = content.toString('utf8', 0, 100).trimStart();
  return readRecordLines(content, { mayBeBare: begin.startsWith('{') });
}
