import type { Job } from '../../domain/jobs/job.ts';
import type { WatchQuestion } from '../../domain/watch/watchQueries.ts';
import { readAll } from '../jobReader.ts';
import type { PageSource } from '../ports.ts';

/** What one list has shown. */
export interface Look {
  /** The watched jobs that are in it, by id. */
  readonly found: ReadonlyMap<string, Job>;
  /** It was read to its end. */
  readonly isWhole: boolean;
}

const smallestLimit = 20;
const largestLimit = 100;
/** A list that is longer than this is not read on: one between two close dates was then not narrowed by the service. */
const mostItems = 500;

/** Reads a list until it has shown all jobs in question, or ends. @throws Failure as the source does. */
export async function lookAtWatched(source: PageSource, question: WatchQuestion, signal: AbortSignal): Promise<Look> {
  const { kind, params, jobs } = question;
  const wanted = new Set(jobs.map(({ id }) => id));
  const found = new Map<string, Job>();
  // Without dates the job may be far down: few long pages then.
  const isNarrow = params.afterDate !== undefined;
  const limit = isNarrow ? Math.min(Math.max(smallestLimit, jobs.length), largestLimit) : largestLimit;
  let items = 0;
  for await (const batch of readAll(source, { endpoint: kind, params }, { limit, concurrency: 1, signal })) {
    for (const entry of batch.entries) {
      if (entry.type === 'job' && entry.kind === kind && wanted.has(entry.id)) found.set(entry.id, entry);
    }
    items += batch.entries.length;
    if (found.size === wanted.size || batch.endedBy !== undefined || items >= mostItems)
      return { found, isWhole: false };
  }
  return { found, isWhole: true };
}
