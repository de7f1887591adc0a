import { Failure, isFailure } from '../domain/failure.ts';
import { ParameterError } from '../domain/parameterError.ts';
import { parameterText } from '../domain/parameterText.ts';
import type { ListFailure } from './listState.ts';

/** What a list has to show when its source threw; nothing after a cancel. */
export function listFailure(error: unknown, during: ListFailure['during'], atMs: number): ListFailure | undefined {
  if (isFailure(error, 'cancelled')) return undefined;
  if (isFailure(error)) return { failure: error, atMs, during };
  // A filter that this connection's query style cannot express.
  if (error instanceof ParameterError) {
    return { failure: new Failure('rejected', { serviceMessage: parameterText(error) }), atMs, during };
  }
  return { failure: new Failure('unexpectedShape'), atMs, during };
}
