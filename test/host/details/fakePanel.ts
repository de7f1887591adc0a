import * as vscode from 'vscode';
import { hostToPage, type HostToPage } from '../../../src/domain/protocol.ts';

/** A panel without a browser: keeps what the editor sends, and says what a page would. */
export class FakePanel {
  readonly #received = new vscode.EventEmitter<unknown>();
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly sent: HostToPage[] = [];
  title = '';
  isDisposed = false;
  readonly webview = {
    options: {},
    html: '',
    cspSource: 'https://resources.example',
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: this.#received.event,
    postMessage: (message: unknown) => {
      // As the page does: whatever does not decode would be dropped there.
      this.sent.push(hostToPage(JSON.parse(JSON.stringify(message))));
      return Promise.resolve(true);
    },
  };

  /** A message from the page. */
  says(message: unknown): void {
    this.#received.fire(message);
  }

  /** What was sent last. */
  get last(): HostToPage | undefined {
    return this.sent.at(-1);
  }

  reveal(): void {
    // Always in sight.
  }

  dispose(): void {
    this.isDisposed = true;
    this.#disposed.fire();
  }

  /** Itself as the editor's type, of which the details use no more than this. */
  get asPanel(): vscode.WebviewPanel {
    return this as unknown as vscode.WebviewPanel;
  }
}
