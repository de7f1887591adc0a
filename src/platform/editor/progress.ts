import * as vscode from 'vscode';
import { systemClock, type Clock } from '../../base/clock.ts';
import { plainMessage } from './messages.ts';

/** In milliseconds. Shorter work shows no progress: it would only flash, and the editor drops notifications in quick succession. */
const quickMs = 400;

/** Reports progress: a text, and the increment in percent. */
export type Report = (message: string, increment?: number) => void;

/** Shows a progress notification with a Cancel button while something runs, unless it ends within `quickMs`. */
export async function withCancel<T>(
  title: string,
  body: (signal: AbortSignal, report: Report) => Promise<T>,
  clock: Clock = systemClock,
): Promise<T> {
  const stop = new AbortController();
  // The last report before the notification was shown.
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

/** True if something settles within `ms`. */
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
