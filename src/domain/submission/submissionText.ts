import { t } from '@vscode/l10n';
import { formatClockTime } from '../format.ts';
import { Failure, type FailureCode } from '../failure.ts';
import { endSentence, failureSentence, failureText } from '../failureText.ts';
import type { SubmissionOutcome } from './submission.ts';

/** The outcome of a submission in a few words. */
export function outcomeLabel(outcome: SubmissionOutcome): string {
  switch (outcome.type) {
    case 'sending':
      return t('being sent');
    case 'accepted':
      return t('accepted');
    case 'rejected':
      return t('rejected');
    case 'unknown':
      return outcome.lookedAtMs === undefined ? t('outcome unknown') : t('not found');
    case 'notSent':
      return t('not sent');
  }
}

/** The outcome of a submission as a sentence, including the recorded reason. */
export function outcomeSentence(outcome: SubmissionOutcome): string {
  switch (outcome.type) {
    case 'sending':
      return t('The request is on its way.');
    case 'accepted':
      return outcome.id === undefined
        ? t('The service took the request and named no job.')
        : t('The service made job {0} of it.', outcome.id);
    case 'rejected':
      return reason(outcome.code, outcome.status);
    case 'unknown':
      if (outcome.lookedAtMs !== undefined) {
        return t('Its job was not found at {0}. It may still exist.', formatClockTime(outcome.lookedAtMs));
      }
      return outcome.code === undefined
        ? t('The window closed before the answer came. A job may exist.')
        : t('A job may exist. {0}', reason(outcome.code, undefined));
    case 'notSent':
      return t('Nothing left this machine. {0}', reason(outcome.code, undefined));
  }
}

/** The sentence for a failure of which only code and status are known. */
function reason(code: FailureCode, status: number | undefined): string {
  return failureText(new Failure(code, status === undefined ? {} : { status })).sentence;
}

/** Message for an accepted request. @param name of its file; `id` of the job, if the service sent one. */
export function acceptedText(name: string, id: string | undefined): string {
  return id === undefined
    ? t('"{0}" was accepted. The service named no job.', name)
    : t('"{0}" was submitted as job {1}.', name, id);
}

/** Message for an unknown outcome, including its cause. */
export function unknownText(name: string, failure: Failure): string {
  const why =
    failure.code === 'cancelled' ? t('It had left when it was cancelled.') : endSentence(failureText(failure).sentence);
  return t('It is not known whether "{0}" became a job. {1} It is not sent again by itself.', name, why);
}

/** Message for a request that was not sent, including the cause. */
export function notSentText(name: string, failure: Failure): string {
  return `${t('"{0}" was not sent.', name)} ${failureSentence(failure)}`;
}
