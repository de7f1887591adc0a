import * as vscode from 'vscode';
import { isFailure, ParameterError, describeError, type Failure } from '../domain/failure.ts';
import type { Log } from '../service/ports.ts';
import { type CommandId, commandIds } from './ids.ts';
import {
  UserError,
  showLogStep,
  showMessage,
  type NextStep,
  commandStep,
  openSettings,
  openSettingsStep,
} from './messages.ts';
import { describeParameterError, failureSentence } from '../domain/failureText.ts';

/**
 * Runs a user's command; the single place that handles its errors. Cancellation is silent; any other error shows a notification with the
 * next step as a button and is logged in detail. Never rejects, and does not wait for the notification.
 * @returns the result of `body`; undefined when it failed.
 */
export async function runCommand<T>(log: Log, body: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await body();
  } catch (error) {
    if (isCancel(error)) return undefined;
    log.error(details(error));
    // Not awaited: the notification may stay open long after the command has finished.
    void runQuietly(log, () => tellError(error, () => runCommand(log, body)));
    return undefined;
  }
}

/** Runs background work (timers, events): errors are only logged. Never rejects. */
export async function runQuietly(log: Log, body: () => void | Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (!isCancel(error)) log.warn(details(error));
  }
}

/**
 * Whether the next command of a row is kept from running: a key that acts on the focused row selects it first, and selecting a row runs
 * its command.
 */
export const nextRow = { isHeld: false };

function isHeldRow([row]: readonly unknown[]): boolean {
  if (!nextRow.isHeld || typeof row !== 'object' || row === null || !('type' in row)) return false;
  nextRow.isHeld = false;
  return true;
}

/** Registers a command that runs by {@link runCommand}. The handler receives the editor's arguments undecoded. */
export function registerCommand(
  log: Log,
  id: CommandId,
  handler: (...given: readonly unknown[]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, (...given: readonly unknown[]) =>
    isHeldRow(given) ? undefined : runCommand(log, () => handler(...given)),
  );
}

function isCancel(error: unknown): boolean {
  return error instanceof vscode.CancellationError || isFailure(error, 'cancelled');
}

/** Expected errors are fully described by their message; all others are logged with a stack trace. */
function details(error: unknown): string {
  if (isFailure(error) || error instanceof ParameterError || error instanceof UserError) return error.message;
  return describeError(error);
}

/** Shows an error as a notification with the next step as a button. Settles when it is closed. */
export async function tellError(error: unknown, retry: () => unknown): Promise<void> {
  const { sentence, nextSteps } = told(error, retry);
  await showMessage('error', sentence, nextSteps);
}

function told(error: unknown, retry: () => unknown): { sentence: string; nextSteps: readonly NextStep[] } {
  if (isFailure(error)) return { sentence: failureSentence(error), nextSteps: nextStepsAfter(error, retry) };
  if (error instanceof ParameterError) return { sentence: describeParameterError(error), nextSteps: [] };
  if (error instanceof UserError) return { sentence: error.message, nextSteps: error.nextSteps };
  return {
    sentence: vscode.l10n.t('Sorry, something went wrong in Transcription Jobs. The log has the details.'),
    nextSteps: [showLogStep()],
  };
}

/** Buttons of a failure notification: at most three useful next steps, the best first. */
export function nextStepsAfter(failure: Failure, retry: () => unknown): readonly NextStep[] {
  const { l10n } = vscode;
  const again: NextStep = { title: l10n.t('Retry'), run: retry };
  const setKey = commandStep(l10n.t('Set API Key'), commandIds.setApiKey);
  const edit = commandStep(l10n.t('Edit Connection'), commandIds.editConnection);
  const log = showLogStep();
  switch (failure.code) {
    case 'noConnection':
      return [
        commandStep(l10n.t('Connect to a Service'), commandIds.connect),
        commandStep(l10n.t('Try Sample Jobs'), commandIds.useSample),
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
      return [again, openSettingsStep('requestTimeoutSeconds'), log];
    case 'proxy':
      return [again, { title: l10n.t('Open Settings'), run: () => openSettings('http.proxy') }, log];
    case 'tls':
    case 'rejected':
    case 'jobNotFound':
    case 'resultGone':
      return [log];
    case 'tooLarge':
      return [openSettingsStep('pageSize')];
    case 'cancelled':
      return [];
  }
}
