import { Failure, isFailure, ParameterError } from '../domain/failure.ts';
import { parameterText } from '../domain/failureText.ts';
import type { ListFailure } from './listState.ts';

/**
 * What a list has to show when its source threw; nothing after a cancel.
 * @param before what it showed until now
 */
export function listFailure(
  error: unknown,
  during: ListFailure['during'],
  atMs: number,
  before: ListFailure | undefined,
): ListFailure | undefined {
  if (isFailure(error, 'cancelled')) return undefined;
  const sinceMs = before?.during === during ? before.sinceMs : atMs;
  return { failure: listed(error), atMs, sinceMs, during };
}

function listed(error: unknown): Failure {
  if (isFailure(error)) return error;
  // A filter that this connection's query style cannot express.
  if (error instanceof ParameterError) return new Failure('rejected', { serviceMessage: parameterText(error) });
  return new Failure('unexpectedShape');
}
