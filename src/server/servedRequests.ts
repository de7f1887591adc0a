import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { checkRequest, type RuleLevels } from '../language/check.ts';
import type { Finding, LinkNeed } from '../language/request/finding.ts';
import type { SchemaCheck } from '../language/request/jsonFindings.ts';
import type { ServiceChoice } from '../known/knownService.ts';
import { findServiceKnowledge, type ServiceKnowledge } from '../known/serviceKnowledge.ts';
import { parseRequest, type RequestFile } from '../language/request/requestFile.ts';

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

/** Maximum number of findings per rule, as in the extension: more would block the editor. */
const maxFindings = 500;

interface ServedRequest {
  readonly version: number;
  readonly request: RequestFile;
  /** Findings for this version; undefined until first use. */
  findings: readonly Finding[] | undefined;
}

/** Parses and checks the request files that are open in the editor, and keeps them up to date. */
export class ServedRequests {
  readonly version: string;
  readonly knowledge: ServiceKnowledge | undefined;
  /** URIs of the workspace folders. */
  folders: readonly string[] = [];
  /** Levels from the editor's own settings, which override those of the workspace. */
  editorLevels: RuleLevels = new Map();
  readonly #deps: ServerDeps;
  readonly #served = new Map<string, ServedRequest>();
  readonly #levels = new Map<string, RuleLevels>();

  constructor(deps: ServerDeps) {
    this.#deps = deps;
    this.version = deps.version;
    this.knowledge = findServiceKnowledge(deps.service);
  }

  /** Returns the parsed text of a document. Parses each version once. */
  read(document: TextDocument): RequestFile {
    return this.#upToDate(document).request;
  }

  /** Returns the current findings of a document. */
  findings(document: TextDocument): readonly Finding[] {
    const served = this.#upToDate(document);
    served.findings ??= this.check(document.uri, served.request);
    return served.findings;
  }

  /** Checks a request with the settings for the file at a URI. */
  check(uri: string, request: RequestFile): readonly Finding[] {
    const { check, now, linkNeed } = this.#deps;
    const context = { nowMs: now(), knowledge: this.knowledge, linkNeed };
    return checkRequest(request, check, context, { levels: this.#levelsOf(uri), limit: maxFindings });
  }

  /** Removes a closed document. @returns true if it was known */
  forget(uri: string): boolean {
    return this.#served.delete(uri);
  }

  /** Discards all findings and levels after a change of settings. */
  forgetFindings(): void {
    this.#levels.clear();
    for (const served of this.#served.values()) served.findings = undefined;
  }

  #upToDate(document: TextDocument): ServedRequest {
    const { uri, version } = document;
    const known = this.#served.get(uri);
    if (known?.version === version) return known;
    const request = parseRequest(document.getText());
    const served: ServedRequest = { version, request, findings: undefined };
    this.#served.set(uri, served);
    return served;
  }

  #levelsOf(uri: string): RuleLevels {
    const folder = this.#folderOf(uri);
    let ofWorkspace = this.#levels.get(folder ?? '');
    if (!ofWorkspace) {
      ofWorkspace = folder === undefined ? new Map<string, never>() : this.#deps.levelsIn(folder);
      this.#levels.set(folder ?? '', ofWorkspace);
    }
    return new Map([...ofWorkspace, ...this.editorLevels]);
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
