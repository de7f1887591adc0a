import { extractWords, oneLine } from '../../base/outsideText.ts';
import { Failure, isFailure, type FailureCode, type FailureFacts } from '../../base/failure.ts';
import type { HttpResponse, ExchangeResult } from './exchange.ts';
import type { KeyMask } from './keyMask.ts';
import { readErrorBody } from './errorBody.ts';
import { parseRetryAfter } from './retry.ts';

/** Result of one request. */
export type Reply =
  | { readonly type: 'success'; readonly answer: HttpResponse }
  | { readonly type: 'refusal'; readonly answer: HttpResponse; readonly failure: Failure }
  | Extract<ExchangeResult, { readonly type: 'broken' }>;

/** A 2xx response, as passed to its decoder. */
export interface Success {
  readonly status: number;
  readonly text: string;
  /** The service's clock, milliseconds since the epoch. */
  readonly serviceDateMs: number | undefined;
  /** An earlier attempt received a 429 response. */
  readonly slowDown: boolean;
  /** Masks texts that the decoder quotes from the response. */
  readonly keyMask: KeyMask;
}

/** Classifies a response as success or failure; the failure's texts are masked. */
export function readReply(result: ExchangeResult, keyMask: KeyMask, nowMs: number): Reply {
  if (result.type === 'broken') return { ...result, failure: keyMask.applyToFailure(result.failure) };
  const { answer } = result;
  if (isSuccess(answer.status)) return { type: 'success', answer };
  return { type: 'refusal', answer, failure: describeRefusal(answer, keyMask, nowMs) };
}

/** Describes a reply as a log line, with the key masked. */
export function describeReply(reply: Reply, keyMask: KeyMask): string {
  if (reply.type === 'broken') return reply.failure.message;
  const refused = reply.type === 'refusal';
  const requestId = refused ? reply.failure.facts.requestId : readRequestId(reply.answer, keyMask);
  const words = `${reply.answer.status}${refused ? ` ${reply.failure.code}` : ''}`;
  return requestId === undefined ? words : `${words} (${requestId})`;
}

/**
 * Decodes a 2xx response.
 * @throws the decoder's errors; `notJson` with the known facts of the response.
 */
export async function readAnswer<T>(
  answer: HttpResponse,
  keyMask: KeyMask,
  read: (success: Omit<Success, 'slowDown'>) => T | Promise<T>,
): Promise<T> {
  const { status, text } = answer;
  try {
    return await read({ status, text, serviceDateMs: readServiceDateMs(answer), keyMask });
  } catch (error) {
    if (!isFailure(error, 'notJson')) throw error;
    const requestId = readRequestId(answer, keyMask);
    const words = extractWords(keyMask.applyToBeginning(text));
    throw new Failure('notJson', {
      status,
      ...(words !== '' && { serviceMessage: words }),
      ...(requestId !== undefined && { requestId }),
    });
  }
}

/**
 * Returns the failure for a response that is not 2xx (contract 7 shows neither the statuses nor the bodies).
 * @param keyMask masks the key wherever the response repeats it.
 * @param nowMs the local clock, to which `Retry-After` is relative.
 */
export function describeRefusal(answer: HttpResponse, keyMask: KeyMask, nowMs: number): Failure {
  const body = readErrorBody(answer, keyMask);
  const { message, fieldErrors, requestId = readRequestId(answer, keyMask) } = body;
  const retryAt = parseRetryAfter(answer.headers['retry-after'], readServiceDateMs(answer), nowMs);
  const facts: FailureFacts = {
    status: answer.status,
    ...(message !== undefined && { serviceMessage: message }),
    ...(fieldErrors.length > 0 && { fieldErrors }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAt !== undefined && { retryAtMs: retryAt }),
  };
  return keyMask.applyToFailure(new Failure(codeOfStatus(answer.status), facts));
}

/** Returns the code for a response of 300 and above, by its HTTP status. */
export function codeOfStatus(status: number): FailureCode {
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

/** Returns the service's clock at the time of the response, milliseconds since the epoch. */
function readServiceDateMs(answer: HttpResponse): number | undefined {
  const ms = Date.parse(answer.headers.date ?? '');
  return Number.isNaN(ms) ? undefined : ms;
}

/** Returns the request id from a response header: one short line, masked before it is cut. */
function readRequestId(answer: HttpResponse, keyMask: KeyMask): string | undefined {
  for (const name of ['x-request-id', 'request-id', 'x-correlation-id', 'x-aipi-call-id']) {
    const value = answer.headers[name];
    if (typeof value === 'string' && value !== '') return oneLine(keyMask.applyToBeginning(value));
  }
  return undefined;
}

/** Query parameters whose values may be logged. Custom metadata is private to the user. */
const loggable = /^(?:offset|limit|date|before_date|after_date|status|kind)(?:\[\])?$/;

/** A redirect URL can be as long as a header. */
const maxPathCharacters = 500;

/** Describes a request as a log line: method, path, and the query values that may be logged. Masked before it is cut. */
export function describeRequest(method: string, url: URL, keyMask: KeyMask): string {
  const query = [...url.searchParams].map(([name, value]) => `${name}=${loggable.test(name) ? value : '…'}`).join('&');
  const path = keyMask.apply(`${url.pathname}${query === '' ? '' : `?${query}`}`);
  return `${method} ${path.length > maxPathCharacters ? `${path.slice(0, maxPathCharacters)}…` : path}`;
}

/** True if a status is 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
