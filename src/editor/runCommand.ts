import * as vscode from 'vscode';
import { isFailure, ParameterError, traceOf } from '../domain/failure.ts';
import type { Log } from '../service/ports.ts';
import type { CommandId } from './ids.ts';
import { UserError } from './userError.ts';

/**
 * Runs what a user asked for; the one way out for errors. A cancel is silent; anything else is told in a sentence with the
 * next step as a button, and its details go to the log. Never rejects, and does not wait until the message is read.
 * @returns what `body` gave; undefined when it did not get there.
 */
export async function runCommand<T>(log: Log, body: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await body();
  } catch (error) {
    if (isCancel(error)) return undefined;
    log.error(details(error));
    // The message may stay on the screen for long: the command is over all the same.
    void runQuietly(log, () => tell(error, () => runCommand(log, body)));
    return undefined;
  }
}

/** Runs what nobody asked for just now (timers, events): an error goes to the log alone. Never rejects. */
export async function runQuietly(log: Log, body: () => void | Promise<void>): Promise<void> {
  try {
    await body();
  } catch (error) {
    if (!isCancel(error)) log.warn(details(error));
  }
}

/** Registers a command that runs by {@link runCommand}. The handler gets what the editor passes on: decode it. */
export function registerCommand(
  log: Log,
  id: CommandId,
  handler: (...given: readonly unknown[]) => unknown,
): vscode.Disposable {
  return vscode.commands.registerCommand(id, (...given: readonly unknown[]) =>
    runCommand(log, () => handler(...given)),
  );
}

/** What an error is told with is loaded when there is one. */
async function tell(error: unknown, retry: () => unknown): Promise<void> {
  const { tellError } = await import('./tellError.ts');
  await tellError(error, retry);
}

function isCancel(error: unknown): boolean {
  return error instanceof vscode.CancellationError || isFailure(error, 'cancelled');
}

/** What we throw on purpose says all there is in one line; of anything else the place where it happened helps. */
function details(error: unknown): string {
  if (isFailure(error) || error instanceof ParameterError || error instanceof UserError) return error.message;
  return traceOf(error);
}
