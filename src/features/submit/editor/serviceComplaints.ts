import * as vscode from 'vscode';
import { oneLine } from '../../../base/outsideText.ts';
import { parseForEditor } from '../../../language/requestLanguage.ts';
import { placeFieldErrors } from '../common/fieldErrors.ts';
import { openDocument, type RequestText } from '../../../language/editor/requestDocuments.ts';
import { positionsIn, toRange } from '../../../language/editor/diagnostics.ts';
import { DisposableOwner } from '../../../base/disposable.ts';

/** Shows the service's field errors as diagnostics in the request document, until it is edited. */
export class ServiceComplaints extends DisposableOwner {
  readonly #collection = this.own(vscode.languages.createDiagnosticCollection('transcription-service'));

  constructor() {
    super();
    this.own(
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.clear(document.uri);
      }),
    );
    this.own(
      // Diagnostics of a closed file stay in the Problems panel; an untitled document no longer exists once closed.
      vscode.workspace.onDidCloseTextDocument(({ uri, isUntitled }) => {
        if (isUntitled) this.clear(uri);
      }),
    );
  }

  /**
   * @param source name of the connection.
   * @returns the location of the first field error; undefined when none could be located, or the request has been edited
   * since.
   */
  show({ uri, text }: RequestText, source: string, complaints: readonly string[]): vscode.Location | undefined {
    const open = openDocument(uri);
    if (open !== undefined && open.getText() !== text) return undefined;
    const positions = positionsIn(text);
    const diagnostics = placeFieldErrors(parseForEditor(text), complaints).map(({ range, message }) => {
      const diagnostic = new vscode.Diagnostic(
        toRange(positions, range),
        oneLine(message, 300),
        vscode.DiagnosticSeverity.Error,
      );
      diagnostic.source = source;
      return diagnostic;
    });
    const [first] = diagnostics;
    if (first === undefined) return undefined;
    this.#collection.set(uri, diagnostics);
    return new vscode.Location(uri, first.range);
  }

  clear(uri: vscode.Uri): void {
    if (this.#collection.has(uri)) this.#collection.delete(uri);
  }
}
