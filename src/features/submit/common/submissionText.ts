import { t } from '@vscode/l10n';
import { formatClockTime } from '../../../base/format.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { Failure, type FailureCode } from '../../../base/failure.ts';
import { endSentence, failureSentence, failureText } from '../../../base/failureText.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import type { JobFate, Submission, SubmissionOutcome, SubmittedAs } from '../../../jobs/common/submission.ts';

/** Formats the outcome of a submission, or of several with the same outcome (some languages use the plural), in a few words. */
export function outcomeLabel(outcome: SubmissionOutcome, count = 1): string {
  const isOne = count === 1;
  switch (outcome.type) {
    case 'sending':
      return t('being sent');
    case 'accepted':
      return isOne ? t('accepted') : t({ message: 'accepted', comment: ['several'] });
    case 'rejected':
      return isOne ? t('rejected') : t({ message: 'rejected', comment: ['several'] });
    case 'unknown':
      if (outcome.lookedAtMs === undefined) return t('outcome unknown');
      return isOne ? t('not found') : t({ message: 'not found', comment: ['several'] });
    case 'notSent':
      return isOne ? t('not sent') : t({ message: 'not sent', comment: ['several'] });
  }
}

/** Describes the job that repeats a failed one. @param fate how it ended; undefined if that is not known */
export function describeResubmission(id: string, fate: JobFate | undefined): string {
  const name = shortenId(id);
  if (fate === undefined) return t('Resubmitted as job {0}.', name);
  if (fate.status === 'error') return t('Resubmitted as job {0}, which failed, too.', name);
  return fate.failedAddOns === undefined
    ? t('Resubmitted as job {0}, which is done.', name)
    : t('Resubmitted as job {0}, which failed in part.', name);
}

/** Formats the outcome of a submission as a sentence, including the recorded reason. */
export function outcomeSentence(outcome: SubmissionOutcome): string {
  switch (outcome.type) {
    case 'sending':
      return t('The request is being sent.');
    case 'accepted':
      return outcome.id === undefined
        ? t('The service accepted the request but gave no job ID.')
        : t('Job {0} was created.', outcome.id);
    case 'rejected':
      return reason(outcome.code, outcome.status);
    case 'unknown':
      if (outcome.lookedAtMs !== undefined) {
        return t('Its job was not found at {0}. It may still exist.', formatClockTime(outcome.lookedAtMs));
      }
      return outcome.code === undefined
        ? t('The window was closed before the response arrived. A job may exist.')
        : t('A job may exist. {0}', reasonAfterSending(new Failure(outcome.code)));
    case 'notSent':
      return t('Nothing left this computer. {0}', reason(outcome.code, undefined));
  }
}

/** Returns the sentence for a failure with only a known code and status. */
function reason(code: FailureCode, status: number | undefined): string {
  return failureText(new Failure(code, status === undefined ? {} : { status })).sentence;
}

/** Returns the reason why a request that may have been sent got no response. */
function reasonAfterSending(failure: Failure): string {
  return failure.code === 'offline'
    ? t('The connection was lost before the service answered.')
    : endSentence(failureText(failure).sentence);
}

/** Returns the message for an accepted request. @param name of its file; `id` of the job, if the service sent one. */
export function acceptedText(name: string, id: string | undefined): string {
  return id === undefined
    ? t('"{0}" was accepted. The service gave no job ID.', name)
    : t('"{0}" was submitted as job {1}.', name, id);
}

/** Returns the message for an unknown outcome, including its cause. */
export function unknownText(name: string, failure: Failure): string {
  const why =
    failure.code === 'cancelled' ? t('It had already been sent when you canceled.') : reasonAfterSending(failure);
  return t('"{0}" may or may not have become a job. {1} It won\'t be resent automatically.', name, why);
}

/** Returns the message for a request that was not sent, including the cause. */
export function notSentText(name: string, failure: Failure): string {
  return `${t('"{0}" was not sent.', name)} ${failureSentence(failure)}`;
}

/** Returns the name of a submission: its audio in a batch with one request per address, otherwise its file. */
export function submittedName({ file, label }: Pick<Submission, 'file' | 'label'>): string {
  if (label !== undefined) return oneLine(label);
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf(':')) + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/**
 * Returns submitted jobs by id. Their names, for jobs without one in their metadata, are of the audio or the request file that
 * they were submitted with.
 */
export function submittedJobs(submissions: readonly Submission[]): ReadonlyMap<string, SubmittedAs> {
  const jobs = new Map<string, SubmittedAs>();
  for (const { outcome, file, label, batch, replaces } of submissions) {
    if (outcome.type !== 'accepted' || outcome.id === undefined) continue;
    const name = submittedName({ file, label: label?.split('/').at(-1) }).replace(/\.transcription\.json$/u, '');
    if (name !== '') jobs.set(outcome.id, { name, isInBatch: batch !== undefined, replaces });
  }
  return jobs;
}
