import * as vscode from 'vscode';
import { makeLanguageNamer } from '../../../language/request/languages.ts';
import { findLanguageAt } from '../../../language/suggestions.ts';
import { toRange } from '../../../language/editor/diagnostics.ts';
import type { OpenRequests } from '../../../language/editor/openRequests.ts';
import { isRequestFile } from '../../../language/editor/requestFileType.ts';

/** Shows the name of the language code at the pointer, in the editor's language. The schema explains fields. */
export class LanguageHover implements vscode.HoverProvider {
  readonly #documents: OpenRequests;
  readonly #nameOf = makeLanguageNamer(vscode.env.language);

  constructor(documents: OpenRequests) {
    this.#documents = documents;
  }

  provideHover(document: vscode.TextDocument, position: vscode.Position): vscode.Hover | undefined {
    if (!isRequestFile(document)) return undefined;
    const found = findLanguageAt(this.#documents.read(document), document.offsetAt(position), this.#nameOf);
    if (!found) return undefined;
    // Both texts are trusted: known codes, and the editor's names for them.
    const words = vscode.l10n.t('{0}: {1}', found.code, found.name);
    return new vscode.Hover(words, toRange(document, found.range));
  }
}
