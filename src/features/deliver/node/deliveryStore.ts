import { randomUUID } from 'node:crypto';
import { uptime } from 'node:os';
import type { Clock } from '../../../base/clock.ts';
import { attempt, Undecodable } from '../../../base/decode/decoder.ts';
import { digest } from '../../../base/digest.ts';
import { parseJson } from '../../../base/json/json.ts';
import type { Disposable } from '../../../base/disposable.ts';
import type { Log } from '../../../base/log.ts';
import { isAlive } from '../../../jobs/node/journal/isAlive.ts';
import { JournalSegments } from '../../../jobs/node/journal/journalSegments.ts';
import { UnreadRecords } from '../../../jobs/node/journal/unreadRecords.ts';
import { fileNameKey } from '../../../jobs/common/transcriptName.ts';
import { schemaOf } from '../../../jobs/common/submission.ts';
import type { WatchedJob } from '../../watch/common/watchPlan.ts';
import {
  claimant,
  decodeDeliveryRecord,
  deliverySchema,
  foldDeliveries,
  keptMs,
  type Delivery,
  type DeliveryEnd,
  type DeliveryRecord,
  type RecordedFile,
  type Wanted,
} from '../common/delivery.ts';

/** Identifies a job among all services. A connection may be renamed. */
export function deliveryKey({ origin, kind, id }: Pick<WatchedJob, 'origin' | 'kind' | 'id'>): string {
  return digest(JSON.stringify([origin, kind, id]));
}

/** What is recorded about a job and the folder of its files. */
interface FolderReading {
  readonly delivery: Delivery;
  /** The jobs that recorded a name in the folder first, by {@link fileNameKey}. */
  readonly owners: ReadonlyMap<string, string>;
}

/** A delivery that has not ended. */
export interface PendingDelivery {
  readonly wanted: Wanted;
  /** True if another window, which is open, watches the job. */
  readonly isWatchedElsewhere: boolean;
}

/** Returns what records of a type contain. */
function ofType(type: DeliveryRecord['type']): string {
  return `"type":"${type}"`;
}

/** True if another process is running, which is not one of an earlier start of the computer with the same number. */
function isOther({ pid, atMs }: Pick<Wanted, 'pid' | 'atMs'>, nowMs: number): boolean {
  return pid !== process.pid && atMs > nowMs - uptime() * 1000 && isAlive(pid);
}

/**
 * The wanted and delivered files of all windows, as append-only records. All records of a job are in the file of the day
 * on which its files were wanted, so that all windows read its claims in the same order, and old jobs go with old files.
 */
export class DeliveryStore {
  readonly #segments: JournalSegments;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #folder: string;
  readonly #unread: UnreadRecords;
  /** Identifies this window. */
  readonly run = randomUUID();

  /** @param folder absolute path of a folder that only this store uses; created when first written to. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, log: Log) {
    this.#segments = new JournalSegments(folder);
    this.#clock = clock;
    this.#folder = folder;
    this.#unread = new UnreadRecords('deliveries', log);
  }

  /** Fires when records of a later version of the product are found. */
  readonly onDidFindLater = (listener: () => void): Disposable => this.#unread.onDidFindLater(listener);

  /**
   * Records jobs whose files are wanted, and deletes old records. A job whose files are wanted already stays in its group,
   * with the new plan. @throws NodeJS.ErrnoException
   */
  async want(wanted: readonly Wanted[]): Promise<void> {
    if (wanted.length === 0) return;
    const known = foldDeliveries(await this.#records((['wanted', 'ended'] as const).map(ofType)));
    const kept = wanted.map((each): Wanted => {
      const { wanted: before, ended } = known.get(each.job) ?? {};
      return before === undefined || ended !== undefined ? each : { ...each, group: before.group, atMs: before.atMs };
    });
    for (const atMs of new Set(kept.map((each) => each.atMs)))
      await this.#append(
        atMs,
        kept.filter((each) => each.atMs === atMs),
      );
    await this.#segments.remove(await this.#segments.namesBefore(this.#clock.now() - keptMs));
  }

  /** Returns what is recorded about a job. */
  async read(job: string): Promise<Delivery> {
    return foldDeliveries(await this.#records([job])).get(job) ?? { claims: [], files: [] };
  }

  /** Returns what is recorded about a job, and the names in a folder. @param folder as in {@link RecordedFile} */
  async readFolder(job: string, folder: string): Promise<FolderReading> {
    const records = await this.#records([job, folder]);
    const owners = new Map<string, string>();
    for (const each of records) {
      if (each.type !== 'file' || each.folder !== folder) continue;
      const name = fileNameKey(each.name);
      if (!owners.has(name)) owners.set(name, each.job);
    }
    return { delivery: foldDeliveries(records).get(job) ?? { claims: [], files: [] }, owners };
  }

  /** Returns the groups of a connection with jobs whose files have been wanted since a time. */
  async groupsSince(sinceMs: number, { connection, origin }: Pick<Wanted, 'connection' | 'origin'>) {
    const records = await this.#records([ofType('wanted')]);
    return new Set(
      records.flatMap((each) =>
        each.type === 'wanted' &&
        each.group !== undefined &&
        each.atMs >= sinceMs &&
        each.connection === connection &&
        each.origin === origin
          ? [each.group]
          : [],
      ),
    );
  }

  /** Returns the deliveries of a group. */
  async readGroup(group: string): Promise<readonly Delivery[]> {
    return [...foldDeliveries(await this.#records([`"group":${JSON.stringify(group)}`])).values()];
  }

  /** Returns the deliveries that have not ended, without their claims and files. */
  async pending(): Promise<readonly PendingDelivery[]> {
    const types = (['wanted', 'taken', 'ended'] as const).map(ofType);
    const deliveries = [...foldDeliveries(await this.#records(types)).values()];
    return deliveries.flatMap(({ wanted, taken, ended }) =>
      wanted === undefined || ended !== undefined
        ? []
        : [{ wanted, isWatchedElsewhere: isOther(taken ?? wanted, this.#clock.now()) }],
    );
  }

  /** Records that this window watches jobs. */
  async take(jobs: readonly Wanted[]): Promise<void> {
    for (const { job, atMs } of jobs)
      await this.#append(atMs, [{ type: 'taken', job, pid: process.pid, atMs: this.#clock.now() }]);
  }

  /** Records that a job has not finished within the time that jobs are watched. */
  async postpone({ job, group, atMs }: Wanted): Promise<void> {
    await this.#append(atMs, [{ type: 'postponed', job, group, run: this.run, atMs: this.#clock.now() }]);
  }

  /** Claims a job for this window. Returns false if another window has claimed it. */
  async claim({ job, atMs }: Wanted): Promise<boolean> {
    const { run } = this;
    await this.#append(atMs, [{ type: 'claim', job, run, pid: process.pid, atMs: this.#clock.now() }]);
    if (claimant(await this.read(job), this.#clock.now(), isAlive) === run) return true;
    await this.release({ job, atMs });
    return false;
  }

  async release({ job, atMs }: Pick<Wanted, 'job' | 'atMs'>): Promise<void> {
    await this.#append(atMs, [{ type: 'released', job, run: this.run }]);
  }

  /** Records the names that files of a job are about to get. */
  async recordFiles({ atMs }: Wanted, files: readonly RecordedFile[]): Promise<void> {
    await this.#append(atMs, files);
  }

  /** Records how the delivery of a job ended, and the job's label, which is known better then. */
  async end({ job, group, label, atMs }: Wanted, end: DeliveryEnd): Promise<void> {
    await this.#append(atMs, [{ type: 'ended', job, group, run: this.run, label, end, atMs: this.#clock.now() }]);
  }

  async #append(atMs: number, records: readonly DeliveryRecord[]): Promise<void> {
    await this.#segments.append(
      atMs,
      records.map((each) => ({ schema: deliverySchema, ...each })),
    );
  }

  /** Reads the records that contain one of these texts; all by default. */
  async #records(having?: readonly string[]): Promise<readonly DeliveryRecord[]> {
    const { records, damaged } = await this.#segments.read(0, having && (() => having));
    const read: DeliveryRecord[] = [];
    let lost = damaged;
    let later = 0;
    for (const json of records) {
      const value = parseJson(json);
      const schema = attempt(schemaOf, value);
      if (typeof schema === 'number' && schema > deliverySchema) {
        later++;
        continue;
      }
      const each = attempt(decodeDeliveryRecord, value);
      if (each instanceof Undecodable) lost++;
      else read.push(each);
    }
    this.#unread.note(this.#folder, { damaged: lost, later });
    return read;
  }
}
