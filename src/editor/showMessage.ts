import * as vscode from 'vscode';
import { plainMessage } from './plainMessage.ts';

/** A button below a message. */
export interface NextStep {
  readonly title: string;
  run(): unknown;
}

/** Shows a message, without links, and does what the pressed button says. Settles when the message is gone, so await it only where that is wanted. */
export async function showMessage(
  severity: 'information' | 'warning' | 'error',
  message: string,
  nextSteps: readonly NextStep[] = [],
): Promise<void> {
  const titles = nextSteps.map(({ title }) => title);
  const chosen = await show(severity, plainMessage(message), titles);
  await nextSteps.find(({ title }) => title === chosen)?.run();
}

function show(
  severity: 'information' | 'warning' | 'error',
  message: string,
  titles: readonly string[],
): Thenable<string | undefined> {
  switch (severity) {
    case 'information':
      return vscode.window.showInformationMessage(message, ...titles);
    case 'warning':
      return vscode.window.showWarningMessage(message, ...titles);
    case 'error':
      return vscode.window.showErrorMessage(message, ...titles);
  }
}
