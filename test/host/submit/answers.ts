import * as vscode from 'vscode';
import { until } from '../../support/until.ts';

/** A message or dialog that was shown. */
export interface Shown {
  readonly text: string;
  /** Only modal dialogs have one. */
  readonly detail: string | undefined;
  readonly buttons: readonly string[];
}

/**
 * Runs `body` while dialogs and messages are answered instead of shown.
 * @param answers labels of the buttons to press, in order: the next dialog or message with that button gets it pressed.
 * @returns the shown dialogs and messages. Nothing waits for messages, so `settled` reports if all expected ones have arrived.
 */
export async function answering(
  body: () => unknown,
  answers: readonly string[],
  settled: (shown: readonly Shown[]) => boolean = () => true,
): Promise<readonly Shown[]> {
  const shown: Shown[] = [];
  const left = [...answers];
  const hear = async (text: string, ...rest: readonly unknown[]): Promise<string | undefined> => {
    const [options] = rest;
    const isModal = typeof options === 'object' && options !== null;
    const buttons = rest.filter((each) => typeof each === 'string');
    const detail = isModal && 'detail' in options ? String(options.detail) : undefined;
    shown.push({ text, detail, buttons });
    const [next] = left;
    if (next === undefined || !buttons.includes(next)) return undefined;
    left.shift();
    return next;
  };
  const { showErrorMessage, showInformationMessage, showWarningMessage } = vscode.window;
  Object.assign(vscode.window, { showErrorMessage: hear, showInformationMessage: hear, showWarningMessage: hear });
  try {
    await body();
    await until('the messages that are expected', () => settled(shown));
  } finally {
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage, showWarningMessage });
  }
  return shown;
}
