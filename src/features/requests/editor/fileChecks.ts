import * as vscode from 'vscode';
import {
  type Finding,
  isTooLong,
  requestGlob,
  type RequestFile,
  type RequestLanguage,
} from '../../../language/requestLanguage.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { openDocument, readText } from '../../../language/editor/requestDocuments.ts';
import { isRequestFile, hasRequestName } from '../../../language/editor/requestFileType.ts';
import { toDiagnostic, positionsIn } from '../../../language/editor/diagnostics.ts';

/** Result of a complete check of one file. */
export interface CheckedRequest {
  readonly uri: vscode.Uri;
  readonly request: RequestFile;
  /** Syntax, types and rules, in the order of the text. */
  readonly findings: readonly Finding[];
}

/**
 * Checks whole files, open or not. Findings of closed files stay in the problems until the file is changed, deleted or
 * opened; open files have their own diagnostics.
 */
export class FileChecks extends DisposableOwner {
  readonly #diagnostics = this.own(vscode.languages.createDiagnosticCollection('transcription-check'));
  readonly #language: RequestLanguage;
  /** Last modification time of each file whose problems are shown, by URI. */
  readonly #writtenMs = new Map<string, number | undefined>();

  constructor(language: RequestLanguage) {
    super();
    this.#language = language;
    const forget = (uri: vscode.Uri): void => this.#forget(uri);
    const files = this.own(vscode.workspace.createFileSystemWatcher(requestGlob));
    this.own(files.onDidChange((uri) => void this.#forgetOld(uri)));
    this.own(files.onDidDelete(forget));
    this.own(vscode.workspace.onDidOpenTextDocument(({ uri }) => forget(uri)));
  }

  /** Checks one file without showing its findings. @throws UserError when it cannot be read, or is too long */
  async inspect(uri: vscode.Uri): Promise<CheckedRequest> {
    const request = this.#language.parseForEditor(await readText(uri));
    const findings = this.#language.check(request);
    const [first] = findings;
    if (first && isTooLong(request))
      throw new UserError(vscode.l10n.t('{0}: {1}', vscode.workspace.asRelativePath(uri), first.message));
    return { uri, request, findings };
  }

  /** Checks one file and shows its findings in the problems. @throws UserError as {@link inspect} */
  async check(uri: vscode.Uri): Promise<CheckedRequest> {
    const writtenMs = await writtenAt(uri);
    const checked = await this.inspect(uri);
    const document = openDocument(uri);
    // Open files are checked continuously, and the editor's JSON service reports the rest.
    if (document && isRequestFile(document)) {
      this.#forget(uri);
    } else {
      this.#writtenMs.set(uri.toString(), writtenMs);
      this.#publish(checked);
    }
    return checked;
  }

  #forget(uri: vscode.Uri): void {
    this.#writtenMs.delete(uri.toString());
    this.#diagnostics.delete(uri);
  }

  /** Compares modification times, because a change event may arrive after the changed file was checked. */
  async #forgetOld(uri: vscode.Uri): Promise<void> {
    if (!this.#writtenMs.has(uri.toString())) return;
    const writtenMs = await writtenAt(uri);
    if (writtenMs === undefined || writtenMs !== this.#writtenMs.get(uri.toString())) this.#forget(uri);
  }

  #publish({ uri, request, findings }: CheckedRequest): void {
    const text = { uri, ...positionsIn(request.text) };
    this.#diagnostics.set(
      uri,
      findings.map((finding) => toDiagnostic(text, request, finding)),
    );
  }
}

/** Returns the last modification time of a file; undefined if it is not a file. */
async function writtenAt(uri: vscode.Uri): Promise<number | undefined> {
  try {
    return (await vscode.workspace.fs.stat(uri)).mtime;
  } catch {
    return undefined;
  }
}

/** Max number of files, in case the user selected the wrong folder. */
const fileLimit = 10_000;

/**
 * Returns the request files among the given files and below the given folders, ordered by name; those of the workspace if none are given.
 */
export async function findRequestFiles(uris?: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
  if (!uris) return sorted(await vscode.workspace.findFiles(requestGlob, undefined, fileLimit));
  const found = await Promise.all(
    uris.map(async (uri) =>
      (await isFolder(uri))
        ? vscode.workspace.findFiles(new vscode.RelativePattern(uri, requestGlob), undefined, fileLimit)
        : // A selection may include other files, whose problems the watcher would never clear.
          [uri].filter(hasRequestName),
    ),
  );
  return sorted(new Map(found.flat().map((uri) => [uri.toString(), uri])).values());
}

function sorted(uris: Iterable<vscode.Uri>): readonly vscode.Uri[] {
  return [...uris].sort((a, b) => a.path.localeCompare(b.path));
}

async function isFolder(uri: vscode.Uri): Promise<boolean> {
  if (uri.scheme === 'untitled') return false;
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}
