import * as vscode from 'vscode';
import { WorkSlices } from '../../../base/clock.ts';
import { digest } from '../../../base/digest.ts';
import type { JournalOwner, Submission } from '../../../jobs/common/submission.ts';
import { batchCounts, jobsOfBatch } from '../common/batchCounts.ts';
import { acceptedText } from '../common/submissionText.ts';
import type { StoredBatch } from '../node/journal/batchStore.ts';
import { runBatch, type BatchRequest, type BatchRunEnd } from '../node/runBatch.ts';
import type { SubmitResult } from '../node/submitter.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import { failureSentence } from '../../../base/failureText.ts';
import { runCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import { nextStepsAfter } from '../../../platform/editor/showError.ts';
import { showMessage, type NextStep } from '../../../platform/editor/messages.ts';
import type { RequestText } from '../../../language/editor/requestDocuments.ts';
import type { Submissions } from './submissions.ts';
import type { Watchable } from '../../watch/common/watchPlan.ts';
import type { DeliveryPlan } from '../../deliver/common/delivery.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';

/** A confirmed batch that has begun. */
export interface BatchToSend extends StoredBatch {
  readonly requests: readonly BatchRequest[];
  readonly texts: ReadonlyMap<string, RequestText>;
  /** Sends the requests that remain after this run. */
  readonly goOn: () => unknown;
  /** The files of its jobs that are wanted. */
  readonly delivery: DeliveryPlan | undefined;
}

/** Sends the requests of a batch one at a time, watches the jobs and reports the result. Cancelling waits for the request in flight. */
export async function sendBatch(submissions: Submissions, service: SubmitTarget, batch: BatchToSend): Promise<void> {
  const { id, ledger, texts, delivery } = batch;
  const { connection } = service;
  const requests = await withRepeatedJobs(submissions, connection, batch.requests);
  const { log, actions } = submissions.services;
  const jobs: Watchable[] = [];
  // One after the other, while the batch is being sent: what is recorded survives the window.
  let recorded = Promise.resolve();
  const want = (job: Watchable): void => {
    if (delivery === undefined) return;
    const order = { plan: delivery, group: id };
    recorded = recorded.then(() => runQuietly(log, () => actions.deliver.wantFiles(connection, [job], order)));
  };
  const closeGroup = delivery === undefined ? undefined : await actions.deliver.openDeliveryGroup(id);
  let last: Submission | undefined;
  const take = ({ submission, failure }: SubmitResult, label: string): void => {
    last = submission;
    const { outcome, file } = submission;
    if (outcome.type === 'accepted' && outcome.id !== undefined) {
      const job = { kind: 'pre-recorded', id: outcome.id, label, createdAtMs: undefined } as const;
      jobs.push(job);
      want(job);
    }
    const text = texts.get(file);
    if (outcome.type === 'rejected' && text !== undefined) {
      submissions.complaints.show(text, connection.name, failure?.facts.fieldErrors ?? []);
    }
  };
  const never = new AbortController().signal;
  const [first, ...others] = requests;
  const title =
    others.length === 0
      ? vscode.l10n.t('Submitting "{0}" to {1}', first?.label ?? '', connection.name)
      : vscode.l10n.t('Submitting {0} requests to {1}', requests.length, connection.name);
  try {
    const end = await withCancel(title, (signal, report) =>
      submissions.batches.sending(batch, () =>
        runBatch({
          ledger,
          requests,
          submit: (request) => submissions.send(service, { ...request, batch: id }, never),
          signal,
          onSettled: (result, count) => {
            report(vscode.l10n.t('{0} of {1}', count, requests.length));
            take(result, requests[count - 1]?.label ?? '');
          },
        }),
      ),
    );
    await showEnd(submissions, service, batch, end, last);
  } finally {
    submissions.showNew();
    await recorded;
    actions.watch.watchJobs(connection, jobs);
    closeGroup?.();
  }
}

/**
 * Adds the failed jobs that requests repeat: the same body was last sent for them, within a day. A list that is sent again contains its
 * failed rows, too. A row with another address or other settings cannot be recognised: only digests of bodies are stored.
 */
async function withRepeatedJobs(
  submissions: Submissions,
  connection: JournalOwner,
  requests: readonly BatchRequest[],
): Promise<readonly BatchRequest[]> {
  const { batches } = submissions;
  const slices = new WorkSlices();
  const hashes = new Map<BatchRequest, string>();
  for (const each of requests) {
    await slices.rest();
    if (each.request.replaces === undefined) hashes.set(each, digest(each.request.body));
  }
  if (hashes.size === 0) return requests;
  const same = await submissions.readSame(connection, new Set(hashes.values()));
  const failed = new Set<string>();
  for (const id of new Set(same.flatMap(({ batch }) => batch ?? []))) {
    // An unreadable batch is reported where it is shown.
    const batch = await batches.read(await batches.find(connection, id)).catch(() => undefined);
    for (const job of batch === undefined ? [] : jobsOfBatch(batch).failed) failed.add(job);
  }
  // The newest comes first.
  const last = new Map(same.toReversed().map(({ bodyHash, outcome }) => [bodyHash, outcome]));
  return requests.map((each) => {
    const outcome = last.get(hashes.get(each) ?? '');
    const replaces = outcome?.type === 'accepted' ? outcome.id : undefined;
    return replaces !== undefined && failed.has(replaces) ? { ...each, request: { ...each.request, replaces } } : each;
  });
}

async function showEnd(
  submissions: Submissions,
  service: SubmitTarget,
  batch: BatchToSend,
  end: BatchRunEnd,
  last: Submission | undefined,
): Promise<void> {
  const { l10n } = vscode;
  const state = await submissions.batches.read(batch);
  const counts = state === undefined ? '' : batchCounts(state);
  const show: NextStep = {
    title: l10n.t('Show Batch'),
    run: () =>
      runCommand(submissions.services.log, () =>
        submissions.services.actions.submit.showBatch(service.connection, batch.id),
      ),
  };
  const showResult = (severity: 'information' | 'warning' | 'error', text: string, steps: readonly NextStep[]): void =>
    void runCommand(submissions.services.log, () => showMessage(severity, text, [show, ...steps]));
  switch (end.type) {
    case 'done':
      if (state?.plan.total === 1 && last?.outcome.type === 'accepted' && last.outcome.id !== undefined) {
        const { id } = last.outcome;
        const openJob = submissions.openJobStep(service, id, last);
        const text = acceptedText(batch.requests[0]?.label ?? '', id);
        return void runCommand(submissions.services.log, () => showMessage('information', text, [openJob, show]));
      }
      return showResult('information', l10n.t('Batch sent: {0}.', counts), []);
    case 'cancelled':
      return showResult('information', l10n.t('The batch was stopped: {0}.', counts), [
        { title: l10n.t('Continue'), run: batch.goOn },
      ]);
    case 'takenOver':
      return showResult('information', l10n.t('Another window is continuing this batch.'), []);
    case 'stopped': {
      const { failure } = end;
      const why = failure === undefined ? '' : ` ${failureSentence(failure)}`;
      const text = `${l10n.t('The batch stopped: {0}.', counts)}${why}`;
      return showResult('error', text, failure === undefined ? [] : nextStepsAfter(failure, batch.goOn).slice(0, 2));
    }
  }
}
