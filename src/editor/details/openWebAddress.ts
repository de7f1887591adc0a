import * as vscode from 'vscode';

/** Opens a link of a page, after the editor's own question whether to. Only http and https go out; a page is not believed. */
export async function openWebAddress(address: string): Promise<void> {
  const { protocol } = URL.canParse(address) ? new URL(address) : { protocol: '' };
  if (protocol !== 'http:' && protocol !== 'https:') return;
  await vscode.env.openExternal(vscode.Uri.parse(address, true));
}
