import { dirname, sep } from 'node:path';
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
  /** Current folder, for documents outside the file system. */
  readonly folder: string;
  /** Absolute path of the rules file; undefined if there is none. */
  readonly rulesFile: string | undefined;
  /** Returns the rule levels for a folder from the workspace and the rules file. Throws if these cannot be used. */
  readonly levelsIn: (folder: string) => FolderLevels;
}

/** Rule levels for the files of a folder. */
interface FolderLevels {
  readonly levels: RuleLevels;
  /** Sentences about invalid entries; the others apply. */
  readonly problems: readonly string[];
}

interface ServedRequest {
  readonly request: RequestFile;
  /** Findings in this text; undefined until first use. */
  findings: readonly Finding[] | undefined;
}

/** Parses and checks the request files that are open in the editor, and keeps them up to date. */
export class ServedRequests {
  readonly version: string;
  /** Levels from the editor's own settings, which override those of the workspace. */
  editorLevels: RuleLevels = new Map();
  /** Language of the editor, for the names of languages. */
  locale: string | undefined;
  readonly #deps: ServerDeps;
  readonly #onProblem: (problem: string) => void;
  readonly #served = new Map<string, ServedRequest>();
  /** By folder, whose files share their settings. */
  readonly #languages = new Map<string, RequestLanguage>();
  /** Last levels of each folder that could be read, for the time in which a rules file is half written. */
  readonly #levels = new Map<string, RuleLevels>();
  #folders: readonly string[] = [];

  /** @param onProblem called with a sentence if rule levels cannot be read */
  constructor(deps: ServerDeps, onProblem: (problem: string) => void) {
    this.#deps = deps;
    this.#onProblem = onProblem;
    this.version = deps.version;
  }

  /** @param uris of the workspace folders; those outside the file system are ignored */
  setFolders(uris: readonly string[]): void {
    this.#folders = uris.flatMap((uri) => filePath(uri) ?? []);
    this.forgetFindings();
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
    const known = this.#languages.get(folder) ?? this.#makeLanguage(folder);
    this.#languages.set(folder, known);
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
    const { uri } = document;
    const text = document.getText();
    const known = this.#served.get(uri);
    // Not by version: it may stay the same if a client opens a document again or does not count.
    if (known?.request.text === text) return known;
    const request = this.languageOf(uri).parse(text);
    const served: ServedRequest = { request, findings: undefined };
    this.#served.set(uri, served);
    return served;
  }

  #makeLanguage(folder: string): RequestLanguage {
    const { check, now, service, linkNeed } = this.#deps;
    const knowledge = findServiceKnowledge(service);
    const levels = this.#readLevels(folder);
    return createRequestLanguage({
      schema: check,
      now,
      knowledge: () => knowledge,
      linkNeed,
      rules: () => new Map([...levels, ...this.editorLevels]),
      language: () => this.locale,
      maxFindings: maxEditorFindings,
    });
  }

  #readLevels(folder: string): RuleLevels {
    try {
      const { levels, problems } = this.#deps.levelsIn(folder);
      for (const problem of problems) this.#onProblem(problem);
      this.#levels.set(folder, levels);
      return levels;
    } catch (error) {
      this.#onProblem(error instanceof Error ? error.message : String(error));
      return this.#levels.get(folder) ?? new Map();
    }
  }

  /** Returns the workspace folder that contains a file, otherwise the file's own folder. */
  #folderOf(uri: string): string {
    const path = filePath(uri);
    if (path === undefined) return this.#folders[0] ?? this.#deps.folder;
    const around = this.#folders
      .filter((each) => path.startsWith(each.endsWith(sep) ? each : `${each}${sep}`))
      .sort((a, b) => b.length - a.length)[0];
    return around ?? dirname(path);
  }
}

/** Returns the path of a file; undefined if the URI is invalid or of another scheme. */
function filePath(uri: string): string | undefined {
  try {
    const path = fileURLToPath(uri);
    return path.includes('\0') ? undefined : path;
  } catch {
    return undefined;
  }
}
