import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  createProtocolConnection,
  PublishDiagnosticsNotification,
  StreamMessageReader,
  StreamMessageWriter,
  type ClientCapabilities,
  type InitializeParams,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver-protocol/node';

/** Longer than any response takes; reached only if one never arrives. */
const maxMs = 60_000;

/** What present editors support, as far as the server's answers depend on it. Edits stay without versions, so that tests can apply them. */
export const presentEditor: ClientCapabilities = {
  textDocument: {
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    completion: {
      completionItem: { snippetSupport: true, labelDetailsSupport: true, documentationFormat: ['markdown'] },
    },
    codeAction: {
      codeActionLiteralSupport: { codeActionKind: { valueSet: ['', 'quickfix', 'refactor', 'source.fixAll'] } },
      isPreferredSupport: true,
      dataSupport: true,
      resolveSupport: { properties: ['edit'] },
    },
  },
};

/** The client side of an editor for a language server, built on the protocol's own library. */
export class LanguageClient {
  readonly connection: ProtocolConnection;
  readonly initialized: InitializeResult;
  readonly #exited: Promise<number | null>;
  readonly #published = new Map<string, PublishDiagnosticsParams>();
  #wake: () => void = () => {};

  private constructor(connection: ProtocolConnection, initialized: InitializeResult, exited: Promise<number | null>) {
    this.connection = connection;
    this.initialized = initialized;
    this.#exited = exited;
    connection.onNotification(PublishDiagnosticsNotification.type, (published) => {
      this.#published.set(published.uri, published);
      this.#wake();
    });
  }

  /** Starts the server of a command's script over standard input and output. */
  static async start(
    script: string,
    given: Partial<InitializeParams> = {},
    options: readonly string[] = [],
  ): Promise<LanguageClient> {
    const server = spawn(process.execPath, [script, 'lsp', '--stdio', ...options], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const exited = once(server, 'exit').then(([code]) => code as number | null);
    const connection = createProtocolConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    connection.listen();
    const initialized = await Promise.race([
      connection.sendRequest<InitializeResult>('initialize', {
        processId: process.pid,
        rootUri: null,
        capabilities: presentEditor,
        ...given,
      }),
      exited.then((code) => Promise.reject(new Error(`the server ended with ${code} before it answered`))),
    ]);
    await connection.sendNotification('initialized', {});
    return new LanguageClient(connection, initialized, exited);
  }

  /** Opens a document, and waits for its findings. */
  async open(uri: string, text: string): Promise<PublishDiagnosticsParams> {
    await this.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'json', version: 1, text },
    });
    return this.published(uri, 1);
  }

  /** Returns the findings in a version of a document, as soon as the server reports them. */
  async published(uri: string, version: number): Promise<PublishDiagnosticsParams> {
    const patience = AbortSignal.timeout(maxMs);
    for (;;) {
      const found = this.#published.get(uri);
      if (found?.version === version) return found;
      const woken = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      await Promise.race([woken, delay(maxMs, undefined, { signal: patience, ref: false })]);
    }
  }

  /** Stops the server as editors do. @returns its exit code */
  async stop(): Promise<number | null> {
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    const code = await this.#exited;
    this.connection.dispose();
    return code;
  }
}
