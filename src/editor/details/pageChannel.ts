import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../domain/decode/decoder.ts';
import type { Locale } from '../../domain/format.ts';
import { locale } from '../settings.ts';
import { pageToHost, type HostToPage, type PageToHost } from '../../domain/protocol.ts';
import type { Log } from '../../service/ports.ts';
import { randomBytes } from 'node:crypto';

/** What a page asks for once it listens. */
export type PageRequest = Exclude<PageToHost, { type: 'ready' | 'dropped' }>;

/** Who answers a page. */
export interface PageListener {
  /** The page listens, for the first time or again after it was hidden: it knows nothing. */
  ready(): void;
  asks(request: PageRequest): void;
}

/** The one road between a panel and the script in it. What does not decode is dropped with a line in the log. */
export class PageChannel {
  readonly panel: vscode.WebviewPanel;
  readonly #log: Log;
  #timeZone: string | undefined;

  /** Fills the panel with the page; the panel owns what is registered here. */
  constructor(
    panel: vscode.WebviewPanel,
    name: PageName,
    deps: { readonly extensionUri: vscode.Uri; readonly log: Log },
    listener: PageListener,
  ) {
    this.panel = panel;
    this.#log = deps.log;
    panel.webview.onDidReceiveMessage((data: unknown) => this.#receive(data, listener));
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(deps.extensionUri)] };
    panel.webview.html = pageHtml(panel.webview, deps.extensionUri, name);
  }

  /** How the reader writes: in the editor's language and the time zone of the screen, which may be far from this code. */
  get locale(): Locale {
    return { ...locale, timeZone: this.#timeZone };
  }

  /** A page that is hidden gets nothing and needs nothing: it says that it is ready when it is back. */
  send(message: HostToPage): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's function of this name takes none
    void this.panel.webview.postMessage(message);
  }

  #receive(data: unknown, listener: PageListener): void {
    const message = attempt(pageToHost, data);
    if (message instanceof Undecodable) {
      this.#log.debug(`dropped a message of a page: ${message.message}`);
      return;
    }
    switch (message.type) {
      case 'ready':
        this.#timeZone = knownTimeZone(message.timeZone);
        this.send({ type: 'hello', language: vscode.env.language, strings: pageStrings() });
        listener.ready();
        break;
      case 'dropped':
        this.#log.debug(`a page dropped a message: ${message.why}`);
        break;
      default:
        listener.asks(message);
    }
  }
}

/** The strings of the reader's language; those with comments for translators are none of a page's. */
function pageStrings(): Readonly<Record<string, string>> {
  const strings = Object.entries<unknown>(vscode.l10n.bundle ?? {});
  return Object.fromEntries(strings.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** A browser may know zones that this machine does not. */
function knownTimeZone(name: string | undefined): string | undefined {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

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
