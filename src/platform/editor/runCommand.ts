import * as vscode from 'vscode';
import { isFailure, ParameterError, describeError } from '../../base/failure.ts';
import { isArray } from '../../base/json/json.ts';
import type { Log } from '../../base/log.ts';
import type { CommandId } from './ids.ts';
import { UserError } from './messages.ts';
import { showError } from './showError.ts';
import type { Disposable } from '../../base/disposable.ts';

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
    void runQuietly(log, async () => showError(error, () => runCommand(log, body)));
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

let isNextRowSuppressed = false;

/**
 * Prevents the next command of a row from running: a key that acts on the focused row selects it first, and selecting a
 * row runs its command.
 * @returns ends this when disposed
 */
export function suppressNextRowCommand(): Disposable {
  isNextRowSuppressed = true;
  return { dispose: () => void (isNextRowSuppressed = false) };
}

function isSuppressedRow([row]: readonly unknown[]): boolean {
  if (!isNextRowSuppressed || typeof row !== 'object' || row === null || !('type' in row)) return false;
  isNextRowSuppressed = false;
  return true;
}

/**
 * True if a menu was used on a row that the editor has lost, because the list was rendered again at that moment
 * (microsoft/vscode#144250).
 * Menus and buttons of rows pass two arguments, keys and the palette at most one. Without this check, a command would
 * act on the selected row instead.
 */
function isLostRow(given: readonly unknown[]): boolean {
  const selected = given[1] ?? [];
  return given.length === 2 && isArray(selected) && [given[0], ...selected].includes(undefined);
}

/** Registers a command that runs by {@link runCommand}. The handler receives the editor's arguments undecoded. */
export function registerCommand(
  log: Log,
  id: CommandId,
  handler: (...given: readonly unknown[]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, (...given: readonly unknown[]) =>
    isSuppressedRow(given)
      ? undefined
      : runCommand(log, () => {
          if (isLostRow(given)) throw new UserError(vscode.l10n.t('The list was just refreshed. Try again.'));
          return handler(...given);
        }),
  );
}

function isCancel(error: unknown): boolean {
  return error instanceof vscode.CancellationError || isFailure(error, 'cancelled');
}

/** Returns log details. Expected errors are fully described by their message; all others are logged with a stack trace. */
function details(error: unknown): string {
  if (isFailure(error) || error instanceof ParameterError || error instanceof UserError) return error.message;
  return describeError(error);
}
