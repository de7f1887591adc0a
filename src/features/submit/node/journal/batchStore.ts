import { itemOf, withJournal, type Batch, type BatchPlan } from '../../common/batch.ts';
import {
  withFate,
  type JobFate,
  type JournalOwner,
  type Submission,
  type SubmissionOutcome,
} from '../../../../jobs/common/submission.ts';
import { WorkSlices, type Clock } from '../../../../base/clock.ts';
import type { Disposable } from '../../../../base/disposable.ts';
import { Emitter } from '../../../../base/emitter.ts';
import { digest } from '../../../../base/digest.ts';
import type { Log } from '../../../../base/log.ts';
import { BatchLedger } from './batchLedger.ts';
import { batchFolder, batchIds } from '../../../../jobs/node/journal/batchFiles.ts';
import { isAlive } from '../../../../jobs/node/journal/isAlive.ts';
import type { Journal, RecentSubmissions } from '../../../../jobs/node/journal/journal.ts';

/** A batch with its ledger. */
export interface StoredBatch {
  readonly id: string;
  readonly owner: JournalOwner;
  readonly ledger: BatchLedger;
}

/** An entry in the list of batches. */
export type ListedBatch =
  | { readonly id: string; readonly batch: Batch; readonly why: undefined }
  /** `why`: the reason, in English, for the log. */
  | { readonly id: string; readonly batch: undefined; readonly why: string };

/**
 * The batches of all connections. Each has a ledger next to the connection's journal; outcomes missing in the ledger are taken from the
 * journal.
 */
export class BatchStore {
  readonly #journal: Journal;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #changes: Emitter<StoredBatch>;
  /** Ids of the batches that this process is sending. */
  readonly #sending = new Set<string>();

  constructor(journal: Journal, clock: Pick<Clock, 'now'>, log: Log) {
    this.#journal = journal;
    this.#clock = clock;
    this.#changes = new Emitter((error) => log.error(`batches: ${String(error)}`));
  }

  /** Fires when a batch has changed. */
  readonly onDidChange = (listener: (batch: StoredBatch) => void): Disposable => this.#changes.event(listener);

  /** Creates a ledger. @throws NodeJS.ErrnoException when it cannot be written. */
  async create(owner: JournalOwner, plan: Omit<BatchPlan, 'startedAtMs'>): Promise<StoredBatch> {
    // The connection's own folder is the first.
    const [folder = ''] = await this.#folders(owner);
    const created = await BatchLedger.create(folder, { ...plan, startedAtMs: this.#clock.now() });
    return { ...created, owner };
  }

  /** Returns the ids of a connection's batches, including batches under its former names, newest first. */
  async ids(owner: JournalOwner): Promise<readonly string[]> {
    return batchIds(...(await this.#folders(owner)));
  }

  /** Returns the stored batch with this id. */
  async find(owner: JournalOwner, id: string): Promise<StoredBatch> {
    return { id, owner, ledger: await BatchLedger.find(await this.#folders(owner), id) };
  }

  /**
   * Reads the state of a batch from its ledger and the journal.
   * @returns undefined when it no longer exists, or its plan is lost.
   * @throws Undecodable when a later version wrote it.
   */
  async read({ id, owner, ledger }: StoredBatch): Promise<Batch | undefined> {
    const batch = await ledger.read();
    if (batch === undefined) return undefined;
    const words = await this.#journal.readSince(owner, batch.plan.startedAtMs);
    return this.#withFates(owner, this.#withJournal(id, batch, words));
  }

  /** Adds the final states of the jobs that repeat jobs of a batch, as recorded in their own batches. */
  async #withFates(owner: JournalOwner, batch: Batch): Promise<Batch> {
    const outcomes = new Map<string, SubmissionOutcome>();
    for (const id of new Set([...batch.resubmitted.values()].flatMap((each) => each.batch ?? []))) {
      // An unreadable batch is reported where it is shown.
      const other = await (await this.find(owner, id)).ledger.read().catch(() => undefined);
      for (const { outcome } of other?.items.values() ?? [])
        if (outcome.type === 'accepted' && outcome.id !== undefined) outcomes.set(outcome.id, outcome);
    }
    const resubmitted = [...batch.resubmitted].map(([failed, each]): [string, Submission] => {
      const { outcome } = each;
      const known = outcome.type === 'accepted' ? outcomes.get(outcome.id ?? '') : undefined;
      return [failed, { ...each, outcome: known ?? outcome }];
    });
    return { ...batch, resubmitted: new Map(resubmitted) };
  }

  /** Lists the batches of a connection, newest first; unreadable ones without their contents. Reads the journal only once. */
  async list(owner: JournalOwner): Promise<readonly ListedBatch[]> {
    const read: ListedBatch[] = [];
    // One after the other: ledgers of many requests that are read at once block other work.
    for (const id of await this.ids(owner)) read.push(await this.#readListed(owner, id));
    // Another window may have deleted one meanwhile.
    const left = new Set(await this.ids(owner));
    const sinceMs = Math.min(...read.flatMap(({ batch }) => batch?.plan.startedAtMs ?? []));
    const words = Number.isFinite(sinceMs) ? await this.#journal.readSince(owner, sinceMs) : nothingKnown;
    const slices = new WorkSlices();
    const listed: ListedBatch[] = [];
    for (const each of read) {
      const { id, batch } = each;
      if (batch !== undefined) listed.push({ id, batch: this.#withJournal(id, batch, words), why: undefined });
      else if (left.has(id)) listed.push(each);
      await slices.rest();
    }
    return listed;
  }

  async #readListed(owner: JournalOwner, id: string): Promise<ListedBatch> {
    try {
      const batch = await (await this.find(owner, id)).ledger.read();
      return batch === undefined ? { id, batch, why: 'its plan is lost' } : { id, batch, why: undefined };
    } catch (error) {
      return { id, batch: undefined, why: String(error) };
    }
  }

  #withJournal(id: string, batch: Batch, { submissions, isComplete }: RecentSubmissions): Batch {
    return withJournal(batch, {
      submissions,
      isComplete,
      itemOf: (each) => (each.batch === id ? itemOf(batch, each, digest) : undefined),
      isOver: (sender) => (sender === process.pid ? !this.#sending.has(id) : !isAlive(sender)),
    });
  }

  /** Records the outcome of a submission in its batch, if it belongs to one. */
  async correct(owner: JournalOwner, submission: Submission): Promise<void> {
    const { batch: id, outcome } = submission;
    if (id === undefined) return;
    const stored = await this.find(owner, id);
    const known = await stored.ledger.read();
    const item = known && itemOf(known, submission, digest);
    if (item !== undefined) await stored.ledger.correct(item, outcome);
    this.#changes.fire(stored);
  }

  /**
   * Records how jobs ended in the batches that they belong to. A failure that was recorded earlier is replaced, because the job may have been
   * queued again. A job that was done stays done: that another window saw it unfinished was earlier.
   * @param fates as just observed, by the id of the job; undefined for a job that can still change
   * @param ids of the batches; by default, all of the connection
   * @returns the batches by the id of the job
   */
  async noteFates(
    owner: JournalOwner,
    fates: ReadonlyMap<string, JobFate | undefined>,
    ids?: readonly string[],
  ): Promise<ReadonlyMap<string, StoredBatch>> {
    const batches = new Map<string, StoredBatch>();
    if (fates.size === 0) return batches;
    for (const id of ids ?? (await this.ids(owner))) {
      const stored = await this.find(owner, id);
      // An unreadable batch is reported where it is shown.
      const batch = await stored.ledger.read().catch(() => undefined);
      const items = [...(batch?.items.values() ?? [])].flatMap((item) => {
        const { outcome } = item;
        if (outcome.type !== 'accepted' || outcome.id === undefined || !fates.has(outcome.id)) return [];
        batches.set(outcome.id, stored);
        const fate = fates.get(outcome.id);
        if (fate === undefined && outcome.fate?.status === 'done') return [];
        const changed = withFate(outcome, fate);
        return JSON.stringify(changed.fate) === JSON.stringify(outcome.fate) ? [] : [{ ...item, outcome: changed }];
      });
      if (items.length === 0) continue;
      await stored.ledger.note(items);
      this.#changes.fire(stored);
    }
    return batches;
  }

  isSending(id: string): boolean {
    return this.#sending.has(id);
  }

  /** Runs a function that sends a batch. While it runs, requests without an outcome count as being sent. */
  async sending<T>(stored: StoredBatch, body: () => Promise<T>): Promise<T> {
    this.#sending.add(stored.id);
    try {
      return await body();
    } finally {
      this.#sending.delete(stored.id);
      this.#changes.fire(stored);
    }
  }

  async #folders(owner: JournalOwner): Promise<readonly string[]> {
    return (await this.#journal.foldersOf(owner)).map(batchFolder);
  }
}

const nothingKnown: RecentSubmissions = { submissions: [], isComplete: false };
