import { t } from '@vscode/l10n';
import { formatClockTime } from '../../../base/format.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { Failure, type FailureCode } from '../../../base/failure.ts';
import { endSentence, failureSentence, failureText } from '../../../base/failureText.ts';
import type { Submission, SubmissionOutcome } from '../../../jobs/common/submission.ts';

/** The outcome of a submission in a few words, or of several with the same one, which some languages put in the plural. */
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

/** The outcome of a submission as a sentence, including the recorded reason. */
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

/** The sentence for a failure of which only code and status are known. */
function reason(code: FailureCode, status: number | undefined): string {
  return failureText(new Failure(code, status === undefined ? {} : { status })).sentence;
}

/** Why no answer came to a request that may have been sent. */
function reasonAfterSending(failure: Failure): string {
  return failure.code === 'offline'
    ? t('The connection was lost before the service answered.')
    : endSentence(failureText(failure).sentence);
}

/** Message for an accepted request. @param name of its file; `id` of the job, if the service sent one. */
export function acceptedText(name: string, id: string | undefined): string {
  return id === undefined
    ? t('"{0}" was accepted. The service gave no job ID.', name)
    : t('"{0}" was submitted as job {1}.', name, id);
}

/** Message for an unknown outcome, including its cause. */
export function unknownText(name: string, failure: Failure): string {
  const why =
    failure.code === 'cancelled' ? t('It had already been sent when you canceled.') : reasonAfterSending(failure);
  return t('"{0}" may or may not have become a job. {1} It won\'t be resent automatically.', name, why);
}

/** Message for a request that was not sent, including the cause. */
export function notSentText(name: string, failure: Failure): string {
  return `${t('"{0}" was not sent.', name)} ${failureSentence(failure)}`;
}

/** The name of what was submitted: its audio in a batch of one request per address, else its file. */
export function submittedName({ file, label }: Pick<Submission, 'file' | 'label'>): string {
  if (label !== undefined) return oneLine(label);
  const name = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf(':')) + 1);
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** What jobs are called that no metadata names, by their ids: after the audio or the request file that they were submitted with. */
export function namesOfJobs(submissions: readonly Submission[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const { outcome, file, label } of submissions) {
    if (outcome.type !== 'accepted' || outcome.id === undefined) continue;
    const name = submittedName({ file, label: label?.split('/').at(-1) }).replace(/\.transcription\.json$/u, '');
    if (name !== '') names.set(outcome.id, name);
  }
  return names;
}
