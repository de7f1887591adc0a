import { jobKey, type Job } from './job.ts';

/** Loaded jobs. */
interface LoadedJobs {
  /** Yields every loaded job exactly once. */
  jobs(): Iterable<Job>;
  /** Returns a loaded job, as last observed. */
  get(kind: string, id: string): Job | undefined;
}

/** Jobs that need attention, as last read. */
interface NeedyJobs {
  readonly groups: readonly { readonly jobs: readonly Job[] }[];
  readonly overdue: readonly Job[];
  readonly partlyFailed: readonly Job[];
}

/**
 * Yields every job that has a row in the jobs view, exactly once: those of the lists in their current state, then those
 * that only need attention.
 */
export function* knownJobs(loaded: LoadedJobs, attention: NeedyJobs | undefined): Generator<Job, void, undefined> {
  yield* loaded.jobs();
  const { groups = [], overdue = [], partlyFailed = [] } = attention ?? {};
  const rows = [...groups.flatMap(({ jobs }) => jobs), ...overdue, ...partlyFailed];
  for (const job of new Map(rows.map((row) => [jobKey(row), row])).values()) {
    if (loaded.get(job.kind, job.id) === undefined) yield job;
  }
}
