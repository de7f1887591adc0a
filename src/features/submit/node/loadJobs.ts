import { hourMs } from '../../../base/time.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { bulkLimit } from '../../../jobs/node/list/jobPager.ts';
import { readAll } from '../../../jobs/node/list/readAll.ts';
import { submittedBetween, type ListParams } from '../../../jobs/common/listParams.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';

/** Max number of items to search. */
const maxItems = 2000;

/**
 * Finds pre-recorded jobs by their ids, within a bounded part of their list (contract 4.1; there is no request for one job).
 * @param params conditions that all of these jobs meet
 * @throws Failure from the source; `cancelled` when the signal fires.
 */
export async function loadJobs(
  source: ListReader,
  ids: ReadonlySet<string>,
  signal: AbortSignal,
  params: ListParams = {},
): Promise<readonly Job[]> {
  const found = new Map<string, Job>();
  let items = 0;
  const query = { endpoint: 'pre-recorded', params } as const;
  for await (const { entries } of readAll(source, query, { limit: bulkLimit, concurrency: 1, signal })) {
    for (const entry of entries) if (entry.type === 'job' && ids.has(entry.id)) found.set(entry.id, entry);
    items += entries.length;
    if (found.size === ids.size || items >= maxItems) break;
  }
  return [...found.values()];
}

/** In milliseconds: jobs submitted further apart are searched separately, so that the jobs between them need not be read. */
const gapMs = hourMs;

/**
 * Finds pre-recorded jobs that were submitted from here, with one list for those submitted close together.
 * @param sentAtMs when they were sent by the local clock, by id
 * @throws Failure from the source; `cancelled` when the signal fires.
 */
export async function loadSubmitted(
  source: ListReader,
  sentAtMs: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<readonly Job[]> {
  const found: Job[] = [];
  let cluster: [id: string, atMs: number][] = [];
  const load = async (): Promise<void> => {
    const [first, last] = [cluster[0]?.[1], cluster.at(-1)?.[1]];
    if (first === undefined || last === undefined) return;
    const ids = new Set(cluster.map(([id]) => id));
    found.push(...(await loadJobs(source, ids, signal, submittedBetween(first, last))));
  };
  for (const [id, atMs] of [...sentAtMs].toSorted(([, a], [, b]) => a - b)) {
    if (atMs - (cluster.at(-1)?.[1] ?? atMs) > gapMs) {
      await load();
      cluster = [];
    }
    cluster.push([id, atMs]);
  }
  await load();
  return found;
}
