import * as vscode from 'vscode';
import type { Finding, Severity } from '../request/finding.ts';
import { placeRange, type Place, type RequestFile } from '../request/requestFile.ts';
import { ruleCodes } from '../check.ts';
import { LineIndex } from '../json/lineIndex.ts';
import type { TextRange } from '../json/textEdit.ts';
import { explainTopic } from '../explainTopic.ts';
import { explainFailures } from '../../base/failureText.ts';
import { BoundedMap } from '../../base/boundedMap.ts';
import { errorCodesTopic } from '../../platform/editor/ids.ts';
import { helpScheme } from './requestFileType.ts';

/** Converts a finding to an editor diagnostic whose code links to the explanation. */
export function toDiagnostic(
  document: Positions & { readonly uri: vscode.Uri },
  request: RequestFile,
  finding: Finding,
): vscode.Diagnostic {
  const rangeOf = (place: Place) => toRange(document, placeRange(request, place));
  const diagnostic = new vscode.Diagnostic(rangeOf(finding.place), finding.message, toSeverity(finding.severity));
  diagnostic.source = vscode.l10n.t('Transcription');
  diagnostic.code = ruleCodes.has(finding.code) ? { value: finding.code, target: helpUri(finding.code) } : finding.code;
  diagnostic.relatedInformation = (finding.related ?? []).map(
    ({ place, message }) =>
      new vscode.DiagnosticRelatedInformation(new vscode.Location(document.uri, rangeOf(place)), message),
  );
  return diagnostic;
}

function toSeverity(severity: Severity): vscode.DiagnosticSeverity {
  switch (severity) {
    case 'error':
      return vscode.DiagnosticSeverity.Error;
    case 'warning':
      return vscode.DiagnosticSeverity.Warning;
    case 'info':
      return vscode.DiagnosticSeverity.Information;
    case 'hint':
      return vscode.DiagnosticSeverity.Hint;
  }
}

/** Converts offsets to lines and columns as counted by the editor. Implemented by documents. */
export interface Positions {
  positionAt(offset: number): vscode.Position;
}

export function toRange(positions: Positions, { offset, length }: TextRange): vscode.Range {
  return new vscode.Range(positions.positionAt(offset), positions.positionAt(offset + length));
}

/** Returns the positions in a text that has no document, or whose document has other line breaks. */
export function positionsIn(text: string): Positions {
  const lines = new LineIndex(text);
  return {
    positionAt: (offset) => {
      const { line, column } = lines.positionAt(offset);
      return new vscode.Position(line - 1, column - 1);
    },
  };
}

/** Returns the URI of the explanation of a rule or of a part of the effect. */
function helpUri(id: string): vscode.Uri {
  return vscode.Uri.from({ scheme: helpScheme, path: `/${id}.md` });
}

/** Maximum number of stored pages: more than users keep open. */
const maxPages = 50;

/** Provides explanations and reports as read-only Markdown. */
export class RequestHelp implements vscode.TextDocumentContentProvider {
  /** Latest pages that cannot be generated from their names, by path. */
  readonly #pages = new BoundedMap<string, string>(maxPages);
  #shown = 0;

  /** Shows the explanation of a rule or of a part of the effect. */
  async explain([id]: readonly unknown[]): Promise<void> {
    if (typeof id === 'string') await preview(helpUri(id));
  }

  /** Shows a generated page. @param name of the page, localised */
  async showPage(name: string, markdown: string): Promise<void> {
    const uri = helpUri(`${++this.#shown}/${name}`);
    this.#pages.set(uri.path, markdown);
    await preview(uri);
  }

  provideTextDocumentContent({ path }: vscode.Uri): string {
    const id = path.slice(1).replace(/\.md$/u, '');
    const [prefix, code] = id.split('/');
    const text = this.#pages.get(path) ?? (prefix === errorCodesTopic ? explainFailures(code ?? '') : explainTopic(id));
    if (text === undefined) throw new Error(vscode.l10n.t('No information.'));
    return text;
  }
}

async function preview(uri: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('markdown.showPreview', uri);
}
