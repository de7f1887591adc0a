import * as vscode from 'vscode';
import type { JsonObject } from '../../base/json/json.ts';
import { UserError } from '../../platform/editor/messages.ts';
import { commandIds } from '../../platform/editor/ids.ts';
import { maxFileMegabytes } from '../request/requestFile.ts';
import { hasRequestName, isRequestFile, previewScheme, requestSelector } from './requestFileType.ts';

/** Returns the URIs in a command's arguments: a lens passes one URI, the explorer the clicked URI and all selected URIs. */
export function chosenUris([one, all]: readonly unknown[]): readonly vscode.Uri[] {
  const uris = (Array.isArray(all) ? all : []).filter((each) => each instanceof vscode.Uri);
  // A click outside a selection is about the clicked file.
  const isSelected = !(one instanceof vscode.Uri) || uris.some((each) => each.toString() === one.toString());
  return (uris.length > 0 && isSelected ? uris : one instanceof vscode.Uri ? [one] : []).map(sourceOf);
}

/** Returns the request file that the active editor shows, as text or preview; undefined if it shows another document. */
export function activeRequest(): vscode.Uri | undefined {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) return undefined;
  const isRequest = isRequestFile(document) || document.uri.scheme === previewScheme;
  return isRequest ? sourceOf(document.uri) : undefined;
}

/** Returns the file that a preview shows; other URIs unchanged. */
export function sourceOf(uri: vscode.Uri): vscode.Uri {
  return uri.scheme === previewScheme ? vscode.Uri.parse(uri.query) : uri;
}

/** Returns the document of a URI if an editor or another part of the product has it open. */
export function openDocument(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
}

/** Variations of {@link readText}. */
interface ReadOptions {
  readonly maxMegabytes?: number;
  /** Returns the encoding of a file as in the Encoding Standard; undefined for the one in the settings, or of its byte order mark. */
  readonly encodingOf?: (bytes: Uint8Array) => string | undefined;
}

/**
 * Reads the text of a file: from the editor if it is open, otherwise from storage.
 * @throws UserError if it is larger than 10 MB or cannot be read.
 */
export async function readText(uri: vscode.Uri, options: ReadOptions = {}): Promise<string> {
  const shown = openDocument(uri)?.getText();
  if (shown !== undefined) return shown;
  const { size } = await vscode.workspace.fs.stat(uri).then(undefined, (error: unknown) => {
    throw unreadable(uri, error);
  });
  const { maxMegabytes = maxFileMegabytes, encodingOf } = options;
  if (size > maxMegabytes * megabyte) {
    throw new UserError(
      vscode.l10n.t('"{0}" is {1} MB. Files over {2} MB are not read.', nameOf(uri), inMegabytes(size), maxMegabytes),
    );
  }
  return readStored(uri, encodingOf);
}

/**
 * Reads a stored file and decodes it like the editor: by its byte order mark, which is removed, otherwise by the encoding setting.
 * @throws UserError if it cannot be read.
 */
async function readStored(uri: vscode.Uri, encodingOf?: ReadOptions['encodingOf']): Promise<string> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    const encoding = encodingOf?.(bytes);
    // Without a byte order mark, the editor takes UTF-16 for binary data.
    const text =
      encoding === undefined ? await vscode.workspace.decode(bytes, { uri }) : new TextDecoder(encoding).decode(bytes);
    return text.replace(/^\uFEFF/u, '');
  } catch (error) {
    throw unreadable(uri, error);
  }
}

const megabyte = 1024 * 1024;

function inMegabytes(bytes: number): string {
  return (bytes / megabyte).toFixed(1);
}

/** Describes in a sentence why a file cannot be read. */
function unreadable(uri: vscode.Uri, error: unknown): UserError {
  const name = nameOf(uri);
  if (error instanceof vscode.FileSystemError && ['FileNotFound', 'Unavailable'].includes(error.code)) {
    return new UserError(vscode.l10n.t('"{0}" no longer exists.', name));
  }
  const why = error instanceof Error ? error.message : String(error);
  return new UserError(vscode.l10n.t(`"{0}" can't be read: {1}`, name, why));
}

/** A request from the editor, or from its file if it is not open. */
export interface RequestText {
  readonly uri: vscode.Uri;
  /** File name. */
  readonly name: string;
  readonly text: string;
}

const maxBytes = 10 * megabyte;

/** Returns the name of a file without its folders. */
function nameOf({ path }: vscode.Uri): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Returns the files that a command applies to: from menus and lenses, otherwise the active file. @throws UserError */
export function requestUris(given: readonly unknown[]): readonly vscode.Uri[] {
  const uris = chosenUris(given);
  // Ignore other files in a selection of several; a single file was chosen deliberately.
  const requests = uris.length === 1 ? uris : uris.filter(hasRequestName);
  if (requests.length > 0) return [...new Map(requests.map((uri) => [uri.toString(), uri])).values()];
  const document = vscode.window.activeTextEditor?.document;
  if (uris.length === 0 && document !== undefined && isRequest(document)) return [sourceOf(document.uri)];
  throw new UserError(vscode.l10n.t('Open a request file (*.transcription.json) first.'), [
    { title: vscode.l10n.t('New Request File'), run: () => vscode.commands.executeCommand(commandIds.newRequest) },
  ]);
}

/**
 * Reads a request; the text in an editor takes precedence, saved or not.
 * @throws UserError if it is larger than 10 MB or cannot be read.
 */
export async function readRequest(uri: vscode.Uri): Promise<RequestText> {
  const name = nameOf(uri);
  const text = openDocument(uri)?.getText() ?? (await storedText(uri, name));
  refuseLarge(new TextEncoder().encode(text).length, name);
  return { uri, name, text };
}

/** Shows a request in an editor. @throws UserError if it cannot be read. */
export async function openRequest(uri: vscode.Uri): Promise<void> {
  const there = openDocument(uri)?.uri ?? savedUri(uri);
  try {
    // Opening a closed untitled document would create a new one.
    if (openDocument(there) === undefined) await vscode.workspace.fs.stat(there);
    await vscode.window.showTextDocument(there);
  } catch (error) {
    throw unreadable(uri, error);
  }
}

/** True if a document can be sent, which includes requests on read-only file systems and untitled JSON documents. */
function isRequest(document: vscode.TextDocument): boolean {
  return (
    vscode.languages.match(requestSelector, document) > 0 ||
    document.uri.scheme === previewScheme ||
    (document.isUntitled && document.languageId === 'json')
  );
}

async function storedText(uri: vscode.Uri, name: string): Promise<string> {
  const stored = savedUri(uri);
  try {
    refuseLarge((await vscode.workspace.fs.stat(stored)).size, name);
    return await readStored(stored);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unreadable(stored, error);
  }
}

/** Returns the URI of the file that a formerly untitled document was saved as, if its path names a file. */
export function savedUri(uri: vscode.Uri): vscode.Uri {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  if (uri.scheme !== 'untitled' || !uri.path.startsWith('/') || folder === undefined) return uri;
  return uri.with({ scheme: folder.scheme, authority: folder.authority });
}

/** Returns the URI of a new request before it is first saved under this path. */
export function untitledUri({ path }: Pick<vscode.Uri, 'path'>): vscode.Uri {
  return vscode.Uri.from({ scheme: 'untitled', path });
}

function refuseLarge(bytes: number, name: string): void {
  if (bytes <= maxBytes) return;
  throw new UserError(
    vscode.l10n.t(
      '"{0}" is {1} MB. Requests over 10 MB are not sent; provide the audio as a URL.',
      name,
      inMegabytes(bytes),
    ),
  );
}

/** The request file of a job. */
export interface SentRequest {
  readonly uri: vscode.Uri;
  /** Current text. */
  readonly text: string;
  /** True if the file, or the template with the row of the list, still has the request that was sent. */
  readonly isUnchanged: boolean;
  /** If the file is only the template of a list: the job's own request, without `audio_url` if the list no longer has it. */
  readonly ofRow?: JsonObject;
}
