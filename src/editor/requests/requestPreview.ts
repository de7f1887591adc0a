import * as vscode from 'vscode';
import { withoutExtras } from '../../domain/request/json/parseJson.ts';
import { previewText } from '../../domain/request/curl.ts';
import { listPath } from '../../service/api/listQuery.ts';
import type { Disposable } from '../../service/disposable.ts';
import { UserError } from '../messages.ts';
import { activeRequest, chosenUris } from './requestDocuments.ts';
import type { OpenRequests } from './openRequests.ts';
import { previewScheme } from './requestIds.ts';
import type { RequestDeps } from './requestServices.ts';

/** A pause in typing that lets previews follow. */
const quietMs = 300;

/** Requests as they would be sent, as read-only documents that follow their files. The key is masked. */
export class RequestPreview implements vscode.Disposable {
  readonly #documents: OpenRequests;
  readonly #services: RequestDeps;
  readonly #following: vscode.Disposable;
  /** What makes each preview that is behind its file be read again, by URI. */
  readonly #pending = new Map<string, Disposable>();

  /** @param changed told which previews are to be read again */
  constructor(documents: OpenRequests, services: RequestDeps, changed: vscode.EventEmitter<vscode.Uri>) {
    this.#documents = documents;
    this.#services = services;
    this.#following = vscode.workspace.onDidChangeTextDocument(({ document }) => {
      const preview = previewUri(document.uri).toString();
      const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === preview);
      if (!shown) return;
      this.#pending.get(preview)?.dispose();
      const read = (): void => {
        this.#pending.delete(preview);
        changed.fire(shown.uri);
      };
      this.#pending.set(preview, services.clock.after(quietMs, read));
    });
  }

  /** Shows what a request file would send. @throws UserError when no request file was chosen */
  async show(given: readonly unknown[]): Promise<void> {
    const source = chosenUris(given)[0] ?? activeRequest()?.uri;
    if (!source) throw new UserError(vscode.l10n.t('Open a request file to preview it.'));
    const document = await vscode.workspace.openTextDocument(previewUri(source));
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside });
  }

  /** The text of a preview. @throws Error, which the editor shows in its place, when the file is gone */
  async textOf({ query }: vscode.Uri): Promise<string> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(query, true));
    const { text, extras } = this.#documents.read(document);
    const { connection, settings } = this.#services;
    const { baseUrl, apiKeyHeader } = connection() ?? {
      baseUrl: `<${vscode.l10n.t('no connection')}>`,
      apiKeyHeader: settings.connectionDefaults.apiKeyHeader,
    };
    return previewText(
      { url: baseUrl + listPath('pre-recorded'), keyHeader: apiKeyHeader },
      withoutExtras(text, extras),
    );
  }

  dispose(): void {
    this.#following.dispose();
    for (const pending of this.#pending.values()) pending.dispose();
  }
}

/** Where the preview of a request file is. */
function previewUri(source: vscode.Uri): vscode.Uri {
  const name = source.path.split('/').at(-1) ?? '';
  return vscode.Uri.from({ scheme: previewScheme, path: `/${name}.http`, query: source.toString() });
}
