import * as vscode from 'vscode';
import { attempt, record, text, Undecodable, word } from '../../../base/decode/decoder.ts';
import { sinceSubmission } from '../../../jobs/common/listParams.ts';
import { jobsOfBatch } from '../common/batchSummary.ts';
import type { Batch } from '../common/batch.ts';
import type { JobFate } from '../../../jobs/common/submission.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { fateOf } from '../node/journal/markReplaced.ts';
import { loadJobs } from '../node/loadJobs.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { commandStep, showBriefly, UserError } from '../../../platform/editor/messages.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import type { Submissions } from './submissions.ts';
import { unloadedJob } from './planResubmission.ts';
import { resubmitFailed } from './resubmitFailed.ts';

const request = record({ connection: text, baseUrl: text, id: text, action: word('check', 'resubmit') });

/** Runs the action of a link in a batch's report. Any extension may call the command with any argument. @throws UserError or Failure */
export async function runBatchAction(submissions: Submissions, given: unknown): Promise<void> {
  const requested = attempt(request, given);
  if (requested instanceof Undecodable) return;
  const { connection } = submissions.target();
  // The report may have been opened under an earlier name of the connection.
  const isOwn =
    connection.name === requested.connection ||
    (connection.baseUrl === requested.baseUrl && (await submissions.batches.ids(connection)).includes(requested.id));
  if (!isOwn) {
    const { l10n } = vscode;
    throw new UserError(
      l10n.t('This batch belongs to the connection {0}. Switch to it to continue.', requested.connection),
      [commandStep(l10n.t('Switch Connection'), commandIds.switchConnection)],
    );
  }
  if (requested.action === 'check') await checkBatch(submissions, requested.id);
  else await resubmitBatch(submissions, requested.id);
}

/** Resubmits the failed jobs of a batch, after confirmation. @throws UserError or Failure */
export async function resubmitBatch(submissions: Submissions, id: string): Promise<void> {
  const batch = await readBatchOf(submissions, id);
  const { failed } = jobsOfBatch(batch);
  const jobs = await jobsWithIds(submissions, batch, failed);
  await resubmitFailed(
    submissions,
    failed.map((each) => jobs.get(each) ?? unloadedJob(each)),
  );
}

/** Queries the jobs of a batch whose final state is unknown, and records their states in the batch. @throws UserError or Failure */
async function checkBatch(submissions: Submissions, id: string): Promise<void> {
  const { connection } = submissions.target();
  const batch = await readBatchOf(submissions, id);
  const jobs = await jobsWithIds(submissions, batch, jobsOfBatch(batch).open);
  const fates = [...jobs].flatMap(([job, found]): readonly [string, JobFate][] => {
    const fate = fateOf(found);
    return fate === undefined ? [] : [[job, fate]];
  });
  await submissions.batches.noteFates(connection, new Map(fates));
  showBriefly(vscode.l10n.t('{0} jobs of the batch have finished since', fates.length));
}

async function readBatchOf(submissions: Submissions, id: string): Promise<Batch> {
  const { batches } = submissions;
  const batch = await batches.read(await batches.find(submissions.target().connection, id));
  if (batch === undefined) throw new UserError(vscode.l10n.t('This batch is no longer stored.'));
  return batch;
}

/** Finds jobs of a batch in the service's list, in a bounded part of it from the start of the batch. @throws Failure */
async function jobsWithIds(
  submissions: Submissions,
  { plan }: Batch,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Job>> {
  if (ids.length === 0) return new Map();
  const { api } = submissions.target();
  const jobs = await withCancel(vscode.l10n.t('Reading the jobs of the batch'), (signal) =>
    loadJobs(api.lists, new Set(ids), signal, sinceSubmission(plan.startedAtMs)),
  );
  return new Map(jobs.map((job) => [job.id, job]));
}
