import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The pages that `dist/page` has. */
export type PageName = 'job' | 'comparison';

/** The one folder a page may load from. */
export function pageFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'page');
}

/** The document of a page: an empty body, its own script by nonce, its own style sheet, and nothing else from anywhere. */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, name: PageName): string {
  const file = (ending: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(pageFolder(extensionUri), `${name}.page.${ending}`)).toString();
  const nonce = randomBytes(18).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${attribute(file('css'))}">
</head>
<body>
<script nonce="${nonce}" src="${attribute(file('js'))}"></script>
</body>
</html>`;
}

function attribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
