import * as vscode from 'vscode';
import { suggestMetadata } from '../../../jobs/common/findJobs.ts';
import type { RequestLanguage, Suggestion } from '../../../language/requestLanguage.ts';
import { isRequestFile } from '../../../language/editor/requestFileType.ts';
import type { OpenRequests } from '../../../language/editor/openRequests.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { toRange } from '../../../language/editor/diagnostics.ts';

/** Max number of jobs whose metadata is read while the user types. */
const jobLimit = 500;

/** Completes language codes with names, and metadata seen on jobs. The editor completes fields and snippets from the schema. */
export class RequestCompletion implements vscode.CompletionItemProvider {
  readonly #language: RequestLanguage;
  readonly #documents: OpenRequests;
  readonly #loadedJobs: () => Iterable<Job>;

  /** @param loadedJobs jobs whose metadata is suggested */
  constructor(language: RequestLanguage, documents: OpenRequests, loadedJobs: () => Iterable<Job>) {
    this.#language = language;
    this.#documents = documents;
    this.#loadedJobs = loadedJobs;
  }

  provideCompletionItems(document: vscode.TextDocument, position: vscode.Position): vscode.CompletionItem[] {
    if (!isRequestFile(document)) return [];
    const suggestions = this.#language.complete(this.#documents.read(document), document.offsetAt(position), () =>
      suggestMetadata(first(this.#loadedJobs(), jobLimit)),
    );
    if (!suggestions) return [];
    const range = toRange(document, suggestions.range);
    if (suggestions.items.length === 0) return [muteItem(range)];
    return suggestions.items.map((item, index) => toItem(item, range, index));
  }
}

/** Returns an item that no text matches, so it is never shown. Without any item, the editor would offer words of the document. */
function muteItem(range: vscode.Range): vscode.CompletionItem {
  const item = new vscode.CompletionItem('\u2026', vscode.CompletionItemKind.Text);
  item.range = range;
  item.filterText = '\u0000';
  item.insertText = '';
  return item;
}

function toItem(
  { label, detail, filter, insert, cursor }: Suggestion,
  range: vscode.Range,
  index: number,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label, description: detail }, vscode.CompletionItemKind.Value);
  item.range = range;
  item.filterText = filter;
  // Before the empty string that the JSON service offers.
  item.sortText = `!${String(index).padStart(4, '0')}`;
  item.insertText = insert;
  if (cursor !== undefined) {
    item.kind = vscode.CompletionItemKind.Property;
    item.insertText = new vscode.SnippetString()
      .appendText(insert.slice(0, cursor))
      .appendTabstop(1)
      .appendText(insert.slice(cursor));
    item.command = { title: vscode.l10n.t('Suggest'), command: 'editor.action.triggerSuggest' };
  }
  return item;
}

function* first<T>(all: Iterable<T>, count: number): Generator<T, void, undefined> {
  let left = count;
  for (const each of all) {
    if (left-- <= 0) return;
    yield each;
  }
}
