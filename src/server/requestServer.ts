import {
  CodeActionKind,
  createConnection,
  DidChangeWatchedFilesNotification,
  MessageType,
  ProposedFeatures,
  ShowMessageNotification,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type CodeActionParams,
  type CodeLens,
  type CompletionItem,
  type Connection,
  type Hover,
  type InitializeParams,
  type InitializeResult,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { attempt, Undecodable } from '../base/decode/decoder.ts';
import { isJsonObject } from '../base/json/json.ts';
import { oneLine } from '../base/outsideText.ts';
import { isTooDeep } from '../language/json/jsonTree.ts';
import type { TextRange } from '../language/json/textEdit.ts';
import { safeFixTitle, type OfferedChange } from '../language/quickFixes.ts';
import { readRuleLevels } from '../language/ruleLevels.ts';
import {
  isSameRange,
  rangeOffsets,
  readActionData,
  toCompletionItem,
  toProtocolDiagnostic,
  toProtocolRange,
  toWorkspaceEdit,
} from './protocolValues.ts';
import { ServedRequests, type ServerDeps } from './servedRequests.ts';

/** Delay between typing and a check, in milliseconds, as in the extension. */
const quietMs = 150;

/** `source.fixAll.transcriptionJobs`, for fixes on save, as in the extension. */
const fixAllKind = `${CodeActionKind.SourceFixAll}.transcriptionJobs`;

/** Command of the lenses that show the effect: shows the explanation of a topic or rule. */
const explainCommand = 'transcription-requests.explain';

const requestName = /\.transcription\.json$/u;

/**
 * Runs the language server for request files over standard input and output until the editor stops it. Provides findings, fixes,
 * hovers, completion, and the effect above the text. Formatting is left to the editor.
 */
export async function serveRequests(deps: ServerDeps): Promise<void> {
  const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
  const ended = new Promise<void>((resolve) => {
    connection.onExit(() => resolve());
  });
  new RequestServer(connection, deps).listen();
  await ended;
}

class RequestServer {
  readonly #connection: Connection;
  readonly #documents = new TextDocuments(TextDocument);
  readonly #requests: ServedRequests;
  readonly #pending = new Map<string, NodeJS.Timeout>();
  /** Version of each document whose findings were published, by URI. */
  readonly #published = new Map<string, number>();

  constructor(connection: Connection, deps: ServerDeps) {
    this.#connection = connection;
    this.#requests = new ServedRequests(deps);
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((given) => this.#initialize(given));
    connection.onInitialized(() => {
      // If an editor cannot watch files, its user restarts the server after a change of the settings.
      const watchers = [{ globPattern: '**/.vscode/settings.json' }];
      connection.client.register(DidChangeWatchedFilesNotification.type, { watchers }).catch(() => undefined);
    });
    connection.onDidChangeWatchedFiles(() => this.#recheck());
    connection.onDidChangeConfiguration(({ settings }: { readonly settings: unknown }) => {
      this.#takeLevels(isJsonObject(settings) ? settings['transcriptionJobs'] : undefined);
      this.#recheck();
    });
    connection.onCodeAction((given) => this.#codeActions(given));
    connection.onCodeActionResolve((action) => this.#resolve(action));
    connection.onCodeLens(({ textDocument }) => this.#lenses(textDocument.uri));
    connection.onHover(({ textDocument, position }) =>
      this.#at(textDocument.uri, (document) => this.#hover(document, document.offsetAt(position))),
    );
    connection.onCompletion(({ textDocument, position }) =>
      this.#at(textDocument.uri, (document) => this.#complete(document, document.offsetAt(position))),
    );
    connection.onExecuteCommand(({ command, arguments: given }) => this.#execute(command, given?.[0]));
    this.#documents.onDidOpen(({ document }) => this.#publish(document.uri));
    this.#documents.onDidChangeContent(({ document }) => this.#schedule(document));
    this.#documents.onDidClose(({ document }) => this.#close(document.uri));
    this.#documents.listen(connection);
    connection.listen();
  }

  #initialize({ initializationOptions, workspaceFolders, locale }: InitializeParams): InitializeResult {
    this.#requests.folders = (workspaceFolders ?? []).map(({ uri }) => uri);
    this.#requests.locale = locale;
    this.#takeLevels(initializationOptions);
    return {
      serverInfo: { name: 'transcription-requests', version: this.#requests.version },
      capabilities: {
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: false },
        codeActionProvider: {
          codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, fixAllKind],
          resolveProvider: true,
        },
        codeLensProvider: {},
        hoverProvider: true,
        completionProvider: { triggerCharacters: ['"', ':'] },
        executeCommandProvider: { commands: [explainCommand] },
      },
    };
  }

  /** @param settings from the editor; levels in `rules` override those of the workspace */
  #takeLevels(settings: unknown): void {
    const { value, problems } = readRuleLevels((isJsonObject(settings) ? settings['rules'] : undefined) ?? {});
    this.#requests.editorLevels = value ?? new Map();
    for (const problem of problems) this.#connection.console.warn(`transcriptionJobs.rules: ${problem}`);
  }

  #recheck(): void {
    this.#requests.forgetFindings();
    for (const { uri } of this.#documents.all()) this.#publish(uri);
  }

  #schedule({ uri, version }: TextDocument): void {
    clearTimeout(this.#pending.get(uri));
    // Findings of a document that was just opened are already published.
    if (this.#published.get(uri) === version) return;
    this.#pending.set(
      uri,
      setTimeout(() => {
        if (this.#documents.get(uri)?.version === version) this.#publish(uri);
      }, quietMs),
    );
  }

  #close(uri: string): void {
    clearTimeout(this.#pending.get(uri));
    this.#pending.delete(uri);
    this.#published.delete(uri);
    if (this.#requests.forget(uri)) void this.#connection.sendDiagnostics({ uri, diagnostics: [] });
  }

  #publish(uri: string): void {
    this.#at(uri, (document) => {
      const request = this.#requests.read(document);
      const diagnostics = this.#requests
        .findings(document)
        .map((each) => toProtocolDiagnostic(document, request, each));
      this.#published.set(uri, document.version);
      // Ignore errors of a closed connection: no client needs the findings.
      void this.#connection.sendDiagnostics({ uri, version: document.version, diagnostics }).catch(() => undefined);
    });
  }

  /** Calls `use` with the request file at a URI; null if it is another file or not open. */
  #at<T>(uri: string, use: (document: TextDocument) => T): T | null {
    const document = requestName.test(uri) ? this.#documents.get(uri) : undefined;
    return document ? use(document) : null;
  }

  #codeActions({ textDocument: { uri }, range, context }: CodeActionParams): CodeAction[] | null {
    return this.#at(uri, (document) => {
      const request = this.#requests.read(document);
      const { only, diagnostics } = context;
      const isWanted = (kind: string): boolean =>
        only === undefined || only.some((each) => kind === each || kind.startsWith(`${each}.`));
      const actions: CodeAction[] = [];
      if (only !== undefined && isWanted(fixAllKind)) {
        const { edits } = this.#requests.languageOf(uri).fix(request);
        actions.push({ title: safeFixTitle(), kind: fixAllKind, edit: toWorkspaceEdit(document, edits) });
      }
      for (const offered of this.#offer(document, rangeOffsets(document, range))) {
        const kind = offered.kind === 'fix' ? CodeActionKind.QuickFix : CodeActionKind.RefactorRewrite;
        if (!isWanted(kind)) continue;
        const { title, finding, isPreferred, editsOf } = offered;
        if (finding === undefined) {
          actions.push({ title, kind, data: { uri, range, title } });
          continue;
        }
        const settled = toProtocolDiagnostic(document, request, finding);
        actions.push({
          title,
          kind,
          isPreferred,
          edit: toWorkspaceEdit(document, editsOf(request)),
          diagnostics: diagnostics.filter(
            (each) => each.code === settled.code && isSameRange(each.range, settled.range),
          ),
        });
      }
      return actions;
    });
  }

  #offer(document: TextDocument, selected: TextRange): readonly OfferedChange[] {
    const request = this.#requests.read(document);
    return this.#requests.languageOf(document.uri).offerChanges(request, this.#requests.findings(document), selected);
  }

  /** Adds the edits of an action that may take long to calculate, for the current text. */
  #resolve(action: CodeAction): CodeAction {
    const data = attempt(readActionData, action.data);
    if (data instanceof Undecodable) return action;
    this.#at(data.uri, (document) => {
      const request = this.#requests.read(document);
      const chosen = this.#offer(document, rangeOffsets(document, data.range)).find(
        ({ title }) => title === data.title,
      );
      if (chosen) action.edit = toWorkspaceEdit(document, chosen.editsOf(request));
    });
    return action;
  }

  #lenses(uri: string): CodeLens[] | null {
    return this.#at(uri, (document) => {
      const top = { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } };
      return this.#requests
        .languageOf(uri)
        .effect(this.#requests.read(document))
        .map(({ topic, text: title }) => ({
          range: top,
          command: { title: oneLine(title), command: explainCommand, arguments: [topic] },
        }));
    });
  }

  async #hover(document: TextDocument, offset: number): Promise<Hover | null> {
    const request = this.#requests.read(document);
    // The JSON service does not limit the depth and would exhaust the stack.
    if (isTooDeep(request)) return null;
    const found = this.#requests.languageOf(document.uri).hover(request, offset);
    if (found) {
      return {
        contents: { kind: 'plaintext', value: `${found.code}: ${found.name}` },
        range: toProtocolRange(document, found.range),
      };
    }
    const { hoverField } = await import('./schemaAssistance.ts');
    return hoverField(document, offset);
  }

  async #complete(document: TextDocument, offset: number): Promise<CompletionItem[]> {
    const request = this.#requests.read(document);
    if (isTooDeep(request)) return [];
    const suggestions = this.#requests.languageOf(document.uri).complete(request, offset);
    const items = (suggestions?.items ?? []).map((item, index) =>
      toCompletionItem(document, item, suggestions?.range ?? { offset, length: 0 }, index),
    );
    const { completeFields } = await import('./schemaAssistance.ts');
    return [...items, ...(await completeFields(document, offset))];
  }

  #execute(command: string, topic: unknown): void {
    if (command !== explainCommand || typeof topic !== 'string') return;
    const explanation = this.#requests.languageOf('').explain(topic);
    if (explanation === undefined) return;
    const shown = { type: MessageType.Info, message: explanation };
    void this.#connection.sendNotification(ShowMessageNotification.method, shown).catch(() => undefined);
  }
}
