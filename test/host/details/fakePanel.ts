import * as vscode from 'vscode';
import type { Decoder } from '../../../src/base/decode/decoder.ts';
import { hostToPage, type HostToPage } from '../../../src/features/details/common/protocol.ts';

/** A panel without a browser: records what the extension sends, and sends messages as a page would. */
export class DecodingPanel<Sent> {
  readonly #decode: Decoder<Sent>;
  readonly #received = new vscode.EventEmitter<unknown>();
  readonly #disposed = new vscode.EventEmitter<void>();
  readonly #viewState = new vscode.EventEmitter<void>();
  readonly onDidChangeViewState = this.#viewState.event;
  visible = true;
  readonly onDidDispose = this.#disposed.event;
  readonly sent: Sent[] = [];
  title = '';
  viewType = '';
  isDisposed = false;
  readonly webview = {
    options: {},
    html: '',
    cspSource: 'https://resources.example',
    asWebviewUri: (uri: vscode.Uri) => uri,
    onDidReceiveMessage: this.#received.event,
    postMessage: (message: unknown) => {
      // Decoded as in the page, which would drop anything that does not decode.
      this.sent.push(this.#decode(JSON.parse(JSON.stringify(message))));
      return Promise.resolve(true);
    },
  };

  /** @param decode as the page does */
  constructor(decode: Decoder<Sent>) {
    this.#decode = decode;
  }

  /** Receives a message from the page. */
  says(message: unknown): void {
    this.#received.fire(message);
  }

  /** Shows or hides the panel, as another tab in front of it does. */
  setVisible(visible: boolean): void {
    this.visible = visible;
    this.#viewState.fire();
  }

  /** The last message that was sent. */
  get last(): Sent | undefined {
    return this.sent.at(-1);
  }

  reveal(): void {
    // The panel is always visible.
  }

  dispose(): void {
    this.isDisposed = true;
    this.#disposed.fire();
  }

  /** This panel as the editor's type. The details use only the members above. */
  get asPanel(): vscode.WebviewPanel {
    return this as unknown as vscode.WebviewPanel;
  }
}

/** The panel of a job or a comparison. */
export class FakePanel extends DecodingPanel<HostToPage> {
  constructor() {
    super(hostToPage);
  }
}
