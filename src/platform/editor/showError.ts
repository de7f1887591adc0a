import * as vscode from 'vscode';
import { isFailure, ParameterError, type Failure } from '../../base/failure.ts';
import { describeParameterError, failureSentence } from '../../base/failureText.ts';
import { commandIds, errorCodesTopic, explainCommand } from './ids.ts';
import {
  UserError,
  showLogStep,
  showMessage,
  type NextStep,
  commandStep,
  openSettings,
  openSettingsStep,
} from './messages.ts';

/** Shows an error as a notification with the next step as a button. Settles when it is closed. */
export async function showError(error: unknown, retry: () => unknown): Promise<void> {
  await showMessage('error', errorSentence(error), nextStepsOf(error, retry));
}

/** Returns the sentence of any error for users. */
export function errorSentence(error: unknown): string {
  return (
    knownErrorSentence(error) ??
    vscode.l10n.t('Sorry, something went wrong in Transcription Jobs. See the log for details.')
  );
}

/** Returns the sentence of an expected error; undefined for any other. */
export function knownErrorSentence(error: unknown): string | undefined {
  if (isFailure(error)) return failureSentence(error);
  if (error instanceof ParameterError) return describeParameterError(error);
  return error instanceof UserError ? error.message : undefined;
}

function nextStepsOf(error: unknown, retry: () => unknown): readonly NextStep[] {
  if (isFailure(error)) return nextStepsAfter(error, retry);
  if (error instanceof UserError) return error.nextSteps;
  return knownErrorSentence(error) === undefined ? [showLogStep()] : [];
}

/**
 * Returns the buttons of a failure notification: at most three useful next steps, the best first. If there is room,
 * adds one that explains its code.
 */
export function nextStepsAfter(failure: Failure, retry: () => unknown): readonly NextStep[] {
  const steps = remediesOf(failure, retry);
  const learn: NextStep = {
    title: vscode.l10n.t('Learn More'),
    run: () => vscode.commands.executeCommand(explainCommand, `${errorCodesTopic}/${failure.code}`),
  };
  return steps.length < 3 ? [...steps, learn] : steps;
}

function remediesOf(failure: Failure, retry: () => unknown): readonly NextStep[] {
  const { l10n } = vscode;
  const again: NextStep = { title: l10n.t('Retry'), run: retry };
  const setKey = commandStep(l10n.t('Set API Key'), commandIds.setApiKey);
  const edit = commandStep(l10n.t('Edit Connection'), commandIds.editConnection);
  const log = showLogStep();
  switch (failure.code) {
    case 'noConnection':
      return [
        commandStep(l10n.t('Connect to a Service'), commandIds.connect),
        commandStep(l10n.t('Try It with Sample Jobs'), commandIds.useSample),
      ];
    case 'noKey':
      return [setKey];
    case 'keyRejected':
      return [setKey, log];
    case 'notFound':
    case 'notJson':
    case 'unexpectedShape':
    case 'redirected':
      return [edit, log];
    case 'offline':
      return [again, edit, log];
    case 'rateLimited':
    case 'serverFailed':
      return [again, log];
    case 'timeout':
      return [again, openSettingsStep('connections'), log];
    case 'proxy':
      return [again, { title: l10n.t('Open Settings'), run: () => openSettings('http.proxy') }, log];
    case 'tls':
    case 'rejected':
    case 'jobNotFound':
    case 'resultGone':
      return [log];
    case 'tooLarge':
      return [openSettingsStep('connections')];
    case 'cancelled':
      return [];
  }
}
