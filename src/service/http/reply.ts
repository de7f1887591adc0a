import { firstWords } from '../../domain/jobs/decodePage.ts';
import { Failure, isFailure } from '../../domain/failure.ts';
import { answerFailure, requestIdOf, serviceDateMs } from './answerFailure.ts';
import type { Answer, ExchangeResult } from './exchange.ts';
import { failureWithoutKey, withoutKey } from './secretGuard.ts';

/** How the service took one request. */
export type Reply =
  | { readonly type: 'success'; readonly answer: Answer }
  | { readonly type: 'refusal'; readonly answer: Answer; readonly failure: Failure }
  | Extract<ExchangeResult, { readonly type: 'broken' }>;

/** A 2xx answer, as its reader gets it. */
export interface Success {
  readonly status: number;
  readonly text: string;
  /** The service's clock, milliseconds since the epoch. */
  readonly serviceDateMs: number | undefined;
  /** An earlier try was answered 429. */
  readonly slowDown: boolean;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Tells yes from no; the no without the key. */
export function replyOf(result: ExchangeResult, key: string, nowMs: number): Reply {
  if (result.type === 'broken') return { ...result, failure: failureWithoutKey(result.failure, key) };
  const { answer } = result;
  if (isSuccess(answer.status)) return { type: 'success', answer };
  return { type: 'refusal', answer, failure: answerFailure(answer, key, nowMs) };
}

/** A reply as the log tells it; may hold the key where the service repeats it. */
export function replyWords(reply: Reply): string {
  if (reply.type === 'broken') return reply.failure.message;
  const refused = reply.type === 'refusal';
  const requestId = refused ? reply.failure.facts.requestId : requestIdOf(reply.answer);
  const words = `${reply.answer.status}${refused ? ` ${reply.failure.code}` : ''}`;
  return requestId === undefined ? words : `${words} (${requestId})`;
}

/**
 * Hands a 2xx answer to its reader.
 * @throws what the reader throws; `notJson` with what is known of the answer.
 */
export function readAnswer<T>(answer: Answer, key: string, read: (success: Omit<Success, 'slowDown'>) => T): T {
  const { status, text } = answer;
  try {
    return read({ status, text, serviceDateMs: serviceDateMs(answer) });
  } catch (error) {
    if (!isFailure(error, 'notJson')) throw error;
    const requestId = requestIdOf(answer);
    const words = firstWords(withoutKey(text, key));
    throw new Failure('notJson', {
      status,
      ...(words !== '' && { serviceMessage: words }),
      ...(requestId !== undefined && { requestId }),
    });
  }
}
