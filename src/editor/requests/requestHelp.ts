import * as vscode from 'vscode';
import { explanation } from '../../domain/request/explanation.ts';
import { helpScheme } from './requestIds.ts';

/** Where the explanation of a rule or of a part of the effect is. */
export function helpUri(id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: helpScheme, path: `/${id}.md` });
}

/** Explanations and reports as read-only Markdown. */
export class RequestHelp implements vscode.TextDocumentContentProvider {
  /** Pages that are not made from their names, by path. */
  readonly #pages = new Map<string, string>();

  /** Shows what there is to say about a rule or a part of the effect. */
  async explain([id]: readonly unknown[]): Promise<void> {
    if (typeof id === 'string') await preview(helpUri(id));
  }

  /** Shows a page of our own making. @param name of the page, localised */
  async showPage(name: string, markdown: string): Promise<void> {
    const uri = helpUri(`${this.#pages.size + 1}/${name}`);
    this.#pages.set(uri.path, markdown);
    await preview(uri);
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    const text = this.#pages.get(path) ?? explanation(path.slice(1).replace(/\.md$/u, ''));
    if (text === undefined) throw new Error(vscode.l10n.t('There is nothing to say about this.'));
    return text;
  }
}

async function preview(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}
