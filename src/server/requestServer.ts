import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  CodeActionKind,
  createConnection,
  DidChangeConfigurationNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DocumentDiagnosticReportKind,
  ErrorCodes,
  MessageType,
  PositionEncodingKind,
  ProposedFeatures,
  ResponseError,
  ShowMessageNotification,
  StreamMessageReader,
  StreamMessageWriter,
  TextDocuments,
  TextDocumentSyncKind,
  type CodeAction,
  type CodeActionParams,
  type CodeLens,
  type Command,
  type CompletionItem,
  type Connection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type FileSystemWatcher,
  type Hover,
  type InitializeParams,
  type InitializeResult,
  type MarkupContent,
  type Position,
  type TextDocumentContentChangeEvent,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { attempt, list, optional, record, text, Undecodable, type Decoded } from '../base/decode/decoder.ts';
import { isJsonObject } from '../base/json/json.ts';
import { oneLine } from '../base/outsideText.ts';
import type { RuleLevels } from '../language/check.ts';
import { isUnreadable } from '../language/json/jsonTree.ts';
import type { TextRange } from '../language/json/textEdit.ts';
import { safeFixTitle, type OfferedChange } from '../language/quickFixes.ts';
import { readRuleLevels } from '../language/ruleLevels.ts';
import { readClientSupport, type ClientSupport } from './clientSupport.ts';
import { MessageFrames } from './messageFrames.ts';
import { cancelWaiting, MessageGate } from './messageGate.ts';
import {
  isSameRange,
  plainMarkdown,
  rangeOffsets,
  readActionData,
  toCompletionItem,
  toProtocolDiagnostic,
  toProtocolRange,
  toSupportedItem,
  toWorkspaceEdit,
} from './protocolValues.ts';
import { ServedRequests, type ServerDeps } from './servedRequests.ts';

/** Delay between typing and a check, in milliseconds, as in the extension. */
const quietMs = 150;

/** `source.fixAll.transcriptionJobs`, for fixes on save, as in the extension. */
const fixAllKind = `${CodeActionKind.SourceFixAll}.transcriptionJobs`;

/** Command of the lenses that show the effect: shows the explanation of a topic or rule. */
const explainCommand = 'transcription-requests.explain';

/** Command of the actions for clients that only know commands: applies the change that its argument identifies. */
const changeCommand = 'transcription-requests.change';

const requestName = /\.transcription\.json$/u;

/** Maximum number of problems in the client's settings that are logged. */
const maxLoggedProblems = 20;

/**
 * Runs the language server for request files over standard input and output until the editor stops it. Provides findings, fixes,
 * hovers, completion, and the effect above the text. Formatting is left to the editor.
 */
export async function serveRequests(deps: ServerDeps): Promise<void> {
  const writer = new StreamMessageWriter(process.stdout);
  const gate = new MessageGate(writer, (reason) => connection.console.warn(`Dropped ${oneLine(reason)}`));
  const frames = new MessageFrames(() => connection.console.warn('Dropped input without valid headers'));
  const reader = new StreamMessageReader(process.stdin.pipe(frames), { contentTypeDecoder: gate.decoder });
  const connection = createConnection(ProposedFeatures.all, reader, writer, {
    messageStrategy: gate,
    connectionStrategy: { cancelUndispatched: cancelWaiting },
  });
  const ended = new Promise<void>((resolve) => {
    connection.onExit(() => resolve());
    // The library ends the process on `exit`; without it, the editor has ended.
    frames.on('end', () => process.exit(gate.state === 'shutDown' ? 0 : 1));
  });
  new RequestServer(connection, gate, deps).listen();
  await ended;
}

/** Decodes what the server needs of a client's workspace. Old clients have no folders but a root. */
const workspaceShape = record({
  workspaceFolders: optional(list(record({ uri: text }))),
  rootUri: optional(text),
  locale: optional(text),
});

const noWorkspace: Decoded<typeof workspaceShape> = {
  workspaceFolders: undefined,
  rootUri: undefined,
  locale: undefined,
};

class RequestServer {
  readonly #connection: Connection;
  readonly #gate: MessageGate;
  readonly #documents = new TextDocuments({ create: TextDocument.create, update: updateDocument });
  readonly #requests: ServedRequests;
  readonly #rulesFile: string | undefined;
  readonly #pending = new Map<string, NodeJS.Timeout>();
  /** Duration of the last check of each document whose findings were published. */
  readonly #checkMs = new WeakMap<TextDocument, number>();
  /** Problems of the rule levels that were shown, each once until a file changes. */
  readonly #shown = new Set<string>();
  #client: ClientSupport = readClientSupport(undefined);
  #folderUris = new Set<string>();
  #initialLevels: RuleLevels = new Map();
  /** Last query of the client's settings. */
  #lastQuery: Promise<unknown> | undefined;

  constructor(connection: Connection, gate: MessageGate, deps: ServerDeps) {
    this.#connection = connection;
    this.#gate = gate;
    this.#rulesFile = deps.rulesFile;
    this.#requests = new ServedRequests(deps, (problem) => this.#showOnce(problem));
  }

  listen(): void {
    const connection = this.#connection;
    connection.onInitialize((given) => this.#initialize(given));
    connection.onInitialized(() => this.#register());
    connection.onShutdown(() => {
      this.#gate.state = 'shutDown';
      for (const timer of this.#pending.values()) clearTimeout(timer);
    });
    connection.onDidChangeWatchedFiles(() => {
      this.#shown.clear();
      this.#recheck();
    });
    connection.onDidChangeConfiguration(({ settings }: { readonly settings: unknown }) => {
      if (this.#client.configuration) return this.#background(this.#queryConfiguration());
      this.#takeConfiguration(isJsonObject(settings) ? settings['transcriptionJobs'] : undefined);
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
    connection.languages.diagnostics.on(({ textDocument }) => this.#report(textDocument.uri));
    this.#documents.onDidOpen(() => this.#rereadLevels());
    this.#documents.onDidSave(() => this.#rereadLevels());
    this.#documents.onDidChangeContent(({ document }) => this.#schedule(document));
    this.#documents.onDidClose(({ document }) => this.#close(document.uri));
    this.#documents.listen(connection);
    connection.listen();
  }

  #initialize({ capabilities, initializationOptions, ...given }: InitializeParams): InitializeResult {
    this.#gate.state = 'ready';
    this.#client = readClientSupport(capabilities);
    const workspace = attempt(workspaceShape, given);
    const { workspaceFolders, rootUri, locale } = workspace instanceof Undecodable ? noWorkspace : workspace;
    this.#folderUris = new Set(workspaceFolders?.map(({ uri }) => uri) ?? (rootUri === undefined ? [] : [rootUri]));
    this.#requests.setFolders([...this.#folderUris]);
    this.#requests.locale = locale;
    this.#initialLevels = this.#readLevels(initializationOptions);
    this.#requests.editorLevels = this.#initialLevels;
    const { resolvedEdits, pulledFindings, positionEncodings, workspaceFolders: changesFolders } = this.#client;
    if (changesFolders) {
      // After the library's own handler, which is not needed.
      this.#connection.onNotification(DidChangeWorkspaceFoldersNotification.type, ({ event }) => {
        for (const { uri } of event.removed) this.#folderUris.delete(uri);
        for (const { uri } of event.added) this.#folderUris.add(uri);
        this.#requests.setFolders([...this.#folderUris]);
        this.#recheck();
      });
    }
    return {
      serverInfo: { name: 'transcription-requests', version: this.#requests.version },
      capabilities: {
        // The only encoding that all clients support.
        ...(positionEncodings && { positionEncoding: PositionEncodingKind.UTF16 }),
        textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental, save: true },
        codeActionProvider: {
          codeActionKinds: [CodeActionKind.QuickFix, CodeActionKind.RefactorRewrite, fixAllKind],
          resolveProvider: resolvedEdits,
        },
        codeLensProvider: {},
        hoverProvider: true,
        completionProvider: { triggerCharacters: ['"', ':'] },
        executeCommandProvider: { commands: [explainCommand, changeCommand] },
        ...(pulledFindings && { diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } }),
        ...(changesFolders && { workspace: { workspaceFolders: { supported: true, changeNotifications: true } } }),
      },
    };
  }

  #register(): void {
    const { client } = this.#connection;
    if (this.#client.watchedFiles) {
      const watchers = [{ globPattern: '**/.vscode/settings.json' }, ...this.#rulesWatchers()];
      this.#background(client.register(DidChangeWatchedFilesNotification.type, { watchers }));
    }
    if (this.#client.registeredConfiguration) {
      this.#background(client.register(DidChangeConfigurationNotification.type, { section: 'transcriptionJobs' }));
    }
    if (this.#client.configuration) this.#background(this.#queryConfiguration());
  }

  #rulesWatchers(): readonly FileSystemWatcher[] {
    if (this.#rulesFile === undefined) return [];
    // Patterns have no escapes.
    const pattern = basename(this.#rulesFile).replaceAll(/[*?{}[\]]/gu, '?');
    const baseUri = pathToFileURL(dirname(this.#rulesFile)).href;
    return [{ globPattern: this.#client.relativePatterns ? { baseUri, pattern } : `**/${pattern}` }];
  }

  async #queryConfiguration(): Promise<void> {
    const query = this.#connection.workspace.getConfiguration('transcriptionJobs');
    this.#lastQuery = query;
    const settings: unknown = await query;
    // Answers may come in another order.
    if (this.#lastQuery === query) this.#takeConfiguration(settings);
  }

  /** Applies the client's settings, which override its initialization options. */
  #takeConfiguration(settings: unknown): void {
    this.#requests.editorLevels = new Map([...this.#initialLevels, ...this.#readLevels(settings)]);
    this.#recheck();
  }

  /** @param settings from the client, with levels in `rules` */
  #readLevels(settings: unknown): RuleLevels {
    const { value, problems } = readRuleLevels((isJsonObject(settings) ? settings['rules'] : undefined) ?? {});
    for (const problem of problems.slice(0, maxLoggedProblems)) {
      this.#connection.console.warn(`transcriptionJobs.rules: ${oneLine(problem, 500)}`);
    }
    return value ?? new Map();
  }

  /** Reads the levels again for clients that cannot watch their files. */
  #rereadLevels(): void {
    if (!this.#client.watchedFiles) this.#requests.forgetFindings();
  }

  #showOnce(problem: string): void {
    if (this.#shown.has(problem)) return;
    this.#shown.add(problem);
    this.#show(MessageType.Warning, oneLine(problem, 500));
  }

  #show(type: MessageType, message: string): void {
    this.#background(this.#connection.sendNotification(ShowMessageNotification.method, { type, message }));
  }

  /** Logs the failure of work that no request waits for. */
  #background(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#logFailure(error));
  }

  #logFailure(error: unknown): void {
    this.#connection.console.error(oneLine(error instanceof Error ? error.message : String(error), 500));
  }

  #recheck(): void {
    this.#requests.forgetFindings();
    if (this.#client.refreshedFindings) this.#background(this.#connection.languages.diagnostics.refresh());
    // After a moment, because settings may change several times in a row.
    for (const document of this.#documents.all()) this.#schedule(document);
  }

  #schedule(document: TextDocument): void {
    const { uri } = document;
    clearTimeout(this.#pending.get(uri));
    const checkMs = this.#checkMs.get(document);
    if (checkMs === undefined) return this.#publish(document);
    // In large files, checks take at most half of the time.
    const waitMs = Math.max(quietMs, checkMs);
    this.#pending.set(
      uri,
      setTimeout(() => this.#publish(document), waitMs),
    );
  }

  #close(uri: string): void {
    clearTimeout(this.#pending.get(uri));
    this.#pending.delete(uri);
    if (this.#requests.forget(uri) && !this.#client.pulledFindings) {
      this.#background(this.#connection.sendDiagnostics({ uri, diagnostics: [] }));
    }
  }

  #publish(document: TextDocument): void {
    const { uri, version } = document;
    if (this.#client.pulledFindings || !requestName.test(uri)) return;
    const startMs = performance.now();
    try {
      const diagnostics = this.#diagnostics(document);
      const published = { uri, diagnostics, ...(this.#client.findingVersions && { version }) };
      this.#background(this.#connection.sendDiagnostics(published));
    } catch (error) {
      // From a timer, it would end the server.
      this.#logFailure(error);
    }
    this.#checkMs.set(document, performance.now() - startMs);
  }

  #diagnostics(document: TextDocument): Diagnostic[] {
    const request = this.#requests.read(document);
    return this.#requests.findings(document).map((each) => toProtocolDiagnostic(document, request, each, this.#client));
  }

  #report(uri: string): DocumentDiagnosticReport {
    const items = this.#at(uri, (document) => this.#diagnostics(document)) ?? [];
    return { kind: DocumentDiagnosticReportKind.Full, items };
  }

  /** Calls `use` with the request file at a URI; null if it is another file or not open. */
  #at<T>(uri: string, use: (document: TextDocument) => T): T | null {
    const document = requestName.test(uri) ? this.#documents.get(uri) : undefined;
    return document ? use(document) : null;
  }

  #codeActions({ textDocument: { uri }, range, context }: CodeActionParams): (CodeAction | Command)[] | null {
    return this.#at(uri, (document) => {
      const request = this.#requests.read(document);
      const { only, diagnostics } = context;
      const isWanted = (kind: string): boolean =>
        !only || only.some((each) => each === '' || kind === each || kind.startsWith(`${each}.`));
      const actions: CodeAction[] = [];
      if (only && isWanted(fixAllKind)) {
        const { edits } = this.#requests.languageOf(uri).fix(request);
        if (edits.length > 0) {
          actions.push({
            title: safeFixTitle(),
            kind: fixAllKind,
            edit: toWorkspaceEdit(document, edits, this.#client),
          });
        }
      }
      for (const offered of this.#offer(document, rangeOffsets(document, range))) {
        const kind = offered.kind === 'fix' ? CodeActionKind.QuickFix : CodeActionKind.RefactorRewrite;
        if (!isWanted(kind)) continue;
        const { title, finding, isPreferred, editsOf } = offered;
        const settled = finding && toProtocolDiagnostic(document, request, finding, this.#client);
        // Titles are unique at one place only.
        const data = { uri, range: settled?.range ?? range, title };
        if (!this.#client.actionLiterals) {
          actions.push({ title, command: { title, command: changeCommand, arguments: [data] } });
          continue;
        }
        if (settled === undefined) {
          actions.push({
            title,
            kind,
            ...(this.#client.resolvedEdits
              ? { data }
              : { edit: toWorkspaceEdit(document, editsOf(request), this.#client) }),
          });
          continue;
        }
        actions.push({
          title,
          kind,
          ...(this.#client.preferredActions && { isPreferred }),
          edit: toWorkspaceEdit(document, editsOf(request), this.#client),
          diagnostics: diagnostics.filter(
            (each) => each.code === settled.code && isSameRange(each.range, settled.range),
          ),
        });
      }
      if (this.#client.actionLiterals) return actions;
      // Without the other capability, an action could do nothing.
      return this.#client.appliedEdits ? actions.flatMap(({ command }) => command ?? []) : [];
    });
  }

  #offer(document: TextDocument, selected: TextRange): readonly OfferedChange[] {
    const request = this.#requests.read(document);
    return this.#requests.languageOf(document.uri).offerChanges(request, this.#requests.findings(document), selected);
  }

  /** Adds the edits of an action that may take long to calculate, for the current text. */
  #resolve(action: CodeAction): CodeAction {
    const edit = this.#editOf(action.data);
    return edit ? { ...action, edit } : action;
  }

  /** Returns the edit that the data of an action identifies; undefined if the change is no longer offered. */
  #editOf(given: unknown): WorkspaceEdit | undefined {
    const data = attempt(readActionData, given);
    if (data instanceof Undecodable) return undefined;
    const edit = this.#at(data.uri, (document) => {
      const chosen = this.#offer(document, rangeOffsets(document, data.range)).find(
        ({ title }) => title === data.title,
      );
      return chosen && toWorkspaceEdit(document, chosen.editsOf(this.#requests.read(document)), this.#client);
    });
    return edit ?? undefined;
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
    if (isUnreadable(request)) return null;
    const found = this.#requests.languageOf(document.uri).hover(request, offset);
    if (found) {
      return {
        contents: { kind: 'plaintext', value: `${found.code}: ${found.name}` },
        range: toProtocolRange(document, found.range),
      };
    }
    const { hoverField } = await import('./schemaAssistance.ts');
    const field = await hoverField(document, offset);
    if (!field) return null;
    const contents: MarkupContent = this.#client.markdownHover
      ? { kind: 'markdown', value: field.markdown }
      : { kind: 'plaintext', value: plainMarkdown(field.markdown) };
    return { contents, ...(field.range && { range: field.range }) };
  }

  async #complete(document: TextDocument, offset: number): Promise<CompletionItem[]> {
    const request = this.#requests.read(document);
    if (isUnreadable(request)) return [];
    const suggestions = this.#requests.languageOf(document.uri).complete(request, offset);
    const items = (suggestions?.items ?? []).map((item, index) =>
      toCompletionItem(document, item, suggestions?.range ?? { offset, length: 0 }, index, this.#client),
    );
    const { completeFields } = await import('./schemaAssistance.ts');
    const fields = await completeFields(document, offset);
    return [...items, ...fields.map((each) => toSupportedItem(each, this.#client))];
  }

  #execute(command: string, given: unknown): null {
    if (command === changeCommand) {
      const edit = this.#editOf(given);
      // Not awaited: some clients answer nothing while they wait for the command.
      if (edit && this.#client.appliedEdits) this.#background(this.#connection.workspace.applyEdit(edit));
      return null;
    }
    if (command !== explainCommand) throw new ResponseError(ErrorCodes.InvalidParams, 'Unknown command.');
    const explanation = typeof given === 'string' ? this.#requests.languageOf('').explain(given) : undefined;
    // Messages are plain text in all clients.
    if (explanation !== undefined) this.#show(MessageType.Info, plainMarkdown(explanation));
    return null;
  }
}

/** Applies changes as the library does, but with ranges inside the document: others would damage its list of lines. */
function updateDocument(
  document: TextDocument,
  changes: readonly TextDocumentContentChangeEvent[],
  version: number,
): TextDocument {
  const inside = (position: Position): Position => document.positionAt(document.offsetAt(position));
  for (const change of changes) {
    const range =
      'range' in change && change.range
        ? { start: inside(change.range.start), end: inside(change.range.end) }
        : undefined;
    TextDocument.update(document, [range ? { range, text: change.text } : { text: change.text }], version);
  }
  return document;
}
