import { t } from '@vscode/l10n';
import { countDone, countFailed } from '../../../jobs/common/failedAddOns.ts';
import type { JobFate, SubmissionOutcome } from '../../../jobs/common/submission.ts';
import type { Batch, FinishedBatch } from './batch.ts';
import { outcomeLabel, submittedName } from './submissionText.ts';

/** Formats the number of requests per outcome: "12 accepted · 1 rejected · 27 not sent". */
export function batchCounts(batch: Batch): string {
  return countOutcomes(batch, () => false).join(' · ');
}

/**
 * Formats the same counts with the final states of jobs: "18 done, 1 of them without its translation · 2 failed · 3 accepted". A job
 * without a known final state stays accepted: it may or may not still run.
 */
export function batchFates(batch: Batch): string {
  const finished = [...batch.items.values()].flatMap(({ outcome }) =>
    outcome.type === 'accepted' && outcome.id !== undefined && outcome.fate !== undefined
      ? [{ id: outcome.id, ...outcome.fate }]
      : [],
  );
  const done = finished.filter(({ status }) => status === 'done');
  const partly = done.flatMap(({ failedAddOns }) => (failedAddOns === undefined ? [] : [failedAddOns]));
  const failed = finished.filter(({ status }) => status === 'error');
  const resubmitted = failed.filter(({ id }) => batch.resubmitted.has(id));
  return [
    ...(done.length > 0 ? [countDone(done.length, partly)] : []),
    ...(failed.length > 0 ? [countResubmitted(failed.length, resubmitted.length)] : []),
    ...countOutcomes(batch, (outcome) => fateIn(outcome) !== undefined),
  ].join(' · ');
}

/** Counts jobs that failed, and those of them that were resubmitted. */
function countResubmitted(failed: number, resubmitted: number): string {
  if (resubmitted === 0) return countFailed(failed);
  if (failed === 1) return t('1 failed, resubmitted');
  return resubmitted === 1
    ? t('{0} failed, 1 of them resubmitted', failed)
    : t('{0} failed, {1} of them resubmitted', failed, resubmitted);
}

function countOutcomes(batch: Batch, isCounted: (outcome: SubmissionOutcome) => boolean): readonly string[] {
  const counts = new Map<string, { readonly count: number; readonly outcome: SubmissionOutcome }>();
  const add = (outcome: SubmissionOutcome, more: number): void => {
    const word = outcomeLabel(outcome);
    counts.set(word, { count: (counts.get(word)?.count ?? 0) + more, outcome });
  };
  for (const { outcome } of batch.items.values()) if (!isCounted(outcome)) add(outcome, 1);
  const untried = batch.plan.total - batch.items.size;
  if (untried > 0) add({ type: 'notSent', code: 'cancelled' }, untried);
  return [...counts.values()].map(({ count, outcome }) => `${count} ${outcomeLabel(outcome, count)}`);
}

/** Formats an outcome, or the final state of its job, in a few words. */
export function fateLabel(outcome: SubmissionOutcome): string {
  const fate = fateIn(outcome);
  if (fate === undefined) return outcomeLabel(outcome);
  if (fate.status === 'error') return t('failed');
  return fate.failedAddOns === undefined ? t('done') : t('failed in part');
}

/** Returns the final state of a request's job; undefined if it is not known, or the job's id is not. */
export function fateIn(outcome: SubmissionOutcome): JobFate | undefined {
  return outcome.type === 'accepted' && outcome.id !== undefined ? outcome.fate : undefined;
}

/**
 * Returns the ids of a batch's jobs by final state. `failed` includes partial failures; `toResubmit` is the part of them that was not
 * resubmitted; `open` has no known final state.
 */
export function jobsOfBatch({ items, resubmitted }: Pick<Batch, 'items' | 'resubmitted'>): {
  readonly failed: readonly string[];
  readonly toResubmit: readonly string[];
  readonly done: readonly string[];
  readonly open: readonly string[];
} {
  const failed: string[] = [];
  const done: string[] = [];
  const open: string[] = [];
  for (const { outcome } of items.values()) {
    if (outcome.type !== 'accepted' || outcome.id === undefined) continue;
    const { id, fate } = outcome;
    if (fate === undefined) open.push(id);
    if (fate?.status === 'error' || fate?.failedAddOns !== undefined) failed.push(id);
    if (fate?.status === 'done') done.push(id);
  }
  return { failed, toResubmit: failed.filter((id) => !resubmitted.has(id)), done, open };
}

/** Describes how the jobs of a batch ended; undefined for a batch of one request, whose job is described like any other. */
export function describeFinished(batch: Batch): Pick<FinishedBatch, 'outcome' | 'hasLosses'> | undefined {
  if (batch.plan.total === 1) return undefined;
  const { failed, open } = jobsOfBatch(batch);
  const outcome = open.length > 0 ? undefined : t('Batch of {0}: {1}.', batch.plan.total, batchFates(batch));
  return { outcome, hasLosses: failed.length > 0 };
}

/** Returns the file name of a batch's source: its list, its template, or its first file. */
export function batchSource({ plan: { source, total } }: Batch): string {
  switch (source.type) {
    case 'list':
      return fileName(source.list ?? source.template);
    case 'files': {
      const first = fileName(source.files[0] ?? '');
      return total > 1 ? t('{0} and {1} more', first, total - 1) : first;
    }
    case 'resubmit':
      return source.list === undefined ? t('Resubmitted jobs') : t('{0}, resubmitted', fileName(source.list));
  }
}

function fileName(file: string): string {
  return submittedName({ file, label: undefined });
}
