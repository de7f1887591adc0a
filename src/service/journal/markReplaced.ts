import type { Job } from '../../domain/jobs/job.ts';
import { replacedJobs } from '../../domain/submission/resubmission.ts';
import type { JournalOwner } from '../../domain/submission/submission.ts';
import type { FinishedJob } from '../../domain/watch/watchPlan.ts';
import { hasFailed } from '../../domain/watch/watchText.ts';
import type { Journal } from './journal.ts';

/** Marks failed jobs of a connection as handled. */
export type MarkHandled = (connection: JournalOwner, jobs: readonly Pick<Job, 'kind' | 'id'>[]) => unknown;

/** Marks the failed jobs handled that finished ones repeat, according to the journal. Jobs that failed again mark nothing. */
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
