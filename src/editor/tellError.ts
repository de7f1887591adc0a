import * as vscode from 'vscode';
import { isFailure, ParameterError } from '../domain/failure.ts';
import { parameterText, failureSentence } from '../domain/failureText.ts';
import { showLogStep } from './nextSteps.ts';
import { nextStepsAfter } from './nextStepsAfter.ts';
import { showMessage, type NextStep } from './showMessage.ts';
import { UserError } from './userError.ts';

/** Says in a sentence what went wrong, with the next step as a button. Settles when the message is gone. */
export async function tellError(error: unknown, retry: () => unknown): Promise<void> {
  const { sentence, nextSteps } = told(error, retry);
  await showMessage('error', sentence, nextSteps);
}

function told(error: unknown, retry: () => unknown): { sentence: string; nextSteps: readonly NextStep[] } {
  if (isFailure(error)) return { sentence: failureSentence(error), nextSteps: nextStepsAfter(error, retry) };
  if (error instanceof ParameterError) return { sentence: parameterText(error), nextSteps: [] };
  if (error instanceof UserError) return { sentence: error.message, nextSteps: error.nextSteps };
  return {
    sentence: vscode.l10n.t('Sorry, something went wrong in Transcription Jobs. The log has the details.'),
    nextSteps: [showLogStep()],
  };
}
