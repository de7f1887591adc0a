import type { Job } from '../../../../jobs/common/job.ts';
import { fateOf } from '../../common/batchRows.ts';
import { replacedJobs } from '../../common/resubmission.ts';
import { withFate, type JobFate, type JournalOwner } from '../../../../jobs/common/submission.ts';
import type { FinishedJob } from '../../../watch/common/watchPlan.ts';
import type { BatchStore, StoredBatch } from './batchStore.ts';
import type { Journal } from '../../../../jobs/node/journal/journal.ts';

/** How jobs of a connection ended, by id. */
interface OwnedFates {
  readonly owner: JournalOwner;
  readonly fates: Map<string, JobFate>;
}

/** Records in batches how watched jobs ended. @returns the batch that all of them belong to; undefined if there is none */
export async function noteFinished(
  batches: Pick<BatchStore, 'noteFates'>,
  finished: readonly FinishedJob[],
): Promise<StoredBatch | undefined> {
  const found: StoredBatch[] = [];
  for (const { owner, fates } of fatesByOwner(finished))
    found.push(...(await batches.noteFates(owner, fates)).values());
  return found.length === finished.length && new Set(found.map(({ id }) => id)).size === 1 ? found[0] : undefined;
}

/** Marks failed jobs of a connection as handled. */
export type MarkHandled = (connection: JournalOwner, jobs: readonly Pick<Job, 'kind' | 'id'>[]) => unknown;

/**
 * Marks failed jobs as handled if finished jobs repeat them, according to the journal, and records there how the jobs of single submissions
 * ended. Jobs that failed again mark nothing.
 */
export async function markReplaced(
  journal: Pick<Journal, 'read' | 'settle'>,
  finished: readonly FinishedJob[],
  markHandled: MarkHandled,
): Promise<void> {
  for (const { owner, fates } of fatesByOwner(finished)) {
    const { submissions } = await journal.read(owner);
    const done = [...fates].flatMap(([id, { status }]) => (status === 'done' ? [id] : []));
    const replaced = [...replacedJobs(submissions, done)];
    if (replaced.length > 0)
      await markHandled(
        owner,
        replaced.map((id) => ({ kind: 'pre-recorded', id })),
      );
    for (const submission of submissions) {
      const { batch, outcome } = submission;
      if (batch !== undefined || outcome.type !== 'accepted') continue;
      const fate = fates.get(outcome.id ?? '');
      if (fate !== undefined) await journal.settle(owner, submission, withFate(outcome, fate));
    }
  }
}

function fatesByOwner(finished: readonly FinishedJob[]): Iterable<OwnedFates> {
  const owners = new Map<string, OwnedFates>();
  for (const { watched, job } of finished) {
    const { connection, origin, kind, id } = watched;
    const fate = fateOf(job);
    if (kind !== 'pre-recorded' || fate === undefined) continue;
    const key = JSON.stringify([connection, origin]);
    const known = owners.get(key) ?? {
      owner: { name: connection, baseUrl: origin },
      fates: new Map<string, JobFate>(),
    };
    known.fates.set(id, fate);
    owners.set(key, known);
  }
  return owners.values();
}
