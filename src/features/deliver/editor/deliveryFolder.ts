import * as vscode from 'vscode';
import { UserError } from '../../../platform/editor/messages.ts';
import type { DeliveryPlan } from '../common/delivery.ts';
import { isReallyBelow } from '../node/realPaths.ts';
import type { DeliveryFolder } from '../node/deliverer.ts';

/** Larger files are not compared with what was delivered. In bytes. */
const maxComparedBytes = 256 * 1024 * 1024;

/**
 * Opens the folder of a plan, and creates it if necessary.
 * @throws UserError if it is not within its workspace folder, with all links resolved; vscode.FileSystemError
 */
export async function openDeliveryFolder({ folder, root }: DeliveryPlan): Promise<DeliveryFolder> {
  const uri = vscode.Uri.parse(folder, true);
  const within = root === undefined ? undefined : vscode.Uri.parse(root, true);
  // Before it is created, because its parents may be links, and after it, because it may be one.
  if (within !== undefined) await requireWithin(uri, within);
  try {
    await vscode.workspace.fs.createDirectory(uri);
  } catch (error) {
    throw withDiskCode(error);
  }
  if (within !== undefined) await requireWithin(uri, within);
  return new WorkspaceFolder(uri);
}

async function requireWithin(folder: vscode.Uri, root: vscode.Uri): Promise<void> {
  const isWithin =
    isBelow(folder, root) &&
    (folder.scheme === 'file' ? await isReallyBelow(folder.fsPath, root.fsPath) : await hasNoLinks(folder, root));
  if (isWithin) return;
  throw new UserError(vscode.l10n.t('Results are not saved in {0}, because it is outside the workspace.', folder.path));
}

/** True if a folder is another one or below it, by its path. */
export function isBelow(folder: vscode.Uri, root: vscode.Uri): boolean {
  const base = root.path.endsWith('/') ? root.path : `${root.path}/`;
  const { path } = vscode.Uri.joinPath(folder, '.');
  return (
    folder.scheme === root.scheme &&
    folder.authority === root.authority &&
    (path === root.path || path.startsWith(base))
  );
}

/** Other file systems do not resolve links, so none is allowed between the two. */
async function hasNoLinks(folder: vscode.Uri, root: vscode.Uri): Promise<boolean> {
  for (let at = folder; at.path.length > root.path.length; at = vscode.Uri.joinPath(at, '..')) {
    const stat = await statOf(at);
    if (stat !== undefined && (stat.type & vscode.FileType.SymbolicLink) !== 0) return false;
  }
  return true;
}

async function statOf(uri: vscode.Uri): Promise<vscode.FileStat | undefined> {
  try {
    return await vscode.workspace.fs.stat(uri);
  } catch (error) {
    if (isFileError(error, 'FileNotFound')) return undefined;
    throw error;
  }
}

function isFileError(error: unknown, code: string): boolean {
  return error instanceof vscode.FileSystemError && error.code === code;
}

/** The editor reports a full or read-only disk as an unknown error, whose text has the code of the system. */
function withDiskCode(error: unknown): unknown {
  const [code] =
    error instanceof Error ? (/\b(?:ENOSPC|EDQUOT|EROFS)\b/.exec(error.message.slice(0, 10_000)) ?? []) : [];
  return code === undefined ? error : Object.assign(new Error(code, { cause: error }), { code });
}

/** A folder of any file system that the editor can write to. */
class WorkspaceFolder implements DeliveryFolder {
  readonly #uri: vscode.Uri;

  constructor(uri: vscode.Uri) {
    this.#uri = uri;
  }

  async names(): Promise<readonly string[]> {
    return (await vscode.workspace.fs.readDirectory(this.#uri)).map(([name]) => name);
  }

  async read(name: string): Promise<Uint8Array | undefined> {
    const uri = this.#of(name);
    const stat = await statOf(uri);
    if (stat === undefined || (stat.type & vscode.FileType.File) === 0 || stat.size > maxComparedBytes)
      return undefined;
    return vscode.workspace.fs.readFile(uri);
  }

  async write(name: string, content: Uint8Array): Promise<void> {
    try {
      await vscode.workspace.fs.writeFile(this.#of(name), content);
    } catch (error) {
      throw withDiskCode(error);
    }
  }

  async rename(from: string, to: string): Promise<boolean> {
    try {
      await vscode.workspace.fs.rename(this.#of(from), this.#of(to), { overwrite: false });
      return true;
    } catch (error) {
      if (isFileError(error, 'FileExists') || (await statOf(this.#of(to))) !== undefined) return false;
      if (this.#uri.scheme === 'file') throw error;
      return this.#create(to, await vscode.workspace.fs.readFile(this.#of(from)), from);
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await vscode.workspace.fs.delete(this.#of(name), { useTrash: false });
    } catch (error) {
      if (!isFileError(error, 'FileNotFound')) throw error;
    }
  }

  /** Creates a file where files cannot be renamed. Returns false if there is something with its name. */
  async #create(name: string, contents: Uint8Array, temporary: string): Promise<boolean> {
    const edit = new vscode.WorkspaceEdit();
    edit.createFile(this.#of(name), { overwrite: false, ignoreIfExists: false, contents });
    if (!(await vscode.workspace.applyEdit(edit))) return false;
    await this.remove(temporary);
    return true;
  }

  #of(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.#uri, name);
  }
}
