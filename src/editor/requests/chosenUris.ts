import * as vscode from 'vscode';
import { isRequestFile } from './isRequestFile.ts';

/** What a command was called on: a lens gives one address, the explorer the one clicked and all that are selected. */
export function chosenUris([one, all]: readonly unknown[]): readonly vscode.Uri[] {
  const uris = (Array.isArray(all) ? all : []).filter((each) => each instanceof vscode.Uri);
  if (uris.length > 0) return uris;
  return one instanceof vscode.Uri ? [one] : [];
}

/** The request file in the active editor; undefined when there is something else. */
export function activeRequest(): vscode.TextDocument | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && isRequestFile(document) ? document : undefined;
}
