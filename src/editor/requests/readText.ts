import * as vscode from 'vscode';

/** The text of a file, as it is in the editor when it is open there, as it is stored otherwise. */
export async function readText(uri: vscode.Uri): Promise<string> {
  const open = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  return open ? open.getText() : readStored(uri);
}

/** The text of a file as the editor would show it: by its byte order mark, which is left out, or the setting for such files. */
export async function readStored(uri: vscode.Uri): Promise<string> {
  const text = await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  return text.replace(/^\uFEFF/u, '');
}
