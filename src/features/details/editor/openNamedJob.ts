import type { NamedJob } from '../../../jobs/common/listParams.ts';
import * as vscode from 'vscode';
import type { Job } from '../../../jobs/common/job.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { commandStep, UserError } from '../../../platform/editor/messages.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import type { Services } from '../../../services.ts';

/**
 * Opens a job. If it is not loaded, searches the service, with a cancel button.
 * @throws UserError when it belongs to a connection other than the current one, or is not found; Failure when the search fails
 */
export async function openNamedJob(
  { connection, kind, id, createdAtMs, sentAtMs }: NamedJob,
  { jobs, service, connections }: Services,
  openJob: (job: Job) => unknown,
): Promise<void> {
  const { l10n } = vscode;
  if (connections.current?.name !== connection) {
    throw otherConnectionError(connection);
  }
  const job =
    jobs.get(kind, id) ??
    (await withCancel(l10n.t('Searching for job {0}', shortenId(id)), (signal) =>
      service.findJob(kind, id, signal, { createdAtMs, sentAtMs }),
    ));
  if (job === undefined) throw new UserError(l10n.t('This job was not found among the jobs searched.'));
  await openJob(job);
}

/** Returns the error that a job belongs to a connection other than the current one. */
export function otherConnectionError(connection: string): UserError {
  const { l10n } = vscode;
  return new UserError(l10n.t('This job belongs to the connection {0}. Switch to it to see the job.', connection), [
    commandStep(l10n.t('Switch Connection'), commandIds.switchConnection),
  ]);
}
