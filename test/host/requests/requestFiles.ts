import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri;

/** Writes a new request file with this text to the workspace. */
export async function writeRequest(text: string, name: string = randomUUID()): Promise<vscode.Uri> {
  assert.ok(folder, 'the tests run in a folder');
  const uri = vscode.Uri.joinPath(folder, `${name}.transcription.json`);
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return uri;
}

/** Opens a new request file in an editor. */
export async function openRequest(text: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(await writeRequest(text));
  await vscode.window.showTextDocument(document);
  return document;
}

export async function replaceText(document: vscode.TextDocument, text: string): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.Range(new vscode.Position(0, 0), document.positionAt(document.getText().length));
  edit.replace(document.uri, all, text);
  assert.ok(await vscode.workspace.applyEdit(edit));
}

/** Waits until the diagnostics of a file satisfy the condition, and returns them. */
export function diagnosticsOf(
  uri: vscode.Uri,
  wanted: (diagnostics: readonly vscode.Diagnostic[]) => boolean,
): Promise<readonly vscode.Diagnostic[]> {
  return new Promise((resolve) => {
    const look = (): void => {
      const diagnostics = vscode.languages.getDiagnostics(uri);
      if (!wanted(diagnostics)) return;
      listener.dispose();
      resolve(diagnostics);
    };
    const listener = vscode.languages.onDidChangeDiagnostics(look);
    look();
  });
}

export function codeOf({ code }: vscode.Diagnostic): string {
  return String(typeof code === 'object' ? code.value : code);
}

/** True if a diagnostic comes from the editor's JSON service and not from the extension. */
export function isBuiltIn({ source }: vscode.Diagnostic): boolean {
  return source !== 'Transcription';
}

/** Returns the range of a text in a document. */
export function rangeOf(document: vscode.TextDocument, piece: string): vscode.Range {
  const offset = document.getText().indexOf(piece);
  assert.notEqual(offset, -1, `${piece} is not there`);
  return new vscode.Range(document.positionAt(offset), document.positionAt(offset + piece.length));
}

export async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}
