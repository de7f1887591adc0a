import { minuteMs } from '../../../base/time.ts';
import { jobKinds, type JobKind } from '../../../jobs/common/job.ts';
import type { ListParams } from '../../../jobs/common/listParams.ts';
import type { WatchedJob } from './watchPlan.ts';

/** One list request that covers some of the watched jobs. */
export interface WatchQuery {
  readonly kind: JobKind;
  readonly params: ListParams;
  readonly jobs: readonly WatchedJob[];
}

/** `after_date` and `before_date` may or may not include the instant (contract 4.5). */
const edgeMs = 1000;
/** Jobs created further apart than this are requested separately, so that the jobs between them need not be read. */
const gapMs = minuteMs;
/** Max time from the creation of a job that was never found to the start of watching: by the service's clock, and by the local clock. */
const unseenMs = 2 * minuteMs;
const unseenByOurClockMs = 15 * minuteMs;

/** Numbers of polls without finding a job after which the next poll searches the whole list, if no poll has ever found it. */
const missesBeforeGuess: ReadonlySet<number> = new Set([3, 7]);

/** True if the whole list should be searched for a job that was never found: it may be older than expected, or have no creation time. */
export function isGuess({ createdAtMs, undated, misses }: WatchedJob): boolean {
  return createdAtMs === undefined && undated !== true && missesBeforeGuess.has(misses);
}

/**
 * Returns the narrowest list requests that cover all watched jobs. Jobs created close together share a request with two dates; jobs never
 * found share one without an end date; jobs without a creation time share an unfiltered one.
 * @param clockOffsetMs the service's clock minus the local clock; undefined while unknown.
 */
export function watchQueries(jobs: readonly WatchedJob[], clockOffsetMs: number | undefined): readonly WatchQuery[] {
  return jobKinds.flatMap((kind) => {
    const ofKind = jobs.filter((job) => job.kind === kind);
    const timeless = ofKind.filter(({ createdAtMs }) => createdAtMs === undefined);
    const anywhere = timeless.filter((job) => job.undated === true || isGuess(job));
    const unseen = timeless.filter((job) => !anywhere.includes(job));
    return [
      ...clusters(ofKind).map((cluster) => ({ kind, params: between(cluster), jobs: cluster })),
      ...(unseen.length === 0 ? [] : [{ kind, params: since(unseen, clockOffsetMs), jobs: unseen }]),
      ...(anywhere.length === 0 ? [] : [{ kind, params: {}, jobs: anywhere }]),
    ];
  });
}

/** Groups jobs that were created close together. */
function clusters(jobs: readonly WatchedJob[]): readonly (readonly WatchedJob[])[] {
  const groups: WatchedJob[][] = [];
  let lastMs = -Infinity;
  for (const job of jobs.toSorted((a, b) => (a.createdAtMs ?? 0) - (b.createdAtMs ?? 0))) {
    if (job.createdAtMs === undefined) continue;
    if (job.createdAtMs - lastMs > gapMs) groups.push([]);
    groups.at(-1)?.push(job);
    lastMs = job.createdAtMs;
  }
  return groups;
}

function between(jobs: readonly WatchedJob[]): ListParams {
  const times = jobs.map(({ createdAtMs }) => createdAtMs ?? 0);
  return { afterDate: iso(Math.min(...times) - edgeMs), beforeDate: iso(Math.max(...times) + edgeMs) };
}

function since(jobs: readonly WatchedJob[], clockOffsetMs: number | undefined): ListParams {
  const firstMs = Math.min(...jobs.map(({ sinceMs }) => sinceMs));
  return {
    afterDate: iso(clockOffsetMs === undefined ? firstMs - unseenByOurClockMs : firstMs + clockOffsetMs - unseenMs),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
