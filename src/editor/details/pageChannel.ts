import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../domain/decode/decoder.ts';
import type { Locale } from '../../domain/format.ts';
import { locale } from '../settings.ts';
import { pageToHost, type HostToPage, type PageToHost } from '../../domain/protocol.ts';
import type { Log } from '../../service/ports.ts';
import { randomBytes } from 'node:crypto';

/** Messages from a webview after it is ready. */
export type PageRequest = Exclude<PageToHost, { type: 'ready' | 'dropped' }>;

/** Handles a webview's messages. */
export interface PageListener {
  /** The webview script has (re)started, also after being hidden: it has no state. */
  ready(): void;
  asks(request: PageRequest): void;
}

/** The message channel between a panel and its script. A message that does not decode is dropped and logged. */
export class PageChannel {
  readonly panel: vscode.WebviewPanel;
  readonly #log: Log;
  #timeZone: string | undefined;
  #isClosed = false;

  /** Sets the panel's HTML. What is registered here is disposed with the panel. */
  constructor(
    panel: vscode.WebviewPanel,
    name: PageName,
    deps: { readonly extensionUri: vscode.Uri; readonly log: Log },
    listener: PageListener,
  ) {
    this.panel = panel;
    this.#log = deps.log;
    panel.onDidDispose(() => (this.#isClosed = true));
    panel.webview.onDidReceiveMessage((data: unknown) => this.#receive(data, listener));
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(deps.extensionUri)] };
    panel.webview.html = pageHtml(panel.webview, deps.extensionUri, name);
  }

  /** The editor's language and the time zone of the screen, which may differ from that of the extension host. */
  get locale(): Locale {
    return { ...locale, timeZone: this.#timeZone };
  }

  /** Messages to a hidden webview are lost; it sends `ready` when it is shown again. Those to a closed one are dropped. */
  send(message: HostToPage): void {
    if (this.#isClosed) return;
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

/** The localised strings for a page. Those with comments for translators are not used in webviews. */
export function pageStrings(): Readonly<Record<string, string>> {
  const strings = Object.entries<unknown>(vscode.l10n.bundle ?? {});
  return Object.fromEntries(strings.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** A page's time zone; undefined where this machine does not know it. */
export function knownTimeZone(name: string | undefined): string | undefined {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** The webview scripts in `dist/page`. */
export type PageName = 'job' | 'comparison' | 'board';

/** The only folder that a webview may load from. */
export function pageFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'page');
}

/** The HTML of a webview: an empty body, its own script by nonce, its own style sheet, and no other source. */
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
