import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rm, writeFile } from 'node:fs/promises';
import {
  withStaleOutcomes,
  replayLedger,
  type Batch,
  type BatchEnd,
  type BatchItem,
  type BatchPlan,
  type LedgerLine,
  decodeLedger,
} from '../../common/batch.ts';
import { journalSchema, type SubmissionOutcome } from '../../../../jobs/common/submission.ts';
import { systemCode } from '../../../../base/failure.ts';
import { batchIds, batchPath } from '../../../../jobs/node/journal/batchFiles.ts';
import { isAlive } from '../../../../jobs/node/journal/isAlive.ts';
import { privateFile, privateFolder } from '../../../../jobs/node/journal/journalSegments.ts';
import { readRecordLines, recordLine } from '../../../../jobs/node/journal/recordLine.ts';

/** Max number of batches per connection; the oldest are deleted. */
export const maxBatches = 50;

/**
 * The record of one batch: an append-only file, so that windows need no lock. Before a window sends, it appends a `run` line
 * and so becomes the owner of the batch. If several windows do so, the last `run` line in the file decides, and all of them
 * read the same order.
 */
export class BatchLedger {
  readonly #path: string;
  readonly #run = randomUUID();
  /** Number of bytes of the file that have been read. */
  #readTo = 0;
  #isOwned = false;
  /** Number of lines that this run has written. */
  #lines = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws NodeJS.ErrnoException when the file cannot be written. */
  static async create(folder: string, plan: BatchPlan): Promise<{ readonly id: string; readonly ledger: BatchLedger }> {
    const id = `${String(plan.startedAtMs).padStart(15, '0')}-${randomUUID()}`;
    await mkdir(folder, { recursive: true, mode: privateFolder });
    const ledger = new BatchLedger(batchPath(folder, id));
    const line = recordLine({ type: 'plan', schema: journalSchema, ...plan });
    await writeFile(ledger.#path, line, { flag: 'wx', flush: true, mode: privateFile });
    const old = (await batchIds(folder)).slice(maxBatches);
    await Promise.all(old.map((each) => rm(batchPath(folder, each), { force: true })));
    return { id, ledger };
  }

  /** @param id one of {@link batchIds}. */
  static at(folder: string, id: string): BatchLedger {
    return new BatchLedger(batchPath(folder, id));
  }

  /** Returns the ledger from the folder that contains it; from the first folder if none does. */
  static async find(folders: readonly string[], id: string): Promise<BatchLedger> {
    for (const folder of folders) if ((await batchIds(folder)).includes(id)) return BatchLedger.at(folder, id);
    return BatchLedger.at(folders[0] ?? '', id);
  }

  /**
   * Reads the current state of the batch; undefined when there is no file or it is broken.
   * @throws Undecodable when a later version wrote it.
   */
  async read(): Promise<Batch | undefined> {
    try {
      const { records, damaged } = readRecordLines(await readFile(this.#path));
      const decoded = decodeLedger(records);
      const batch = replayLedger(decoded.lines, damaged + decoded.damaged);
      return batch && withStaleOutcomes(batch, batch.sender !== undefined && isAlive(batch.sender));
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Takes over the batch. The result contains all requests that other windows have sent or may still send. */
  async begin(): Promise<Batch | undefined> {
    await this.#appendOwn({ type: 'run', run: this.#run, sender: process.pid });
    this.#isOwned = true;
    await this.#readOn();
    return this.read();
  }

  /** Records that an item is about to be sent. Returns false when another window has taken over; then nothing more may be sent. */
  async claim(item: Pick<BatchItem, 'item' | 'label' | 'file'>): Promise<boolean> {
    await this.#appendOwn({ type: 'send', run: this.#run, ...item });
    await this.#readOn();
    return this.#isOwned;
  }

  async settle(item: string, outcome: SubmissionOutcome): Promise<void> {
    await this.#appendOwn({ type: 'outcome', run: this.#run, item, outcome });
  }

  /** Records an outcome that was found later, for an item of any run. */
  async correct(item: string, outcome: SubmissionOutcome): Promise<void> {
    const run = (await this.read())?.items.get(item)?.run;
    if (run !== undefined) await this.#append({ type: 'outcome', run, item, outcome });
  }

  /** Records the final states of accepted items of any runs in one write. */
  async note(items: readonly Pick<BatchItem, 'run' | 'item' | 'outcome'>[]): Promise<void> {
    await this.#append(...items.map(({ run, item, outcome }) => ({ type: 'outcome', run, item, outcome }) as const));
  }

  async end(end: BatchEnd): Promise<void> {
    await this.#appendOwn({ type: 'end', run: this.#run, end });
  }

  async #appendOwn(line: LedgerLine): Promise<void> {
    await this.#append({ ...line, n: this.#lines++ });
  }

  async #append(...lines: readonly LedgerLine[]): Promise<void> {
    const file = await open(this.#path, 'a', privateFile);
    try {
      const bytes = Buffer.from(lines.map(recordLine).join(''));
      const { bytesWritten } = await file.write(bytes);
      if (bytesWritten < bytes.byteLength) throw Object.assign(new Error('the disk is full'), { code: 'ENOSPC' });
      await file.sync();
    } finally {
      await file.close();
    }
  }

  /** Reads the lines appended since the last read, to detect if another window has taken over. */
  async #readOn(): Promise<void> {
    const file = await open(this.#path);
    try {
      const { size } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(size - this.#readTo), { position: this.#readTo });
      // An incomplete line is left for the next read.
      const added = buffer.subarray(0, buffer.lastIndexOf('\n', bytesRead) + 1);
      const { lines } = decodeLedger(readRecordLines(added).records);
      const runs = lines.filter((line) => line.type === 'run');
      const newest = runs.at(-1);
      if (newest !== undefined) this.#isOwned = newest.run === this.#run;
      this.#readTo += added.length;
    } finally {
      await file.close();
    }
  }
}
