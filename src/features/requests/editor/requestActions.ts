import * as vscode from 'vscode';
import {
  type OfferedChange,
  placeRange,
  type RequestFile,
  type RequestLanguage,
  safeFixTitle,
  type TextEdit,
} from '../../../language/requestLanguage.ts';
import { fixAllKind, isRequestFile } from '../../../language/editor/requestFileType.ts';
import type { OpenRequests } from '../../../language/editor/openRequests.ts';
import { toRange } from '../../../language/editor/diagnostics.ts';

/** Computes its edits when the user selects it: a selection may contain a thousand problems. */
class LaterAction extends vscode.CodeAction {
  readonly document: vscode.TextDocument;
  readonly offered: OfferedChange;
  /** The request that it was offered for. */
  readonly request: RequestFile;

  constructor(offered: OfferedChange, document: vscode.TextDocument, request: RequestFile) {
    super(offered.title, kindOf(offered.kind));
    this.document = document;
    this.offered = offered;
    this.request = request;
  }
}

/** Fixes for single findings, for all findings of a kind, and for all findings; fixes on save; conversions of the vocabulary. */
export class RequestActions implements vscode.CodeActionProvider {
  readonly #language: RequestLanguage;
  readonly #documents: OpenRequests;

  constructor(language: RequestLanguage, documents: OpenRequests) {
    this.#language = language;
    this.#documents = documents;
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { only, diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (!isRequestFile(document)) return [];
    const request = this.#documents.read(document);
    if (request.problems.length > 0) return [];
    const isWanted = (kind: vscode.CodeActionKind): boolean => only === undefined || only.contains(kind);
    const offset = document.offsetAt(range.start);
    const selected = { offset, length: document.offsetAt(range.end) - offset };
    const offered = this.#language
      .offerChanges(request, this.#documents.findings(document), selected)
      .filter(({ kind }) => isWanted(kindOf(kind)));
    return [
      ...(only?.contains(fixAllKind) === true ? [this.#fixOnSave(document)] : []),
      ...offered.map((each) => toAction(each, document, request, diagnostics)),
    ];
  }

  resolveCodeAction(action: vscode.CodeAction): vscode.CodeAction {
    if (!(action instanceof LaterAction)) return action;
    const { document, offered, request } = action;
    const now = this.#documents.read(document);
    // In a text that has changed since, the change could be made in the wrong place.
    if (offered.finding === undefined || now === request)
      action.edit = workspaceEdit(document, offered.editsOf(now), offered.fillIn);
    return action;
  }

  #fixOnSave(document: vscode.TextDocument): vscode.CodeAction {
    const action = new vscode.CodeAction(safeFixTitle(), fixAllKind);
    const { edits } = this.#language.fix(this.#documents.read(document));
    action.edit = workspaceEdit(document, edits);
    return action;
  }
}

function kindOf(kind: OfferedChange['kind']): vscode.CodeActionKind {
  return kind === 'fix' ? vscode.CodeActionKind.QuickFix : vscode.CodeActionKind.RefactorRewrite;
}

function toAction(
  offered: OfferedChange,
  document: vscode.TextDocument,
  request: RequestFile,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction {
  const { finding, isPreferred } = offered;
  const action = new LaterAction(offered, document, request);
  if (finding === undefined) return action;
  const range = toRange(document, placeRange(request, finding.place));
  action.diagnostics = diagnostics.filter((each) => codeOf(each) === finding.code && each.range.isEqual(range));
  action.isPreferred = isPreferred;
  return action;
}

/** @param fillIn see {@link OfferedChange.fillIn} */
function workspaceEdit(
  document: vscode.TextDocument,
  edits: readonly TextEdit[],
  fillIn?: string,
): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    document.uri,
    edits.map(({ text, ...range }) => {
      const at = fillIn === undefined ? -1 : text.lastIndexOf(fillIn);
      if (fillIn === undefined || at < 0) return vscode.TextEdit.replace(toRange(document, range), text);
      const snippet = new vscode.SnippetString()
        .appendText(text.slice(0, at + 1))
        .appendPlaceholder(fillIn.slice(1, -1), 0)
        .appendText(text.slice(at + fillIn.length - 1));
      const filled = vscode.SnippetTextEdit.replace(toRange(document, range), snippet);
      filled.keepWhitespace = true;
      return filled;
    }),
  );
  return edit;
}

function codeOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}
