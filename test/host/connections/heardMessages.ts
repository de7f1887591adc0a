import * as vscode from 'vscode';

/** A message that was shown, with the labels of its buttons. */
export interface HeardMessage {
  readonly text: string;
  readonly buttons: readonly string[];
}

/** Runs `body` while messages are recorded instead of shown. @param press label of a button to press, once. */
export async function heardMessages(body: () => unknown, press?: string): Promise<readonly HeardMessage[]> {
  const heard: HeardMessage[] = [];
  let pressed = press;
  const hear = async (text: string, ...buttons: readonly string[]): Promise<string | undefined> => {
    heard.push({ text, buttons });
    const chosen = buttons.find((button) => button === pressed);
    if (chosen !== undefined) pressed = undefined;
    return chosen;
  };
  const { showErrorMessage, showInformationMessage, showWarningMessage } = vscode.window;
  Object.assign(vscode.window, { showErrorMessage: hear, showInformationMessage: hear, showWarningMessage: hear });
  try {
    await body();
    // Commands do not wait for their messages: give them time to finish.
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage, showWarningMessage });
  }
  return heard;
}
