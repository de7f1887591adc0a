import { t } from '@vscode/l10n';
import { countDone, countFailed, describeFailedNames, nameFailedAddOns } from '../../../jobs/common/failedAddOns.ts';
import { describeErrorCode } from '../../../jobs/common/jobRow.ts';
import type { FinishedJob, GivenUpJob, WatchedJob } from './watchPlan.ts';

/** Formats the message about jobs that finished together. */
export function finishedText(finished: readonly FinishedJob[], errorLabels: Readonly<Record<string, string>>): string {
  const [first, ...others] = finished;
  const failed = finished.filter(hasFailed);
  if (first !== undefined && others.length === 0) {
    const { label } = first.watched;
    const addOns = nameFailedAddOns(first.job);
    if (addOns.length > 0) return t('"{0}" failed in part: {1}', label, describeFailedNames(addOns));
    if (!hasFailed(first)) return t('"{0}" is done.', label);
    const { errorCode } = first.job;
    return errorCode === undefined
      ? t('"{0}" failed.', label)
      : t('"{0}" failed: {1}.', label, describeErrorCode(errorCode, errorLabels));
  }
  const partly = finished.map(({ job }) => nameFailedAddOns(job)).filter((addOns) => addOns.length > 0);
  if (failed.length + partly.length === 0) return t('{0} jobs are done.', finished.length);
  if (failed.length === finished.length) return t('{0} jobs failed.', finished.length);
  const done = countDone(finished.length - failed.length, partly);
  const counts = failed.length === 0 ? done : `${done} · ${countFailed(failed.length)}`;
  return t('{0} jobs finished: {1}.', finished.length, counts);
}

/** Formats the message about jobs that are no longer watched although they have not finished. */
export function givenUpText(givenUp: readonly GivenUpJob[]): string {
  const [first, ...others] = givenUp;
  if (first === undefined) return '';
  if (others.length > 0) return t('{0} jobs did not finish and are no longer watched.', givenUp.length);
  return first.why === 'gone'
    ? t('"{0}" is no longer in the service\'s list and is no longer watched.', first.watched.label)
    : t('"{0}" did not finish within a day and is no longer watched.', first.watched.label);
}

/** Formats the number of watched jobs, for the status bar. */
export function watchedText(count: number): string {
  return count === 1 ? t('1 job') : t('{0} jobs', count);
}

/** Lists the names of the first ten watched jobs, and the number of others. */
export function watchedNames(watched: readonly WatchedJob[]): string {
  const names = watched.slice(0, 10).map(({ label }) => label);
  const more = watched.length - names.length;
  return [...names, ...(more > 0 ? [t('and {0} more', more)] : [])].join('\n');
}

export function hasFailed({ job }: FinishedJob): boolean {
  return job.status === 'error';
}

/** True if a job failed, wholly or in part. */
export function hasLosses(finished: FinishedJob): boolean {
  return hasFailed(finished) || nameFailedAddOns(finished.job).length > 0;
}
