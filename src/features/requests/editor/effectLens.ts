import * as vscode from 'vscode';
import { lacksAudio, type RequestLanguage } from '../../../language/requestLanguage.ts';
import { commandIds, explainCommand } from '../../../platform/editor/ids.ts';
import { plainLabel } from '../../../platform/editor/quickPick.ts';
import { isRequestFile } from '../../../language/editor/requestFileType.ts';
import type { OpenRequests } from '../../../language/editor/openRequests.ts';

/** Lenses above a request: its effect in plain words, and commands. The editor requests them again while the user types. */
export class EffectLens implements vscode.CodeLensProvider {
  readonly #language: RequestLanguage;
  readonly #documents: OpenRequests;

  constructor(language: RequestLanguage, documents: OpenRequests) {
    this.#language = language;
    this.#documents = documents;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    if (!isRequestFile(document)) return [];
    const { l10n } = vscode;
    const request = this.#documents.read(document);
    const effect = this.#language.effect(request);
    const commands: readonly vscode.Command[] = [
      { title: l10n.t('Check'), command: commandIds.checkRequest, arguments: [document.uri] },
      { title: l10n.t('Preview'), command: commandIds.previewRequest, arguments: [document.uri] },
      lacksAudio(request)
        ? { title: l10n.t('Submit List…'), command: commandIds.submitBatch, arguments: [document.uri] }
        : { title: l10n.t('Submit'), command: commandIds.submitRequest, arguments: [document.uri] },
    ];
    const parts = effect.map(({ topic, text: words }) => ({
      title: plainLabel(words),
      tooltip: l10n.t('Explain'),
      command: explainCommand,
      arguments: [topic],
    }));
    let [line, length] = [0, 0];
    return [...commands, ...parts].map((command) => {
      const added = command.title.length + separatorLength;
      const isFull = length > 0 && length + added > maxLineLength;
      if (isFull) line = Math.min(line + 1, document.lineCount - 1);
      length = isFull ? added : length + added;
      return new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command);
    });
  }
}

/** In characters: fits an editor beside a side bar, because the editor cuts what is longer. The rest is above the next line of the file. */
const maxLineLength = 110;
/** Between two lenses of a line: ` | `. */
const separatorLength = 3;
