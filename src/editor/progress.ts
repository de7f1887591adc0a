import * as vscode from 'vscode';
import { systemClock, type Clock } from '../service/clock.ts';
import { plainMessage } from './messages.ts';

/** Work that is over sooner shows nothing: a flash tells nobody anything, and the editor drops notifications that come in quick succession. */
const quickMs = 400;

/** Tells how far something is: in words, and how many hundredths of it are new. */
export type Report = (message: string, increment?: number) => void;

/** Shows a notification with progress and a Cancel button for as long as something runs, unless that is but a moment. */
export async function withCancel<T>(
  title: string,
  body: (signal: AbortSignal, report: Report) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const stop = new AbortController();
  // What was reported before anything was shown.
  let latest: { readonly message: string; readonly increment: number } | undefined;
  let report: Report = (message, increment = 0) => {
    latest = { message, increment: (latest?.increment ?? 0) + increment };
  };
  const running = body(stop.signal, (message, increment) => report(message, increment));
  if (await endsWithin(running, quickMs, clock)) return running;
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: plainMessage(title), cancellable: true },
    async (progress, token) => {
      report = (message, increment = 0) =>
        progress.report({ message: plainMessage(message), ...(increment > 0 && { increment }) });
      if (latest !== undefined) report(latest.message, latest.increment);
      const listening = token.onCancellationRequested(() => stop.abort());
      try {
        return await running;
      } finally {
        listening.dispose();
      }
    },
  );
}

/** Whether something has succeeded or failed by then. */
function endsWithin(running: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = clock.after(ms, () => resolve(false));
    const end = (): void => {
      timer.dispose();
      resolve(true);
    };
    running.then(end, end);
  });
}
