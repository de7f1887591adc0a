import * as vscode from 'vscode';
import { isTooLong, stripExtras } from '../../../language/requestLanguage.ts';
import { formatPreview, submitPath } from '../../../connections/common/curl.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { activeRequest, chosenUris } from '../../../language/editor/requestDocuments.ts';
import { previewScheme } from '../../../language/editor/requestFileType.ts';
import type { OpenRequests } from '../../../language/editor/openRequests.ts';
import type { RequestServices } from '../../../services.ts';

/** Delay after typing before previews are refreshed, in milliseconds. */
const quietMs = 300;

/** Requests as they would be sent, as read-only documents that follow their files. The key is masked. */
export class RequestPreview extends DisposableOwner {
  readonly #documents: OpenRequests;
  readonly #services: RequestServices;
  /** Pending refreshes of previews, by URI. */
  readonly #pending = new Map<string, Disposable>();

  /** @param changed called with each preview to refresh */
  constructor(documents: OpenRequests, services: RequestServices, changed: vscode.EventEmitter<vscode.Uri>) {
    super();
    this.#documents = documents;
    this.#services = services;
    this.own(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const preview = makePreviewUri(document.uri).toString();
        const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === preview);
        if (!shown) return;
        this.#pending.get(preview)?.dispose();
        const read = (): void => {
          this.#pending.delete(preview);
          changed.fire(shown.uri);
        };
        this.#pending.set(preview, services.clock.after(quietMs, read));
      }),
    );
    this.own({ dispose: () => this.#pending.forEach((pending) => pending.dispose()) });
  }

  /** Shows the request that a file would send. @throws UserError when no request file was chosen */
  async show(given: readonly unknown[]): Promise<void> {
    const source = chosenUris(given)[0] ?? activeRequest();
    if (!source) throw new UserError(vscode.l10n.t('Open a request file to preview it.'));
    const document = await vscode.workspace.openTextDocument(makePreviewUri(source));
    // The focus stays in the file, so that the next command, such as Submit, applies to it.
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true });
  }

  /**
   * Returns the text of a preview, or why the request is too long to be sent.
   * @throws Error, which the editor shows in place of the text, when the file no longer exists
   */
  async textOf({ query }: vscode.Uri): Promise<string> {
    const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(query, true));
    const request = this.#documents.read(document);
    if (isTooLong(request))
      return this.#documents
        .findings(document)
        .map(({ message }) => message)
        .join('\n');
    const { text, extras } = request;
    const { connections, settings } = this.#services;
    const { baseUrl, apiKeyHeader } = connections.current ?? {
      baseUrl: `<${vscode.l10n.t('no connection')}>`,
      apiKeyHeader: settings.connectionDefaults.apiKeyHeader,
    };
    return formatPreview({ url: baseUrl + submitPath, keyHeader: apiKeyHeader }, stripExtras(text, extras));
  }
}

/** Returns the URI of the preview of a request file. Its suffix determines its language, whatever the file's name. */
function makePreviewUri(source: vscode.Uri): vscode.Uri {
  const name =
    source.path
      .split('/')
      .at(-1)
      ?.replace(/(\.transcription\.json)?$/u, '.transcription.json') ?? '';
  return vscode.Uri.from({ scheme: previewScheme, path: `/${name}.http`, query: source.toString() });
}
