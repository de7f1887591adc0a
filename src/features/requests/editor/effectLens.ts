import * as vscode from 'vscode';
import type { RequestLanguage } from '../../../language/requestLanguage.ts';
import { commandIds, explainCommand } from '../../../platform/editor/ids.ts';
import { oneLine } from '../../../base/outsideText.ts';
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
    const effect = this.#language.effect(this.#documents.read(document));
    const commands: readonly vscode.Command[] = [
      { title: l10n.t('Check'), command: commandIds.checkRequest, arguments: [document.uri] },
      { title: l10n.t('Preview'), command: commandIds.previewRequest, arguments: [document.uri] },
      { title: l10n.t('Submit'), command: commandIds.submitRequest, arguments: [document.uri] },
    ];
    const parts = effect.map(({ topic, text: words }) => ({
      title: plainLabel(oneLine(words, maxLineLength)),
      tooltip: l10n.t('Explain'),
      command: explainCommand,
      arguments: [topic],
    }));
    const [first, second] = splitLines([...commands, ...parts]);
    return [...lensesAt(0, first), ...lensesAt(document.lineCount > 1 ? 1 : 0, second)];
  }
}

/** In characters: fits an editor beside a side bar, because the editor cuts what is longer. */
const maxLineLength = 100;
/** Between two lenses of a line: ` | `. */
const separatorLength = 3;

/** Fills a line above the first line of the file, as far as it fits, and one above the second. */
function splitLines(
  commands: readonly vscode.Command[],
): readonly [readonly vscode.Command[], readonly vscode.Command[]] {
  let length = 0;
  const isFull = ({ title }: vscode.Command): boolean => (length += title.length + separatorLength) > maxLineLength;
  const end = commands.findIndex(isFull);
  return end < 0 ? [commands, []] : [commands.slice(0, end), commands.slice(end)];
}

function lensesAt(line: number, commands: readonly vscode.Command[]): readonly vscode.CodeLens[] {
  return commands.map((command) => new vscode.CodeLens(new vscode.Range(line, 0, line, 0), command));
}
