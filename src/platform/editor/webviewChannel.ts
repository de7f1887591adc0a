import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { attempt, Undecodable, type Decoder } from '../../base/decode/decoder.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { Locale } from '../../base/format.ts';
import type { Log } from '../../base/log.ts';
import { pageHandshake, type PageHandshake } from '../../base/pageHandshake.ts';
import { locale } from './locale.ts';
import { runCommand } from './runCommand.ts';

/** The pages, which have a script for the page of a job and one for those with a table. */
const scripts = { job: 'job', board: 'board', batch: 'board' } as const;
type PageName = keyof typeof scripts;

/** Handles what a page sends. Errors are shown to the user. */
interface PageListener<Received> {
  /**
   * Called when the page has started or restarted, for example after it was hidden: it has no state.
   * @param language for the first message
   */
  onReady(language: { readonly language: string; readonly strings: Readonly<Record<string, string>> }): unknown;
  onMessage(message: Received): unknown;
}

/** Message channel between a panel and the script of its page. Drops and logs messages that cannot be decoded. */
export class WebviewChannel<Sent, Received> extends DisposableOwner {
  readonly #panel: vscode.WebviewPanel;
  readonly #page: PageName;
  readonly #decoder: Decoder<Received>;
  readonly #extensionUri: vscode.Uri;
  readonly #log: Log;
  readonly #listener: PageListener<Received>;
  #timeZone: string | undefined;

  constructor(
    panel: vscode.WebviewPanel,
    page: PageName,
    decoder: Decoder<Received>,
    { extensionUri, log }: { readonly extensionUri: vscode.Uri; readonly log: Log },
    listener: PageListener<Received>,
  ) {
    super();
    this.#panel = panel;
    this.#page = page;
    this.#decoder = decoder;
    this.#extensionUri = extensionUri;
    this.#log = log;
    this.#listener = listener;
    this.own(panel.onDidDispose(() => this.dispose()));
    this.own(panel.webview.onDidReceiveMessage((data: unknown) => this.#receive(data)));
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(extensionUri)] };
  }

  /** Language of the editor and time zone of the screen, which may differ from that of the extension host. */
  get locale(): Locale {
    return { ...locale, timeZone: this.#timeZone };
  }

  /** Loads the page. */
  load(): void {
    if (!this.isDisposed) this.#panel.webview.html = pageHtml(this.#panel.webview, this.#extensionUri, this.#page);
  }

  /** Sends a message. A hidden page loses it and is ready again when it is shown. For a closed one, the message is dropped. */
  send(message: Sent): void {
    if (this.isDisposed) return;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's function of this name takes none
    void this.#panel.webview.postMessage(message);
  }

  #receive(data: unknown): void {
    const handshake = attempt(pageHandshake, data);
    if (!(handshake instanceof Undecodable)) return this.#shakeHands(handshake);
    const message = attempt(this.#decoder, data);
    if (message instanceof Undecodable)
      this.#log.debug(`dropped a message of the page ${this.#page}: ${message.message}`);
    else void runCommand(this.#log, () => this.#listener.onMessage(message));
  }

  #shakeHands(message: PageHandshake): void {
    if (message.type === 'dropped') return this.#log.debug(`the page ${this.#page} dropped a message: ${message.why}`);
    this.#timeZone = knownTimeZone(message.timeZone);
    const language = { language: vscode.env.language, strings: pageStrings() };
    void runCommand(this.#log, () => this.#listener.onReady(language));
  }
}

/** Returns the localised strings for a page. Those with comments for translators are not used in webviews. */
function pageStrings(): Readonly<Record<string, string>> {
  const strings = Object.entries<unknown>(vscode.l10n.bundle ?? {});
  return Object.fromEntries(strings.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Returns a page's time zone; undefined if this machine does not know it. */
function knownTimeZone(name: string | undefined): string | undefined {
  try {
    return new Intl.DateTimeFormat(undefined, { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

/** Returns the only folder that a webview may load from. */
function pageFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'page');
}

/** Returns the HTML of a webview: an empty body, its own script by nonce, its own style sheet, and no other source. */
function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, page: PageName): string {
  const file = (ending: string): string =>
    webview.asWebviewUri(vscode.Uri.joinPath(pageFolder(extensionUri), `${scripts[page]}.page.${ending}`)).toString();
  const nonce = randomBytes(18).toString('base64');
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${attribute(vscode.env.language)}" data-shows="${page}">
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
