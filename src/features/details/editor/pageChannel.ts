import { knownTimeZone, pageFolder, pageHtml, pageStrings } from '../../../platform/editor/webviewPage.ts';
import * as vscode from 'vscode';
import { attempt, Undecodable } from '../../../base/decode/decoder.ts';
import type { Locale } from '../../../base/format.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { pageToHost, type HostToPage, type PageToHost } from '../common/protocol.ts';
import type { Log } from '../../../base/log.ts';
import type { Services } from '../../../services.ts';

/** Message from a webview after it is ready. */
export type PageRequest = Exclude<PageToHost, { type: 'ready' | 'dropped' }>;

/** Handles a webview's messages. */
export interface PageListener {
  /** Called when the webview script has started or restarted, for example after it was hidden: it has no state. */
  ready(): void;
  asks(request: PageRequest): void;
}

/** Message channel between a panel and its script. Drops and logs a message that does not decode. */
export class PageChannel {
  readonly panel: vscode.WebviewPanel;
  readonly #log: Log;
  #timeZone: string | undefined;
  #isClosed = false;

  /** Sets the panel's HTML. The listeners registered here are disposed with the panel. */
  constructor(panel: vscode.WebviewPanel, { extensionUri, log }: Services, listener: PageListener) {
    this.panel = panel;
    this.#log = log;
    panel.onDidDispose(() => (this.#isClosed = true));
    panel.webview.onDidReceiveMessage((data: unknown) => this.#receive(data, listener));
    panel.webview.options = { enableScripts: true, localResourceRoots: [pageFolder(extensionUri)] };
    panel.webview.html = pageHtml(panel.webview, extensionUri, 'job');
  }

  /** Language of the editor and time zone of the screen, which may differ from that of the extension host. */
  get locale(): Locale {
    return { ...locale, timeZone: this.#timeZone };
  }

  /** Sends a message. A hidden webview loses it and sends `ready` when it is shown again. For a closed one, the message is dropped. */
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
