import * as vscode from 'vscode';
import type { Finding, Change } from '../../domain/request/finding.ts';
import {
  makeChangeEdits,
  chooseFix,
  fixAll,
  chooseSafeFix,
  convertToObjects,
  convertToStrings,
} from '../../domain/request/edits.ts';
import type { TextEdit, TextRange } from '../../domain/request/json/jsonPlaces.ts';
import { placeRange, type RequestFile } from '../../domain/request/requestFile.ts';
import { fixAllKind, isRequestFile } from './requestFileType.ts';
import type { OpenRequests } from './openRequests.ts';
import { toRange } from './diagnostics.ts';
import { paths } from '../../domain/request/requestFields.ts';

/** Computes the edits of an action when it is chosen, from the text at that time. */
class LaterAction extends vscode.CodeAction {
  readonly document: vscode.TextDocument;
  readonly editsOf: (request: RequestFile) => readonly TextEdit[];

  constructor(
    title: string,
    kind: vscode.CodeActionKind,
    document: vscode.TextDocument,
    editsOf: (request: RequestFile) => readonly TextEdit[],
  ) {
    super(title, kind);
    this.document = document;
    this.editsOf = editsOf;
  }
}

/** Fixes of single findings, of all of a kind, of all; fixes on save; conversions of the vocabulary. */
export class RequestActions implements vscode.CodeActionProvider {
  readonly #documents: OpenRequests;

  constructor(documents: OpenRequests) {
    this.#documents = documents;
  }

  provideCodeActions(
    document: vscode.TextDocument,
    range: vscode.Range,
    { only, diagnostics }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    if (!isRequestFile(document)) return [];
    const request = this.#documents.read(document);
    // Places are unreliable while the text has syntax errors.
    if (request.problems.length > 0) return [];
    const isWanted = (kind: vscode.CodeActionKind): boolean => only === undefined || only.contains(kind);
    return [
      ...(only?.contains(fixAllKind) === true ? [this.#fixOnSave(document)] : []),
      ...(isWanted(vscode.CodeActionKind.QuickFix) ? this.#quickFixes(document, range, diagnostics) : []),
      ...(isWanted(vscode.CodeActionKind.RefactorRewrite) ? conversions(document, request, range) : []),
    ];
  }

  resolveCodeAction(action: vscode.CodeAction): vscode.CodeAction {
    if (action instanceof LaterAction) {
      action.edit = workspaceEdit(action.document, action.editsOf(this.#documents.read(action.document)));
    }
    return action;
  }

  #quickFixes(
    document: vscode.TextDocument,
    range: vscode.Range,
    diagnostics: readonly vscode.Diagnostic[],
  ): vscode.CodeAction[] {
    const request = this.#documents.read(document);
    const findings = this.#documents.findings(document);
    const here = findings.filter(
      ({ place, fixes }) => fixes && toRange(document, placeRange(request, place)).intersection(range),
    );
    if (here.length === 0) return [];
    const single = here.flatMap((finding) => quickFixes(document, request, finding, diagnostics));
    const codes = new Set(here.map(({ code }) => code));
    const ofKind = [...codes]
      .filter((code) => findings.filter((each) => each.code === code && chooseFix(each)).length > 1)
      .map((code) =>
        this.#fixAll(document, vscode.l10n.t('Fix all of {0}', code), (finding) =>
          finding.code === code ? chooseFix(finding) : undefined,
        ),
      );
    const ofFile =
      findings.filter(chooseFix).length > 1
        ? [this.#fixAll(document, vscode.l10n.t('Fix all that can be fixed in this request'), chooseFix)]
        : [];
    return [...single, ...ofKind, ...ofFile];
  }

  #fixAll(document: vscode.TextDocument, title: string, choose: typeof chooseFix): vscode.CodeAction {
    const check = (request: RequestFile) => this.#documents.check(request);
    return new LaterAction(
      title,
      vscode.CodeActionKind.QuickFix,
      document,
      (request) => fixAll(request, check, choose).edits,
    );
  }

  #fixOnSave(document: vscode.TextDocument): vscode.CodeAction {
    const action = new vscode.CodeAction(vscode.l10n.t('Fix what is safe to fix in this request'), fixAllKind);
    const { edits } = fixAll(
      this.#documents.read(document),
      (request) => this.#documents.check(request),
      chooseSafeFix,
    );
    action.edit = workspaceEdit(document, edits);
    return action;
  }
}

function quickFixes(
  document: vscode.TextDocument,
  request: RequestFile,
  { code, place, fixes = [] }: Finding,
  diagnostics: readonly vscode.Diagnostic[],
): vscode.CodeAction[] {
  const range = toRange(document, placeRange(request, place));
  const settled = diagnostics.filter((each) => codeOf(each) === code && each.range.isEqual(range));
  return fixes.map(({ title, changes, isChoice }, index) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.edit = workspaceEdit(document, makeChangeEdits(request, changes));
    action.diagnostics = settled;
    action.isPreferred = index === 0 && isChoice !== true;
    return action;
  });
}

function conversions(document: vscode.TextDocument, request: RequestFile, range: vscode.Range): vscode.CodeAction[] {
  const offset = document.offsetAt(range.start);
  const selected = { offset, length: document.offsetAt(range.end) - offset };
  return vocabularyConversions(request, selected).map(
    ({ title, changesOf }) =>
      new LaterAction(title, vscode.CodeActionKind.RefactorRewrite, document, (current) =>
        makeChangeEdits(current, changesOf(current)),
      ),
  );
}

function workspaceEdit(document: vscode.TextDocument, edits: readonly TextEdit[]): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  edit.set(
    document.uri,
    edits.map((each) => vscode.TextEdit.replace(toRange(document, each), each.text)),
  );
  return edit;
}

function codeOf({ code }: vscode.Diagnostic): unknown {
  return typeof code === 'object' ? code.value : code;
}

/** Converts terms to another notation with the same meaning. */
export interface VocabularyConversion {
  readonly title: string;
  readonly changesOf: (request: RequestFile) => readonly Change[];
}

/** The conversions that a selection within the vocabulary allows: of the terms in it, and of all. */
export function vocabularyConversions(request: RequestFile, selected: TextRange): readonly VocabularyConversion[] {
  const { l10n } = vscode;
  const { places, body } = request;
  const row = places.rowAt(paths.vocabulary);
  if (row < 0 || !intersects(places.range(row), selected)) return [];
  const chosen = places
    .children(row)
    .flatMap((child, index) => (intersects(places.range(child), selected) ? [index] : []));
  const forms = [
    {
      convert: convertToObjects,
      one: l10n.t('Convert to a term with pronunciations'),
      all: l10n.t('Convert all plain terms to terms with pronunciations'),
    },
    {
      convert: convertToStrings,
      one: l10n.t('Convert to a plain term'),
      all: l10n.t('Convert all terms without pronunciations to plain terms'),
    },
  ];
  return forms.flatMap(({ convert, one, all }) => [
    ...(convert(body, chosen).length > 0
      ? [{ title: one, changesOf: (now: RequestFile) => convert(now.body, chosen) }]
      : []),
    ...(convert(body).length > 0 ? [{ title: all, changesOf: (now: RequestFile) => convert(now.body) }] : []),
  ]);
}

function intersects(one: TextRange, other: TextRange): boolean {
  return one.offset <= other.offset + other.length && other.offset <= one.offset + one.length;
}
