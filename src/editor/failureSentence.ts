import type { Failure } from '../domain/failure.ts';
import { failureText } from '../domain/failureText.ts';

/** What happened and what to do about it, in one line of text. */
export function failureSentence(failure: Failure): string {
  const { sentence, nextStep } = failureText(failure);
  // The service's own words may end without a full stop.
  return nextStep === undefined ? sentence : `${sentence.replace(/(?<=[\p{L}\p{N}])$/u, '.')} ${nextStep}`;
}
