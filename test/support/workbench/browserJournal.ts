import type { BrowserContext, ConsoleMessage, Request } from 'playwright-core';

/** A request sent by the browser. */
export interface SeenRequest {
  readonly url: string;
  readonly method: string;
  /** Playwright's resource type, such as `fetch`, `script` or `document`. */
  readonly type: string;
}

/** Errors of every workbench of this build, whatever extensions are installed. */
const knownNoise = [
  /vsda/,
  /serviceWorker\.js/,
  /\/update\/check/,
  /Failed to load resource: the server responded with a status of 404/,
  /A bad HTTP response code \(404\) was received when fetching the script/,
  /\[Service Worker\] registration/,
  /Cannot find module '\.\/build\/Release\/watchdog'/,
  /No signed-in session/,
  /authentication provider 'github'/,
  // The window also looks for the built-in extensions that the tests leave out.
  /\/static\/extensions\//,
  /^Activating extension 'vscode\.[\w-]+' failed: Not Found/,
  // The connection of a window to its server: a busy machine drops it, and the editor reconnects.
  /^\[remote-connection\]/,
  /^Error: Time limit reached/,
];

/** Records requests and errors of the browser in all windows of a profile. */
export class BrowserJournal {
  readonly #requests: SeenRequest[] = [];
  readonly #console: string[] = [];
  readonly #errors: string[] = [];

  constructor(context: BrowserContext) {
    context.on('request', (request) => this.#request(request));
    context.on('requestfailed', (request) =>
      this.#error(`failed: ${request.url()} ${request.failure()?.errorText ?? ''}`),
    );
    context.on('response', (response) => {
      if (response.status() >= 400) this.#error(`status ${response.status()}: ${response.url()}`);
    });
    context.on('console', (message) => this.#message(message));
    context.on('weberror', (error) => this.#error(`uncaught: ${String(error.error())}`));
  }

  /** Every request so far, including those of webviews and workers. */
  get requests(): readonly SeenRequest[] {
    return this.#requests;
  }

  /** The requests to anything other than the editor server on loopback. */
  get outsideRequests(): readonly SeenRequest[] {
    return this.#requests.filter(({ url }) => !isInside(url));
  }

  /** The whole console, of the workbench and the extension host. */
  get console(): readonly string[] {
    return this.#console;
  }

  /** Console errors, uncaught errors and failed requests, except those that this build always has. */
  get errors(): readonly string[] {
    return this.#errors;
  }

  #request(request: Request): void {
    this.#requests.push({ url: request.url(), method: request.method(), type: request.resourceType() });
  }

  #message(message: ConsoleMessage): void {
    const text = message.text();
    this.#console.push(`${message.type()}: ${text}`);
    if (message.type() === 'error') this.#error(text);
  }

  #error(text: string): void {
    if (!knownNoise.some((noise) => noise.test(text))) this.#errors.push(text);
  }
}

function isInside(url: string): boolean {
  const { protocol, hostname } = new URL(url.replace(/^blob:/, ''));
  if (!/^https?:$/.test(protocol)) return true;
  // Webview files have addresses in the editor's own domain; its service worker loads them from the server.
  return hostname === '127.0.0.1' || /^vscode-remote\+127-002e[\w-]+\.vscode-resource\.vscode-cdn\.net$/.test(hostname);
}
