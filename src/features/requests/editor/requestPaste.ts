import * as vscode from 'vscode';
import { notHttp, type RequestLanguage, type UnderstoodPaste } from '../../../language/requestLanguage.ts';
import { commandIds, explainCommand } from '../../../platform/editor/ids.ts';
import { showMessage } from '../../../platform/editor/messages.ts';
import type { OpenRequests } from '../../../language/editor/openRequests.ts';
import { toRange } from '../../../language/editor/diagnostics.ts';
import { isRequestFile, pastedTypes, pasteKind } from '../../../language/editor/requestFileType.ts';

/** An edit, and the paste to report once the user selects it. */
class UnderstoodEdit extends vscode.DocumentPasteEdit {
  readonly understood: UnderstoodPaste;
  readonly request: vscode.Uri;

  constructor(understood: UnderstoodPaste, request: vscode.Uri, additional: vscode.WorkspaceEdit | undefined) {
    super(textOf(understood), understood.title, kindOf(understood));
    this.understood = understood;
    this.request = request;
    if (additional) this.additionalEdit = additional;
  }
}

/** Handles rows of a spreadsheet, addresses, request bodies and audio files that are pasted or dropped into a request. */
export class RequestPaste implements vscode.DocumentPasteEditProvider, vscode.DocumentDropEditProvider {
  readonly #language: RequestLanguage;
  readonly #documents: OpenRequests;

  constructor(language: RequestLanguage, documents: OpenRequests) {
    this.#language = language;
    this.#documents = documents;
  }

  async provideDocumentPasteEdits(
    document: vscode.TextDocument,
    ranges: readonly vscode.Range[],
    data: vscode.DataTransfer,
  ): Promise<UnderstoodEdit[]> {
    const [range] = ranges;
    if (ranges.length !== 1 || !range) return [];
    const understood = await this.#understand(document, range, data);
    if (!understood) return [];
    return [new UnderstoodEdit(understood, document.uri, replaceRange(document, understood))];
  }

  resolveDocumentPasteEdit(edit: vscode.DocumentPasteEdit): vscode.DocumentPasteEdit {
    if (edit instanceof UnderstoodEdit) reportPaste(edit.understood, edit.request);
    return edit;
  }

  async provideDocumentDropEdits(
    document: vscode.TextDocument,
    position: vscode.Position,
    data: vscode.DataTransfer,
  ): Promise<vscode.DocumentDropEdit | undefined> {
    const range = new vscode.Range(position, position);
    const understood = await this.#understand(document, range, data);
    if (!understood) return undefined;
    // A drop has no event after the choice.
    reportPaste(understood, document.uri);
    const edit = new vscode.DocumentDropEdit(textOf(understood), understood.title, kindOf(understood));
    const replacement = replaceRange(document, understood);
    if (replacement) edit.additionalEdit = replacement;
    return edit;
  }

  async #understand(
    document: vscode.TextDocument,
    range: vscode.Range,
    data: vscode.DataTransfer,
  ): Promise<UnderstoodPaste | undefined> {
    if (!isRequestFile(document)) return undefined;
    const offset = document.offsetAt(range.start);
    const selected = { offset, length: document.offsetAt(range.end) - offset };
    for (const type of pastedTypes) {
      const text = await data.get(type)?.asString();
      if (text === undefined) continue;
      const understood = this.#language.paste(this.#documents.read(document), selected, text);
      if (understood) return understood;
    }
    return undefined;
  }
}

/**
 * Returns the edit that replaces the range of a paste; undefined if the text replaces the selection. The editor would insert text over
 * the selection as a snippet, and indent its lines again. Uses a single replacement, because the editor drops an insertion between two
 * deletions.
 */
function replaceRange(document: vscode.TextDocument, understood: UnderstoodPaste): vscode.WorkspaceEdit | undefined {
  if (understood.type === 'localFile' || understood.range === undefined) return undefined;
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, toRange(document, understood.range), understood.text);
  return edit;
}

/** Returns the text to insert at the selection. */
function textOf(understood: UnderstoodPaste): string {
  return understood.type === 'localFile' || understood.range !== undefined ? '' : understood.text;
}

function kindOf({ type }: UnderstoodPaste): vscode.DocumentDropOrPasteEditKind {
  return pasteKind.append(type);
}

/** Reports what the paste itself does not show. The messages may stay open after the paste has ended. */
function reportPaste(understood: UnderstoodPaste, request: vscode.Uri): void {
  const { l10n } = vscode;
  if (understood.type === 'severalAddresses') {
    const message = l10n.t(
      '{0} URLs were pasted; a request has one. The first was inserted. You can submit this request once for each of them.',
      understood.count,
    );
    void showMessage('information', message, [
      {
        title: l10n.t('Submit the List…'),
        run: () => vscode.commands.executeCommand(commandIds.submitBatch, request, { addresses: understood.addresses }),
      },
    ]);
  } else if (understood.type === 'localFile') {
    const message = l10n.t(
      "The service can't see files on this computer. Upload the file to where the service can reach it, such as your storage, and paste its URL.",
    );
    // The editor truncates a message without buttons after one line.
    void showMessage('information', message, [
      { title: l10n.t('Learn More'), run: () => vscode.commands.executeCommand(explainCommand, notHttp.code) },
    ]);
  }
}
