import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ExportTarget } from '../node/export/exporter.ts';
import { FileTarget, isSystemError } from '../node/export/fileTarget.ts';
import { UserError } from '../../platform/editor/messages.ts';

/** In bytes. A virtual file system accepts only complete files, so the export is held in memory up to this size. */
const maxBytes = 64 * 1024 * 1024;

/** Opens the target that the user chose. Throws the file system's error. */
export async function openTarget(uri: vscode.Uri): Promise<ExportTarget> {
  return uri.scheme === 'file' ? FileTarget.open(uri.fsPath) : new WorkspaceTarget(uri);
}

/** Collects an export up to the size limit and writes it to a virtual file system at the end. */
class WorkspaceTarget implements ExportTarget {
  readonly #uri: vscode.Uri;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;

  constructor(uri: vscode.Uri) {
    this.#uri = uri;
  }

  async write(text: string): Promise<void> {
    const chunk = new TextEncoder().encode(text);
    if (this.#bytes + chunk.length > maxBytes) {
      throw new UserError(
        vscode.l10n.t('No more than {0} MiB can be saved here. Choose a place on a disk.', maxBytes / 1024 / 1024),
      );
    }
    this.#bytes += chunk.length;
    this.#chunks.push(chunk);
  }

  async commit(): Promise<void> {
    await vscode.workspace.fs.writeFile(this.#uri, this.#content());
  }

  async abandon(): Promise<string | undefined> {
    if (this.#bytes === 0) return undefined;
    try {
      const uri = await this.#freePartialUri();
      await vscode.workspace.fs.writeFile(uri, this.#content());
      return uri.path;
    } catch {
      return undefined;
    }
  }

  #content(): Uint8Array {
    const content = new Uint8Array(this.#bytes);
    let at = 0;
    for (const chunk of this.#chunks) {
      content.set(chunk, at);
      at += chunk.length;
    }
    return content;
  }

  /** Returns a name that is not used by an earlier partial export. */
  async #freePartialUri(): Promise<vscode.Uri> {
    for (let attempt = 1; ; attempt++) {
      const uri = this.#uri.with({ path: `${this.#uri.path}${attempt === 1 ? '' : `.${attempt}`}.partial` });
      const isTaken = await vscode.workspace.fs.stat(uri).then(
        () => true,
        () => false,
      );
      if (!isTaken) return uri;
    }
  }
}

/** Turns a file system error into a {@link UserError}; returns any other error unchanged. */
export function asUserError(error: unknown, uri: vscode.Uri): unknown {
  if (!isSystemError(error)) return error;
  return new UserError(vscode.l10n.t("{0} can't be written. {1}", basename(uri.path), describeSystemError(error.code)));
}

/** Returns the reason of a file system error. */
export function describeSystemError(code: string): string {
  const { l10n } = vscode;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return l10n.t('The disk is full.');
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'NoPermissions':
      return l10n.t("You don't have permission to write there.");
    case 'ENOENT':
    case 'ENOTDIR':
    case 'FileNotFound':
      return l10n.t("This folder doesn't exist.");
    case 'EISDIR':
    case 'FileIsADirectory':
      return l10n.t('A folder with this name already exists.');
    default:
      return l10n.t('The file system says: {0}', code);
  }
}
