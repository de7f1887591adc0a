import { jobKey, type Job } from './job.ts';

/** Dependencies of {@link knownJobs}. */
export interface KnownJobsDeps {
  readonly store: {
    /** Every loaded job exactly once. */
    jobs(): Iterable<Job>;
    /** A loaded job, as last observed. */
    get(kind: string, id: string): Job | undefined;
  };
  /** What needs attention, as last read; undefined when nothing does, as far as is known. */
  readonly attention: () =>
    | {
        readonly groups: readonly { readonly jobs: readonly Job[] }[];
        readonly overdue: readonly Job[];
        readonly partlyFailed: readonly Job[];
      }
    | undefined;
}

/** Every job that the jobs view has rows of, exactly once: those of the lists as they are there, then those that only need attention. */
export function* knownJobs({ store, attention }: KnownJobsDeps): Generator<Job, void, undefined> {
  yield* store.jobs();
  const { groups = [], overdue = [], partlyFailed = [] } = attention() ?? {};
  const rows = [...groups.flatMap(({ jobs }) => jobs), ...overdue, ...partlyFailed];
  for (const job of new Map(rows.map((row) => [jobKey(row), row])).values()) {
    if (store.get(job.kind, job.id) === undefined) yield job;
  }
}
