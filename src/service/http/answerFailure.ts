import { Failure, type FailureCode, type FailureFacts } from '../../domain/failure.ts';
import { readErrorBody } from './errorBody.ts';
import type { Answer } from './exchange.ts';
import { retryAtMs } from './retryPlan.ts';
import { failureWithoutKey, withoutKey } from './secretGuard.ts';

/**
 * Names an answer that is not 2xx (contract 7 shows neither the statuses nor the bodies).
 * @param key blotted out wherever the answer repeats it.
 * @param nowMs our clock, against which `Retry-After` is counted.
 */
export function answerFailure(answer: Answer, key: string, nowMs: number): Failure {
  const body = readErrorBody(answer.text, (text) => withoutKey(text, key));
  const { message, fieldErrors, requestId = requestIdOf(answer) } = body;
  const retryAt = retryAtMs(answer.headers['retry-after'], serviceDateMs(answer), nowMs);
  const facts: FailureFacts = {
    status: answer.status,
    ...(message !== undefined && { serviceMessage: message }),
    ...(fieldErrors.length > 0 && { fieldErrors }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAt !== undefined && { retryAtMs: retryAt }),
  };
  return failureWithoutKey(new Failure(failureCode(answer.status), facts), key);
}

function failureCode(status: number): FailureCode {
  switch (status) {
    case 401:
    case 403:
      return 'keyRejected';
    case 404:
      return 'notFound';
    case 407:
      return 'proxy';
    case 429:
      return 'rateLimited';
    default:
      if (status < 400) return 'redirected';
      return status < 500 ? 'rejected' : 'serverFailed';
  }
}

/** The service's clock at the time of the answer, milliseconds since the epoch. */
export function serviceDateMs(answer: Answer): number | undefined {
  const ms = Date.parse(answer.headers.date ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** The identifier of the request, where a header tells it. */
export function requestIdOf(answer: Answer): string | undefined {
  for (const name of ['x-request-id', 'request-id', 'x-correlation-id', 'x-aipi-call-id']) {
    const value = answer.headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
