import { t } from '@vscode/l10n';
import { formatClockTime } from './format.ts';
import { Failure, failureCodes, type ParameterError } from './failure.ts';

/** The description of a failure for users. */
export interface FailureText {
  /** The description of the problem, including the service's message if there is one. */
  readonly sentence: string;
  /** The user's next step; undefined if there is none. */
  readonly nextStep: string | undefined;
}

/** Describes a failure in plain language. */
export function failureText(failure: Failure): FailureText {
  const { status, serviceMessage, cause, retryAtMs } = failure.facts;
  const describe = (sentence: string, nextStep?: string): FailureText => ({
    sentence: serviceMessage === undefined ? sentence : t('{0} The service says: {1}', sentence, serviceMessage),
    nextStep,
  });
  switch (failure.code) {
    case 'noConnection':
      return describe(
        t('No usable connection.'),
        t('Connect to a service, or correct the connection in the settings.'),
      );
    case 'noKey':
      return describe(t('This connection has no API key.'), t('Set it with Transcription: Set API Key.'));
    case 'keyRejected':
      return describe(
        t('The service rejected the API key.'),
        t('Enter the key again with Transcription: Set API Key, and check its permissions.'),
      );
    case 'notFound':
      return describe(t("The service doesn't know this address."), t('Check the base URL of the connection.'));
    case 'jobNotFound':
      return describe(t('This job was not found among the jobs searched.'), t('Refresh the list and open it there.'));
    case 'resultGone':
      return describe(t('The service no longer sends the result of this job.'), t('Look for it on the service.'));
    case 'rejected':
      return describe(
        status === undefined
          ? t('The service refused the request.')
          : t('The service refused the request (status {0}).', status),
        t('Correct the request and try again.'),
      );
    case 'rateLimited':
      return describe(
        t('Rate limit reached.'),
        retryAtMs === undefined
          ? t('Wait a moment and try again.')
          : t('Try again after {0}.', formatClockTime(retryAtMs)),
      );
    case 'serverFailed':
      return describe(
        status === undefined ? t('Service error.') : t('Service error (status {0}).', status),
        retryAtMs === undefined ? t('Try again later.') : t('Try again after {0}.', formatClockTime(retryAtMs)),
      );
    case 'timeout':
      return describe(
        t('The service did not respond in time.'),
        t('Try again. If this happens often, increase "timeoutSeconds" of the connection in the settings.'),
      );
    case 'offline':
      return describe(
        cause === undefined ? t("The service can't be reached.") : t("The service can't be reached ({0}).", cause),
        t('Check the network and the base URL of the connection, then try again.'),
      );
    case 'proxy':
      return describe(
        t('The proxy blocked the request.'),
        t("Check the editor's proxy settings and your proxy sign-in."),
      );
    case 'tls':
      return describe(
        cause === undefined
          ? t("The secure connection to the service isn't trusted.")
          : t("The secure connection to the service isn't trusted ({0}).", cause),
        t("Check the base URL and this computer's clock and certificates. Nothing was sent."),
      );
    case 'notJson':
      return {
        sentence: notJson(serviceMessage, cause),
        nextStep: isCutJson(serviceMessage)
          ? t('Try again. If it happens again, the service has a problem.')
          : t('Check the base URL. A network sign-in page may be blocking the request.'),
      };
    case 'unexpectedShape':
      return describe(t("The response doesn't look like a list of jobs."), t('Check the base URL of the connection.'));
    case 'tooLarge':
      return describe(
        t('The response is larger than 32 MiB and was not read.'),
        t('Reduce "limit" of the connection in the settings.'),
      );
    case 'redirected':
      return describe(
        cause === undefined
          ? t('The service redirected to another address; it was not followed.')
          : t('The service redirected to another address; it was not followed ({0}).', cause),
        t('If you trust the new address, set it as the base URL of the connection.'),
      );
    case 'cancelled':
      return describe(t('Canceled.'));
  }
}

function notJson(beginning: string | undefined, cause: string | undefined): string {
  if (beginning !== undefined) {
    return isCutJson(beginning)
      ? t('The response is incomplete, or its JSON is invalid. It starts with: {0}', beginning)
      : t('The response is not JSON. It starts with: {0}', beginning);
  }
  return cause === undefined ? t('The response is empty.') : t("The response can't be read ({0}).", cause);
}

/** True if a response that is not JSON begins like an object or a list. */
function isCutJson(beginning: string | undefined): boolean {
  return /^\s*(?:\{\s*["}]|\[\s*[\]{["])/u.test(beginning ?? '');
}

/** Returns the sentence for users that names the invalid parameter and explains how to correct it. */
export function describeParameterError({ parameter, problem }: ParameterError): string {
  switch (problem) {
    case 'notAnOffset':
      return t('{0} must be a whole number, 0 or more.', parameter);
    case 'notALimit':
      return t('{0} must be a whole number, 1 or more.', parameter);
    case 'notADate':
      return t('{0} must be a valid day, such as 2026-02-28.', parameter);
    case 'notADateTime':
      return t('{0} must be a valid date and time with a time zone, such as 2026-02-28T13:45:00Z.', parameter);
    case 'nestedMetadata':
      return t(
        '{0} contains a list, an object or null, which this connection can\'t send. Set its metadata format to "json", or filter by plain values.',
        parameter,
      );
    case 'emptyMetadata':
      return t('{0} has a metadata key without a name. Enter a name.', parameter);
    case 'unwritableMetadata':
      return t(
        '{0} contains characters that this connection can\'t send. Set its metadata format to "json", or use a key without square brackets.',
        parameter,
      );
  }
}

/**
 * Returns the page of all codes in Markdown, as in `docs/error-codes.md`, which the log and the tooltips of rows refer
 * to. @param wanted code to highlight
 */
export function explainFailures(wanted: string): string {
  const lines = failureCodes.map((code) => {
    const said = failureSentence(new Failure(code));
    return code === wanted ? `- **\`${code}\`** — **${said}**` : `- \`${code}\` — ${said}`;
  });
  return `# ${t('Error codes')}\n\n${lines.join('\n')}\n`;
}

/** Returns the problem and the next step, on one line. */
export function failureSentence(failure: Failure): string {
  const { sentence, nextStep } = failureText(failure);
  return nextStep === undefined ? sentence : `${endSentence(sentence)} ${nextStep}`;
}

/** Adds a missing full stop, so that another sentence can follow. The service's message may have none. */
export function endSentence(sentence: string): string {
  return sentence.replace(/(?<=[\p{L}\p{N}])$/u, '.');
}
