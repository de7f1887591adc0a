import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { StreamMessageReader, type Message } from 'vscode-languageserver-protocol/node';
import { presentEditor } from './languageClient.ts';

/** Longer than any message takes; reached only if it never arrives. */
const maxMs = 300_000;

/** A message of the protocol, as it comes. */
export interface RawMessage extends Message {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A language server that gets any bytes over standard input, and any messages, in any order. */
export class RawServer {
  readonly received: RawMessage[] = [];
  readonly exited: Promise<number | null>;
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  #wake: () => void = () => {};
  #lastId = 0;

  constructor(script: string, options: readonly string[] = [], cwd?: string) {
    this.#process = spawn(process.execPath, [script, 'lsp', '--stdio', ...options], {
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(cwd !== undefined && { cwd }),
    });
    // Bytes that a server does not read are no failure: its exit is.
    this.#process.stdin.on('error', () => undefined);
    this.exited = once(this.#process, 'exit').then(([code]) => code as number | null);
    void this.exited.then(() => this.#wake());
    new StreamMessageReader(this.#process.stdout).listen((message) => {
      this.received.push(message);
      this.#wake();
    });
  }

  write(bytes: string | Buffer): void {
    this.#process.stdin.write(bytes);
  }

  /** Writes content with the header of its length. */
  frame(content: string | Buffer): void {
    const bytes = Buffer.from(content);
    this.write(Buffer.concat([Buffer.from(`Content-Length: ${bytes.length}\r\n\r\n`), bytes]));
  }

  send(message: object): void {
    this.frame(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  notify(method: string, params?: unknown): void {
    this.send({ method, ...(params !== undefined && { params }) });
  }

  /** Sends a request, and waits for its response. */
  async request(method: string, params?: unknown): Promise<RawMessage> {
    const id = ++this.#lastId;
    this.send({ id, method, ...(params !== undefined && { params }) });
    return this.next((message) => message.id === id && message.method === undefined);
  }

  /** Waits for the first message that fits, also among those that came before. @throws if the server ends first */
  async next(fits: (message: RawMessage) => boolean): Promise<RawMessage> {
    const ended = this.exited.then((code) => {
      throw new Error(`the server ended with ${code}`);
    });
    // Awaited below only if no message fits.
    ended.catch(() => undefined);
    const patience = AbortSignal.timeout(maxMs);
    for (;;) {
      const found = this.received.find(fits);
      if (found) return found;
      if (patience.aborted) throw new Error(`none of ${this.received.length} messages fits`);
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, ended, once(patience, 'abort')]);
    }
  }

  /** Initializes the server. @returns its capabilities */
  async initialize(given: object = {}): Promise<Readonly<Record<string, unknown>>> {
    const { result } = await this.request('initialize', {
      processId: process.pid,
      rootUri: null,
      capabilities: presentEditor,
      ...given,
    });
    this.notify('initialized', {});
    return (result as { readonly capabilities: Readonly<Record<string, unknown>> }).capabilities;
  }

  /** Opens a document, and waits for the codes of its findings. */
  async open(uri: string, text: string, version = 1): Promise<readonly unknown[]> {
    this.received.length = 0;
    this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'json', version, text } });
    return this.findings(uri);
  }

  /** Waits for the codes of the findings of a document that fit. */
  async findings(uri: string, fits: (codes: readonly unknown[]) => boolean = () => true): Promise<readonly unknown[]> {
    const codesOf = ({ params }: RawMessage) =>
      (params as { readonly diagnostics: readonly { readonly code: unknown }[] }).diagnostics.map(({ code }) => code);
    const isOf = ({ method, params }: RawMessage): boolean =>
      method === 'textDocument/publishDiagnostics' && (params as { readonly uri: unknown }).uri === uri;
    return codesOf(await this.next((message) => isOf(message) && fits(codesOf(message))));
  }

  /** Stops the server as editors do. @returns its exit code */
  async stop(): Promise<number | null> {
    await this.request('shutdown');
    this.notify('exit');
    return this.exited;
  }

  /** Closes the standard input, as an editor that ends. */
  hangUp(): void {
    this.#process.stdin.end();
  }
}
