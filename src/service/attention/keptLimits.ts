import {
  attempt,
  flag,
  formVersion,
  integer,
  number,
  optional,
  record,
  Undecodable,
} from '../../domain/decode/decoder.ts';
import { leastOverdueMs, overdueSample, type OverdueLimit } from '../../domain/attention/overdue.ts';
import { originOf, sampleName } from '../../domain/connection/connectionInput.ts';
import type { JobKind } from '../../domain/jobs/job.ts';
import type { JournalOwner } from '../../domain/submission/submission.ts';
import type { Clock } from '../clock.ts';
import type { StateStore } from '../ports.ts';

/** Measuring costs requests, and how long jobs take does not change by the hour. */
const keptMs = 24 * 3_600_000;
/** What looks as if `before_date` were ignored may have been a job that left between two requests. */
const doubtKeptMs = 3_600_000;
const longestMs = 365 * keptMs;

const decode = record({
  version: formVersion(1),
  atMs: number,
  finished: integer(0, overdueSample),
  p95Ms: optional(number),
  isNewest: flag,
  ignoresBefore: optional(flag),
  obeysStatuses: optional(flag),
});

/**
 * When jobs count as overdue, as measured within the last day, per connection and kind, and from when on failures are new, per connection.
 * What cannot be read is measured anew. The jobs of the sample are new in each session, and so is that time.
 */
export class KeptLimits {
  readonly #state: StateStore;
  #sampleSinceMs: number | undefined;
  readonly #clock: Pick<Clock, 'now'>;

  constructor(state: StateStore, clock: Pick<Clock, 'now'>) {
    this.#state = state;
    this.#clock = clock;
  }

  /** Undefined when none was measured within a day. */
  read(owner: JournalOwner, kind: JobKind): OverdueLimit | undefined {
    const kept = attempt(decode, this.#state.get(nameOf(owner, kind)));
    if (kept instanceof Undecodable) return undefined;
    const { atMs, finished, p95Ms, isNewest } = kept;
    const seen = {
      ...(kept.ignoresBefore === true && { ignoresBefore: true }),
      ...(kept.obeysStatuses === true && { obeysStatuses: true }),
    };
    const ageMs = this.#clock.now() - atMs;
    if (!(ageMs >= 0 && ageMs < (kept.ignoresBefore === true ? doubtKeptMs : keptMs))) return undefined;
    if (p95Ms === undefined) return { type: 'unmeasured', afterMs: leastOverdueMs, finished, ...seen };
    if (!(p95Ms >= 0 && p95Ms <= longestMs)) return undefined;
    return { type: 'measured', afterMs: Math.max(leastOverdueMs, p95Ms), p95Ms, finished, isNewest, ...seen };
  }

  async write(owner: JournalOwner, kind: JobKind, limit: OverdueLimit): Promise<void> {
    if (limit.type === 'set') return;
    const { finished, ignoresBefore = false, obeysStatuses = false } = limit;
    const measured = limit.type === 'measured' ? { p95Ms: limit.p95Ms, isNewest: limit.isNewest } : { isNewest: false };
    await this.#state.update(nameOf(owner, kind), {
      version: 1,
      atMs: this.#clock.now(),
      finished,
      ignoresBefore,
      obeysStatuses,
      ...measured,
    });
  }

  /** From when on failures are new, by the service's clock; undefined before the first look. */
  readSince(owner: JournalOwner): number | undefined {
    if (owner.name === sampleName) return this.#sampleSinceMs;
    const kept = attempt(number, this.#state.get(sinceName(owner)));
    return kept instanceof Undecodable || !Number.isFinite(kept) ? undefined : kept;
  }

  async writeSince(owner: JournalOwner, sinceMs: number): Promise<void> {
    if (owner.name === sampleName) this.#sampleSinceMs = sinceMs;
    else await this.#state.update(sinceName(owner), sinceMs);
  }
}

function sinceName({ name, baseUrl }: JournalOwner): string {
  return `failuresSince/${originOf(baseUrl)}/${name}`;
}

function nameOf({ name, baseUrl }: JournalOwner, kind: JobKind): string {
  return `overdueLimit/${kind}/${originOf(baseUrl)}/${name}`;
}
