import { jobKey, type Job } from './job.ts';

/** Dependencies of {@link knownJobs}. */
export interface KnownJobsDeps {
  readonly store: {
    /** Yields every loaded job exactly once. */
    jobs(): Iterable<Job>;
    /** Returns a loaded job, as last observed. */
    get(kind: string, id: string): Job | undefined;
  };
  /** Returns the jobs that need attention, as last read; undefined if none are known. */
  readonly attention: () =>
    | {
        readonly groups: readonly { readonly jobs: readonly Job[] }[];
        readonly overdue: readonly Job[];
        readonly partlyFailed: readonly Job[];
      }
    | undefined;
}

/**
 * Yields every job that has a row in the jobs view, exactly once: those of the lists in their current state, then those
 * that only need attention.
 */
export function* knownJobs({ store, attention }: KnownJobsDeps): Generator<Job, void, undefined> {
  yield* store.jobs();
  const { groups = [], overdue = [], partlyFailed = [] } = attention() ?? {};
  const rows = [...groups.flatMap(({ jobs }) => jobs), ...overdue, ...partlyFailed];
  for (const job of new Map(rows.map((row) => [jobKey(row), row])).values()) {
    if (store.get(job.kind, job.id) === undefined) yield job;
  }
}
