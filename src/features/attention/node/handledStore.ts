import { join } from 'node:path';
import { attempt, Undecodable } from '../../../base/decode/decoder.ts';
import { dayMs } from '../../../base/time.ts';
import {
  decodeHandledRecord,
  fadingMarks,
  foldHandled,
  handledRecords,
  storedRecord,
  type HandledMarks,
  type HandledRecord,
  type MarkedJob,
  type Mute,
} from '../common/handledMarks.ts';
import { describeError } from '../../../base/failure.ts';
import { parseJson } from '../../../base/json/json.ts';
import type { JournalOwner } from '../../../jobs/common/submission.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { JournalFolders } from '../../../jobs/node/journal/journalFolders.ts';
import { JournalSegments } from '../../../jobs/node/journal/journalSegments.ts';
import { UnreadRecords } from '../../../jobs/node/journal/unreadRecords.ts';
import type { Log } from '../../../base/log.ts';

/** Allowance for clock differences: files are named by the local clock, times come from the service, and either may be days off. */
const clockSlackMs = 7 * dayMs;

/**
 * Handled failures of all windows, as append-only records per connection: windows need no lock, and none overwrites the marks of another.
 * Stays on this machine.
 */
export class HandledStore {
  readonly #folders: JournalFolders;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #unread: UnreadRecords;
  /** Folders with records that cannot be read: nothing is deleted there. */
  readonly #kept = new Set<string>();
  readonly #changed = new Emitter<void>();
  /** Fires after this store has marked failures, or undone that. */
  readonly onDidChange = this.#changed.event;

  /** @param folder absolute path of a folder that only this store uses; created when first written to. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, log: Log) {
    this.#folders = new JournalFolders(folder);
    this.#clock = clock;
    this.#log = log;
    this.#unread = new UnreadRecords('handled', log);
  }

  /** Fires when records of a later version of the product are found. */
  readonly onDidFindLater = (listener: () => void): Disposable => this.#unread.onDidFindLater(listener);

  /**
   * Reads the marks of a connection, including those under its former names. Logs unreadable records and leaves them in place. Never
   * throws.
   */
  async read(owner: JournalOwner): Promise<HandledMarks> {
    const known: HandledRecord[] = [];
    try {
      for (const folder of await this.#folders.all(owner)) {
        const { records, damaged } = await segmentsIn(folder).read();
        let lost = damaged;
        let later = 0;
        for (const each of records.map((json) => attempt(decodeHandledRecord, parseJson(json)))) {
          if (each instanceof Undecodable) lost++;
          else if (each === undefined) later++;
          else known.push(each);
        }
        this.#unread.note(folder, { damaged: lost, later });
        if (lost + later > 0) this.#kept.add(folder);
      }
    } catch (error) {
      // The failures are then shown again, rather than lost.
      this.#log.warn(`handled: ${describeError(error)}`);
    }
    return foldHandled(known);
  }

  /**
   * Marks failures as handled.
   * @param sinceMs failures before this time need no marks any more, by the service's clock; undefined if unknown
   * @param act ID of the action, for {@link undo}
   * @param readable failures that the service still lists; their marks are kept
   * @throws NodeJS.ErrnoException if the marks cannot be written.
   */
  async mark(
    owner: JournalOwner,
    failed: readonly MarkedJob[],
    sinceMs?: number,
    act?: string,
    readable: readonly MarkedJob[] = [],
  ): Promise<void> {
    const nowMs = this.#clock.now();
    const former = await this.read(owner);
    const records: readonly HandledRecord[] = [
      ...fadingMarks(former, readable, nowMs),
      ...handledRecords(failed, nowMs, act),
      ...(sinceMs === undefined ? [] : [{ type: 'since', sinceMs, act } as const]),
    ];
    const folder = this.#folders.own(owner);
    const segments = segmentsIn(folder);
    await segments.append(nowMs, records.map(storedRecord));
    this.#changed.fire();
    // Undoing this action must restore the former marks, so only marks that were not needed before are removed.
    if (sinceMs === undefined || former.sinceMs === undefined || this.#kept.has(folder)) return;
    const formerMs = former.sinceMs;
    const old = await segments.namesBefore(Math.min(formerMs, nowMs) - clockSlackMs);
    if (old.length === 0) return;
    // For a failure without a known time, only its mark shows that it is handled. A mute may be older than the failures.
    const { jobs, mutes } = await this.read(owner);
    const undated = [...jobs.values()].filter(({ failedAtMs }) => failedAtMs === undefined);
    const kept = [
      ...undated.map((mark) => storedRecord({ type: 'handled', ...mark })),
      ...[...mutes.values()].map((mute) => storedRecord({ atMs: nowMs, ...mute, type: 'muted' })),
    ];
    if (kept.length > 0) await segments.append(nowMs, kept);
    await segments.remove(old);
  }

  /** Hides groups of failures for a time. @param act ID of the action, for {@link undo}. @throws NodeJS.ErrnoException if it cannot be written */
  async mute(owner: JournalOwner, mutes: readonly Mute[], act: string): Promise<void> {
    const nowMs = this.#clock.now();
    const records = mutes.map((mute) => storedRecord({ type: 'muted', ...mute, atMs: nowMs, act }));
    await segmentsIn(this.#folders.own(owner)).append(nowMs, records);
  }

  /** Undoes an action. @throws NodeJS.ErrnoException if it cannot be written. */
  async undo(owner: JournalOwner, act: string): Promise<void> {
    await segmentsIn(this.#folders.own(owner)).append(this.#clock.now(), [storedRecord({ type: 'undone', act })]);
    this.#changed.fire();
  }

  /** Keeps the marks of a connection after it was renamed. @throws NodeJS.ErrnoException */
  continueAs(former: JournalOwner, now: JournalOwner): Promise<void> {
    return this.#folders.continueAs(former, now);
  }
}

function segmentsIn(folder: string): JournalSegments {
  return new JournalSegments(join(folder, 'handled'));
}
