import type * as vscode from 'vscode';
import type { Page } from 'playwright-core';
import {
  boardToHost,
  hostToBoard,
  type BoardToHost,
  type HostToBoard,
} from '../../../src/features/board/common/boardProtocol.ts';
import {
  batchToHost,
  hostToBatch,
  type BatchToHost,
  type HostToBatch,
} from '../../../src/features/submit/common/batchProtocol.ts';
import { attempt, Undecodable, type Decoder } from '../../../src/base/decode/decoder.ts';
import {
  hostToPage,
  pageToHost,
  type HostToPage,
  type PageToHost,
} from '../../../src/features/details/common/protocol.ts';
import { pageHandshake } from '../../../src/base/pageHandshake.ts';
import { viewIds } from '../../../src/platform/editor/ids.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import { until } from '../until.ts';
import type { Theme } from '../workbench/themes.ts';

/** Options for opening a page. */
export interface PageOptions {
  /** Dark by default. */
  readonly theme?: Theme;
  /** Size of its tab, in pixels. */
  readonly size?: { readonly width: number; readonly height: number };
  /** State that an earlier page has stored. */
  readonly state?: unknown;
  /** Called before anything is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

/** Browser functions that the panel of a page needs. */
export interface TabOpener {
  /** Loads the panel's current HTML in its tab, which is created first if necessary. */
  load(panel: PagePanel): Promise<Page>;
}

type SentMessage = HostToPage | HostToBoard | HostToBatch;
type ReceivedMessage = PageToHost | BoardToHost | BatchToHost;

/** Decoders of the messages to a page and from it. */
interface Decoders {
  readonly sent: Decoder<SentMessage>;
  readonly received: Decoder<ReceivedMessage>;
}
const ofJob: Decoders = { sent: hostToPage, received: pageToHost };
const ofOthers = new Map<string, Decoders>([
  [viewIds.board, { sent: hostToBoard, received: boardToHost }],
  [viewIds.batch, { sent: hostToBatch, received: batchToHost }],
]);

const resources = 'https://resources.page';

/**
 * The panel of a webview whose page is in a tab of a browser. Both ends are the product's own; a message that one end cannot decode is a
 * problem, as is any other failure on the page.
 */
export class PagePanel {
  readonly viewType: string;
  readonly options: PageOptions;
  readonly #tabs: TabOpener;
  readonly #received = new Emitter<unknown>();
  readonly #disposed = new Emitter<void>();
  readonly #viewState = new Emitter<void>();
  readonly onDidDispose = this.#disposed.event;
  readonly onDidChangeViewState = this.#viewState.event;
  readonly viewColumn = 1;
  readonly active = true;
  readonly visible = true;
  title = '';
  isDisposed = false;
  #state: unknown;
  /** Problems on the page or between it and the editor. */
  readonly problems: string[] = [];
  /** Messages of the editor and of the page, in order. */
  readonly sent: SentMessage[] = [];
  readonly received: ReceivedMessage[] = [];
  #html = '';
  #opening: Promise<Page> | undefined;
  readonly webview;

  constructor(viewType: string, options: PageOptions, tabs: TabOpener) {
    this.viewType = viewType;
    this.options = options;
    this.#state = options.state;
    this.#tabs = tabs;
    const write = (html: string): void => {
      this.#html = html;
      this.#opening = tabs.load(this);
    };
    this.webview = {
      options: {},
      cspSource: resources,
      asWebviewUri: ({ path }: { readonly path: string }) => `${resources}${path}`,
      onDidReceiveMessage: this.#received.event,
      postMessage: (message: unknown) => this.#post(message),
      set html(html: string) {
        write(html);
      },
    };
  }

  /** The HTML that the product has written. */
  get html(): string {
    return this.#html;
  }

  /** The state that the page has stored. */
  get state(): unknown {
    return this.#state;
  }

  /** Stores the state of the page. */
  keep(state: unknown): void {
    this.#state = state;
  }

  /** The page in its tab, once the product has written its HTML. */
  async page(): Promise<Page> {
    return until('the panel has HTML', () => this.#opening);
  }

  /** Loads the page again with its stored state, as an editor does with a page that was hidden. */
  async reload(): Promise<void> {
    this.#opening = this.#tabs.load(this);
    await this.#opening;
  }

  /** Receives a message of the page. */
  receive(message: unknown): void {
    const handshake = attempt(pageHandshake, message);
    const decoded = attempt(this.#decoders.received, message);
    if (!(handshake instanceof Undecodable)) {
      if (handshake.type === 'dropped') this.problems.push(`the page cannot decode a message: ${handshake.why}`);
    } else if (decoded instanceof Undecodable)
      this.problems.push(`the editor cannot decode a message: ${decoded.message}`);
    else this.received.push(decoded);
    this.#received.fire(message);
  }

  reveal(): void {
    // It is always in front.
  }

  dispose(): void {
    this.isDisposed = true;
    this.#disposed.fire();
  }

  /** The panel as the editor's type; the product uses only the members above. */
  get asPanel(): vscode.WebviewPanel {
    return this as unknown as vscode.WebviewPanel;
  }

  get #decoders(): Decoders {
    return ofOthers.get(this.viewType) ?? ofJob;
  }

  async #post(message: unknown): Promise<boolean> {
    const json = JSON.stringify(message);
    const copy: unknown = JSON.parse(json);
    const decoded = attempt(this.#decoders.sent, copy);
    if (decoded instanceof Undecodable) this.problems.push(`the page could not decode a message: ${decoded.message}`);
    else this.sent.push(decoded);
    const page = await this.page();
    // Like the editor, which delivers nothing to a closed page, even if it closes meanwhile.
    if (page.isClosed()) return false;
    try {
      await page.evaluate(`postMessage(JSON.parse(${JSON.stringify(json)}), '*')`);
      return true;
    } catch (error) {
      if (this.isDisposed || page.isClosed()) return false;
      throw error;
    }
  }
}
