import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** Returns the localised strings for a page. Those with comments for translators are not used in webviews. */
export function pageStrings(): Readonly<Record<string, string>> {
  const strings = Object.entries<unknown>(vscode.l10n.bundle ?? {});
  return Object.fromEntries(strings.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Returns a page's time zone; undefined if this machine does not know it. */
export function knownTimeZone(name: string | undefined): string | undefined {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The webview scripts in `dist/page`. */
type PageName = 'job' | 'board';

/** Returns the only folder that a webview may load from. */
export function pageFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'page');
}

/**
 * Returns the HTML of a webview: an empty body, its own script by nonce, its own style sheet, and no other source.
 * @param shows which of the pages of the script it is
 */
export function pageHtml(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  name: PageName,
  shows: 'job' | 'board' | 'batch' = name,
): string {
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
<html lang="${attribute(vscode.env.language)}" data-shows="${shows}">
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
