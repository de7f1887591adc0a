import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { RuleLevels } from '../language/check.ts';
import type { Finding, LinkNeed } from '../language/request/finding.ts';
import type { SchemaCheck } from '../language/request/jsonFindings.ts';
import type { ServiceChoice } from '../known/knownService.ts';
import { findServiceKnowledge } from '../known/serviceKnowledge.ts';
import type { RequestFile } from '../language/request/requestFile.ts';
import { createRequestLanguage, maxEditorFindings, type RequestLanguage } from '../language/requestLanguage.ts';

/** Environment of the server. */
export interface ServerDeps {
  readonly version: string;
  readonly check: SchemaCheck;
  readonly now: () => number;
  readonly service: ServiceChoice;
  readonly linkNeed: () => LinkNeed | undefined;
  /** Returns the rule levels from the workspace files for a folder. */
  readonly levelsIn: (folder: string) => RuleLevels;
}

interface ServedRequest {
  readonly version: number;
  readonly request: RequestFile;
  /** Findings for this version; undefined until first use. */
  findings: readonly Finding[] | undefined;
}

/** Parses and checks the request files that are open in the editor, and keeps them up to date. */
export class ServedRequests {
  readonly version: string;
  /** URIs of the workspace folders. */
  folders: readonly string[] = [];
  /** Levels from the editor's own settings, which override those of the workspace. */
  editorLevels: RuleLevels = new Map();
  /** Language of the editor, for the names of languages. */
  locale: string | undefined;
  readonly #deps: ServerDeps;
  readonly #served = new Map<string, ServedRequest>();
  /** By folder, whose files share their settings. */
  readonly #languages = new Map<string, RequestLanguage>();

  constructor(deps: ServerDeps) {
    this.#deps = deps;
    this.version = deps.version;
  }

  /** Returns the parsed text of a document. Parses each version once. */
  read(document: TextDocument): RequestFile {
    return this.#upToDate(document).request;
  }

  /** Returns the current findings of a document. */
  findings(document: TextDocument): readonly Finding[] {
    const served = this.#upToDate(document);
    served.findings ??= this.languageOf(document.uri).check(served.request);
    return served.findings;
  }

  /** Returns the language with the settings for the file at a URI. */
  languageOf(uri: string): RequestLanguage {
    const folder = this.#folderOf(uri);
    const known = this.#languages.get(folder ?? '') ?? this.#makeLanguage(folder);
    this.#languages.set(folder ?? '', known);
    return known;
  }

  /** Removes a closed document. @returns true if it was known */
  forget(uri: string): boolean {
    return this.#served.delete(uri);
  }

  /** Discards all findings and levels after a change of settings. */
  forgetFindings(): void {
    this.#languages.clear();
    for (const served of this.#served.values()) served.findings = undefined;
  }

  #upToDate(document: TextDocument): ServedRequest {
    const { uri, version } = document;
    const known = this.#served.get(uri);
    if (known?.version === version) return known;
    const request = this.languageOf(uri).parse(document.getText());
    const served: ServedRequest = { version, request, findings: undefined };
    this.#served.set(uri, served);
    return served;
  }

  #makeLanguage(folder: string | undefined): RequestLanguage {
    const { check, now, service, linkNeed, levelsIn } = this.#deps;
    const knowledge = findServiceKnowledge(service);
    const ofWorkspace = folder === undefined ? new Map<string, never>() : levelsIn(folder);
    return createRequestLanguage({
      schema: check,
      now,
      knowledge: () => knowledge,
      linkNeed,
      rules: () => new Map([...ofWorkspace, ...this.editorLevels]),
      language: () => this.locale,
      maxFindings: maxEditorFindings,
    });
  }

  /** Returns the workspace folder that contains a file, otherwise the file's own folder; undefined if it is not in a file system. */
  #folderOf(uri: string): string | undefined {
    const around = this.folders
      .filter((each) => uri.startsWith(each.endsWith('/') ? each : `${each}/`))
      .sort((a, b) => b.length - a.length)[0];
    try {
      return around === undefined ? dirname(fileURLToPath(uri)) : fileURLToPath(around);
    } catch {
      return undefined;
    }
  }
}
