import type { Job } from '../../../../jobs/common/job.ts';
import { fateOf } from '../../common/batchRows.ts';
import { replacedJobs } from '../../common/resubmission.ts';
import type { JobFate, JournalOwner } from '../../../../jobs/common/submission.ts';
import type { FinishedJob } from '../../../watch/common/watchPlan.ts';
import { hasFailed } from '../../../watch/common/watchText.ts';
import type { BatchStore, StoredBatch } from './batchStore.ts';
import type { Journal } from '../../../../jobs/node/journal/journal.ts';

/** Records in batches how watched jobs ended. @returns the batch that all of them belong to; undefined if there is none */
export async function noteFinished(
  batches: Pick<BatchStore, 'noteFates'>,
  finished: readonly FinishedJob[],
): Promise<StoredBatch | undefined> {
  const owners = new Map<string, { readonly owner: JournalOwner; readonly fates: Map<string, JobFate> }>();
  for (const { watched, job } of finished) {
    const fate = fateOf(job);
    if (watched.kind !== 'pre-recorded' || fate === undefined) continue;
    const key = JSON.stringify([watched.connection, watched.origin]);
    const owner = { name: watched.connection, baseUrl: watched.origin };
    const known = owners.get(key) ?? { owner, fates: new Map<string, JobFate>() };
    known.fates.set(watched.id, fate);
    owners.set(key, known);
  }
  const found: StoredBatch[] = [];
  for (const { owner, fates } of owners.values()) found.push(...(await batches.noteFates(owner, fates)).values());
  return found.length === finished.length && new Set(found.map(({ id }) => id)).size === 1 ? found[0] : undefined;
}

/** Marks failed jobs of a connection as handled. */
export type MarkHandled = (connection: JournalOwner, jobs: readonly Pick<Job, 'kind' | 'id'>[]) => unknown;

/** Marks failed jobs as handled if finished jobs repeat them, according to the journal. Jobs that failed again mark nothing. */
export async function markReplaced(
  journal: Pick<Journal, 'read'>,
  finished: readonly FinishedJob[],
  markHandled: MarkHandled,
): Promise<void> {
  const owners = new Map<string, { readonly owner: JournalOwner; readonly ids: string[] }>();
  for (const each of finished) {
    const { connection, origin, kind, id } = each.watched;
    if (kind !== 'pre-recorded' || hasFailed(each)) continue;
    const key = JSON.stringify([connection, origin]);
    const known = owners.get(key) ?? { owner: { name: connection, baseUrl: origin }, ids: [] };
    known.ids.push(id);
    owners.set(key, known);
  }
  for (const { owner, ids } of owners.values()) {
    const { submissions } = await journal.read(owner);
    const replaced = [...replacedJobs(submissions, ids)];
    if (replaced.length > 0)
      await markHandled(
        owner,
        replaced.map((id) => ({ kind: 'pre-recorded', id })),
      );
  }
}
