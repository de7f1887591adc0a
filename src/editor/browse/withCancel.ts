import * as vscode from 'vscode';

/** Shows a notification with progress and a Cancel button for as long as something runs. */
export async function withCancel<T>(
  title: string,
  body: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const stop = new AbortController();
      const listening = token.onCancellationRequested(() => stop.abort());
      try {
        return await body(stop.signal, (message) => progress.report({ message }));
      } finally {
        listening.dispose();
      }
    },
  );
}
