import { t } from '@vscode/l10n';
import { formatClockTime } from './format.ts';
import type { Failure, ParameterError } from './failure.ts';

/** The description of a failure for users. */
export interface FailureText {
  /** What happened, including the service's message if there is one. */
  readonly sentence: string;
  /** What the user can do; undefined when there is nothing to do. */
  readonly nextStep: string | undefined;
}

/** Describes a failure in plain language. */
export function failureText(failure: Failure): FailureText {
  const { status, serviceMessage, cause, retryAtMs } = failure.facts;
  const told = (sentence: string, nextStep?: string): FailureText => ({
    sentence: serviceMessage === undefined ? sentence : t('{0} It says: {1}', sentence, serviceMessage),
    nextStep,
  });
  switch (failure.code) {
    case 'noConnection':
      return told(
        t('No usable connection is set up.'),
        t('Connect to a service, or correct the connection in the settings.'),
      );
    case 'noKey':
      return told(t('This connection has no API key.'), t('Set the API key.'));
    case 'keyRejected':
      return told(
        t('The service did not accept the API key.'),
        t('Set the API key again, and check that it may do this.'),
      );
    case 'notFound':
      return told(t('The service does not know this address.'), t('Check the base URL of the connection.'));
    case 'rejected':
      return told(
        t('The service refused the request (status {0}).', status ?? '?'),
        t('Correct the request and try again.'),
      );
    case 'rateLimited':
      return told(
        t('The service asks for fewer requests.'),
        retryAtMs === undefined
          ? t('Wait a moment and try again.')
          : t('Try again after {0}.', formatClockTime(retryAtMs)),
      );
    case 'serverFailed':
      return told(
        t('The service has a problem of its own (status {0}).', status ?? '?'),
        retryAtMs === undefined ? t('Try again later.') : t('Try again after {0}.', formatClockTime(retryAtMs)),
      );
    case 'timeout':
      return told(
        t('The service did not answer in time.'),
        t('Try again. If this happens often, allow more time in the setting "Request Timeout Seconds".'),
      );
    case 'offline':
      return told(
        cause === undefined ? t('The service cannot be reached.') : t('The service cannot be reached ({0}).', cause),
        t('Check the network and the base URL of the connection, then try again.'),
      );
    case 'proxy':
      return told(
        t('The proxy did not let the request through.'),
        t('Check the proxy settings of the editor and your sign-in at the proxy.'),
      );
    case 'tls':
      return told(
        cause === undefined
          ? t('The secure connection to the service could not be trusted.')
          : t('The secure connection to the service could not be trusted ({0}).', cause),
        t("Check the base URL and this computer's clock and certificates. Nothing was sent."),
      );
    case 'notJson':
      return {
        sentence: notJson(serviceMessage, cause),
        nextStep: t('Check the base URL. A sign-in page of your network may stand in between.'),
      };
    case 'unexpectedShape':
      return told(t('The answer is not what a list of jobs looks like.'), t('Check the base URL of the connection.'));
    case 'tooLarge':
      return told(t('The answer is larger than 32 MiB and was not read.'), t('Choose a smaller page size.'));
    case 'redirected':
      return told(
        cause === undefined
          ? t('The service points to another address, which was not followed.')
          : t('The service points to another address, which was not followed ({0}).', cause),
        t('If you trust the new address, set it as the base URL of the connection.'),
      );
    case 'cancelled':
      return told(t('Cancelled.'));
  }
}

function notJson(beginning: string | undefined, cause: string | undefined): string {
  if (beginning !== undefined) return t('The answer is not JSON. It begins: {0}', beginning);
  return cause === undefined ? t('The answer is empty.') : t('The answer cannot be read ({0}).', cause);
}

/** The sentence for users: which parameter is invalid, and how to correct it. */
export function describeParameterError({ parameter, problem }: ParameterError): string {
  switch (problem) {
    case 'notAnOffset':
      return t('{0} must be a whole number, 0 or more.', parameter);
    case 'notALimit':
      return t('{0} must be a whole number, 1 or more.', parameter);
    case 'notADate':
      return t('{0} must be a day that exists, written like 2026-02-28.', parameter);
    case 'notADateTime':
      return t(
        '{0} must be a date and time that exist, with a time zone, written like 2026-02-28T13:45:00Z.',
        parameter,
      );
    case 'nestedMetadata':
      return t(
        '{0} holds a list, an object or null, which this connection cannot send. Choose the metadata format "json" for it, or filter by plain values.',
        parameter,
      );
    case 'emptyMetadata':
      return t('{0} has a metadata key without a name. Give the key a name.', parameter);
    case 'unwritableMetadata':
      return t(
        '{0} has characters that this connection cannot send. Choose the metadata format "json" for it, or use a key without square brackets.',
        parameter,
      );
  }
}

/** What happened and what to do, on one line. */
export function failureSentence(failure: Failure): string {
  const { sentence, nextStep } = failureText(failure);
  return nextStep === undefined ? sentence : `${endSentence(sentence)} ${nextStep}`;
}

/** Adds a missing full stop, so that another sentence can follow: the service's message may lack one. */
export function endSentence(sentence: string): string {
  return sentence.replace(/(?<=[\p{L}\p{N}])$/u, '.');
}
