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
  /** The levels of rules that a workspace's files set for a folder. */
  readonly levelsIn: (folder: string) => RuleLevels;
}

/** Maximum number of findings per rule, as in the extension: more would hold the editor up. */
const maxFindings = 500;

interface ServedRequest {
  readonly version: number;
  readonly request: RequestFile;
  /** For this version; undefined until first used. */
  findings: readonly Finding[] | undefined;
}

/** The request files that the editor has open: parsed, kept up to date, and checked. */
export class ServedRequests {
  readonly version: string;
  readonly knowledge: ServiceKnowledge | undefined;
  /** URIs of the workspace's folders. */
  folders: readonly string[] = [];
  /** From the editor's own settings; they count over those of the workspace. */
  editorLevels: RuleLevels = new Map();
  readonly #deps: ServerDeps;
  readonly #served = new Map<string, ServedRequest>();
  readonly #levels = new Map<string, RuleLevels>();

  constructor(deps: ServerDeps) {
    this.#deps = deps;
    this.version = deps.version;
    this.knowledge = findServiceKnowledge(deps.service);
  }

  /** The text of a document, parsed once for each version. */
  read(document: TextDocument): RequestFile {
    return this.#upToDate(document).request;
  }

  /** Current findings of a document. */
  findings(document: TextDocument): readonly Finding[] {
    const served = this.#upToDate(document);
    served.findings ??= this.check(document.uri, served.request);
    return served.findings;
  }

  /** Checks a request as the file at a URI is checked. */
  check(uri: string, request: RequestFile): readonly Finding[] {
    const { check, now, linkNeed } = this.#deps;
    const context = { nowMs: now(), knowledge: this.knowledge, linkNeed };
    return checkRequest(request, check, context, { levels: this.#levelsOf(uri), limit: maxFindings });
  }

  /** Forgets a document that was closed. @returns whether it was known */
  forget(uri: string): boolean {
    return this.#served.delete(uri);
  }

  /** After a change of settings: everything is to be checked anew. */
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

  /** The workspace's folder that a file is in, else its own; undefined when it is in no file system. */
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
