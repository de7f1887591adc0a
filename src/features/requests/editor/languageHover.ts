import * as vscode from 'vscode';
import type { RequestLanguage } from '../../../language/requestLanguage.ts';
import { toRange } from '../../../language/editor/diagnostics.ts';
import type { OpenRequests } from '../../../language/editor/openRequests.ts';
import { isRequestFile } from '../../../language/editor/requestFileType.ts';

/** Shows the name of the language code at the pointer, in the editor's language. The schema explains fields. */
export class LanguageHover implements vscode.HoverProvider {
  readonly #language: RequestLanguage;
  readonly #documents: OpenRequests;

  constructor(language: RequestLanguage, documents: OpenRequests) {
    this.#language = language;
    this.#documents = documents;
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    if (!isRequestFile(document)) return undefined;
    const found = this.#language.hover(this.#documents.read(document), document.offsetAt(position));
    if (!found) return undefined;
    // Both texts are trusted: known codes, and the editor's names for them.
    const words = vscode.l10n.t('{0}: {1}', found.code, found.name);
    return new vscode.Hover(words, toRange(document, found.range));
  }
}
