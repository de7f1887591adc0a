import { join } from 'node:path';
import { attempt, Undecodable } from '../../domain/decode/decoder.ts';
import {
  decodeHandledRecord,
  foldHandled,
  handledRecords,
  nothingHandled,
  storedRecord,
  type HandledMarks,
  type HandledRecord,
  type MarkedJob,
} from '../../domain/attention/handledMarks.ts';
import { describeError } from '../../domain/failure.ts';
import { parseJson } from '../../domain/json/json.ts';
import type { JournalOwner } from '../../domain/submission/submission.ts';
import type { Clock } from '../clock.ts';
import { JournalFolders } from '../journal/journalFolders.ts';
import { JournalSegments } from '../journal/journalSegments.ts';
import type { Log } from '../ports.ts';

/** Files are named by our own clock, and times are the service's: either may be days off. */
const clockSlackMs = 7 * 24 * 3_600_000;

/**
 * The failures that were handled, of all windows, as append-only records per connection: windows need no lock, and none overwrites what
 * another one has marked. Stays on this machine.
 */
export class HandledStore {
  readonly #folders: JournalFolders;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;

  /** @param folder absolute path of a folder that only this store uses; created when first written to. */
  constructor(folder: string, clock: Pick<Clock, 'now'>, log: Log) {
    this.#folders = new JournalFolders(folder);
    this.#clock = clock;
    this.#log = log;
  }

  /** The marks of a connection, also those of its former names. What cannot be read is logged and left where it is. Never throws. */
  async read(owner: JournalOwner): Promise<HandledMarks> {
    let marks = nothingHandled;
    try {
      for (const folder of await this.#folders.all(owner)) {
        const { records, damaged } = await segmentsIn(folder).read();
        const decoded = records.map((json) => attempt(decodeHandledRecord, parseJson(json)));
        const isReadable = (each: (typeof decoded)[number]): each is HandledRecord =>
          each !== undefined && !(each instanceof Undecodable);
        marks = foldHandled(marks, decoded.filter(isReadable));
        const lost = damaged + decoded.filter((each) => each instanceof Undecodable).length;
        if (lost > 0) this.#log.warn(`handled failures: ${folder}: ${lost} damaged records`);
      }
    } catch (error) {
      // Failures are then shown again, rather than lost.
      this.#log.warn(`handled failures: ${describeError(error)}`);
    }
    return marks;
  }

  /**
   * Marks failures as handled.
   * @param sinceMs failures before this time need no marks any more, by the service's clock; undefined when that is not known
   * @throws NodeJS.ErrnoException when it cannot be written.
   */
  async mark(owner: JournalOwner, failed: readonly MarkedJob[], sinceMs: number | undefined): Promise<void> {
    const nowMs = this.#clock.now();
    const records: readonly HandledRecord[] = [
      ...handledRecords(failed, nowMs),
      ...(sinceMs === undefined ? [] : [{ type: 'since', sinceMs } as const]),
    ];
    const segments = segmentsIn(this.#folders.own(owner));
    await segments.append(nowMs, records.map(storedRecord));
    if (sinceMs === undefined) return;
    const old = await segments.namesBefore(Math.min(sinceMs, nowMs) - clockSlackMs);
    if (old.length === 0) return;
    // Where it is not known when a job failed, only its mark tells that it is handled.
    const { jobs } = await this.read(owner);
    const undated = [...jobs.values()].filter(({ failedAtMs }) => failedAtMs === undefined);
    if (undated.length > 0)
      await segments.append(
        nowMs,
        undated.map((mark) => storedRecord({ type: 'handled', ...mark })),
      );
    await segments.remove(old);
  }

  /** Keeps the marks of a connection after it was renamed. @throws NodeJS.ErrnoException */
  continueAs(former: JournalOwner, now: JournalOwner): Promise<void> {
    return this.#folders.continueAs(former, now);
  }
}

function segmentsIn(folder: string): JournalSegments {
  return new JournalSegments(join(folder, 'handled'));
}
