import * as vscode from 'vscode';

/** Work that is over sooner shows nothing: a flash tells nobody anything, and the editor drops notifications that come in quick succession. */
const quickMs = 400;

/** Shows a notification with progress and a Cancel button for as long as something runs, unless that is but a moment. */
export async function withCancel<T>(
  title: string,
  body: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  let message: string | undefined;
  let show: ((message: string) => void) | undefined;
  const running = body(stop.signal, (text) => {
    message = text;
    show?.(text);
  });
  if (await endsWithin(running, quickMs)) return running;
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      show = (text) => progress.report({ message: text });
      if (message !== undefined) show(message);
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
function endsWithin(running: Promise<unknown>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    running.then(end, end);
  });
}
