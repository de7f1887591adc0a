import * as vscode from 'vscode';

/** The text of a file, as it is in the editor when it is open there, as it is stored otherwise. */
export async function readText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  if (open) return open.getText();
  // Drops a byte order mark, as opening the file would.
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
