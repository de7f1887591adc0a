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

interface Known {
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
  readonly #known = new Map<string, Known>();
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
    const known = this.#upToDate(document);
    known.findings ??= this.#language.checkBeyondSyntax(known.request);
    return known.findings;
  }

  /** Checks all open files again after a change of settings or connection. */
  recheck(): void {
    for (const known of this.#known.values()) {
      known.findings = undefined;
      this.#publish(known.document);
    }
  }

  override dispose(): void {
    super.dispose();
    for (const { pending } of this.#known.values()) pending?.dispose();
    this.#known.clear();
  }

  #open(document: vscode.TextDocument): void {
    if (isRequestFile(document)) this.#publish(document);
  }

  #schedule(document: vscode.TextDocument): void {
    const known = this.#known.get(document.uri.toString());
    if (!known) return;
    known.pending?.dispose();
    known.pending = this.#clock.after(quietMs, () => this.#publish(document));
  }

  #close(document: vscode.TextDocument): void {
    const key = document.uri.toString();
    this.#known.get(key)?.pending?.dispose();
    if (this.#known.delete(key)) this.#diagnostics.delete(document.uri);
  }

  #publish(document: vscode.TextDocument): void {
    const findings = this.findings(document);
    const request = this.read(document);
    this.#diagnostics.set(
      document.uri,
      findings.map((finding) => toDiagnostic(document, request, finding)),
    );
  }

  #upToDate(document: vscode.TextDocument): Known {
    const key = document.uri.toString();
    const known = this.#known.get(key);
    if (known?.version === document.version) return known;
    const fresh: Known = {
      document,
      version: document.version,
      request: this.#language.parseLive(document.getText()),
      findings: undefined,
      pending: known?.pending,
    };
    // Other documents, such as an old version of a request in a diff, can be read and previewed but have no diagnostics.
    if (!document.isClosed && isRequestFile(document)) this.#known.set(key, fresh);
    return fresh;
  }
}
