import * as vscode from 'vscode';
import type { Finding } from '../request/finding.ts';
import type { RequestFile } from '../request/requestFile.ts';
import type { RequestLanguage } from '../requestLanguage.ts';
import { DisposableOwner, type Disposable } from '../../base/disposable.ts';
import type { Clock } from '../../base/clock.ts';
import { isRequestFile } from './requestFileType.ts';
import { toDiagnostic } from './diagnostics.ts';

/** Delay between typing and a check, in milliseconds. */
const quietMs = 150;

interface OpenRequest {
  readonly document: vscode.TextDocument;
  readonly version: number;
  readonly request: RequestFile;
  /** Findings for this version; undefined until first use. */
  findings: readonly Finding[] | undefined;
  pending: Disposable | undefined;
}

/**
 * Parses the open request files, keeps them up to date, and publishes the diagnostics of types, closed sets of values and rules. The
 * editor's JSON service already reports syntax errors, duplicate names and missing members. Closed files use no resources.
 */
export class OpenRequests extends DisposableOwner {
  readonly #requests = new Map<string, OpenRequest>();
  readonly #diagnostics = this.own(vscode.languages.createDiagnosticCollection('transcription-rules'));
  readonly #clock: Clock;
  readonly #language: RequestLanguage;

  constructor(clock: Clock, language: RequestLanguage) {
    super();
    this.#clock = clock;
    this.#language = language;
    const { workspace } = vscode;
    this.own(workspace.onDidOpenTextDocument((document) => this.#open(document)));
    this.own(workspace.onDidChangeTextDocument(({ document }) => this.#schedule(document)));
    this.own(workspace.onDidCloseTextDocument((document) => this.#close(document)));
    for (const document of workspace.textDocuments) this.#open(document);
  }

  /** Returns the parsed text of a document. Parses each version once. */
  read(document: vscode.TextDocument): RequestFile {
    return this.#upToDate(document).request;
  }

  /** Returns the current findings of a request file. */
  findings(document: vscode.TextDocument): readonly Finding[] {
    const open = this.#upToDate(document);
    open.findings ??= this.#language.checkBeyondSyntax(open.request);
    return open.findings;
  }

  /** Checks all open files again after a change of settings or connection. */
  recheck(): void {
    for (const open of this.#requests.values()) {
      open.findings = undefined;
      this.#publish(open.document);
    }
  }

  override dispose(): void {
    super.dispose();
    for (const { pending } of this.#requests.values()) pending?.dispose();
    this.#requests.clear();
  }

  #open(document: vscode.TextDocument): void {
    if (isRequestFile(document)) this.#publish(document);
  }

  #schedule(document: vscode.TextDocument): void {
    const open = this.#requests.get(document.uri.toString());
    if (!open) return;
    open.pending?.dispose();
    open.pending = this.#clock.after(quietMs, () => this.#publish(document));
  }

  #close(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.#requests.get(key)?.pending?.dispose();
    if (this.#requests.delete(key)) this.#diagnostics.delete(document.uri);
  }

  #publish(document: vscode.TextDocument): void {
    const findings = this.findings(document);
    const request = this.read(document);
    this.#diagnostics.set(
      document.uri,
      findings.map((finding) => toDiagnostic(document, request, finding)),
    );
  }

  #upToDate(document: vscode.TextDocument): OpenRequest {
    const key = document.uri.toString();
    const open = this.#requests.get(key);
    if (open?.version === document.version) return open;
    const fresh: OpenRequest = {
      document,
      version: document.version,
      request: this.#language.parseForEditor(document.getText()),
      findings: undefined,
      pending: open?.pending,
    };
    // Other documents, such as an old version of a request in a diff, can be read and previewed but have no diagnostics.
    if (!document.isClosed && isRequestFile(document)) this.#requests.set(key, fresh);
    return fresh;
  }
}
