import {
  CompletionItemKind,
  DiagnosticSeverity,
  InsertTextFormat,
  type CompletionItem,
  type Diagnostic,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { integer, record, text } from '../base/decode/decoder.ts';
import type { Finding, Severity } from '../language/request/finding.ts';
import type { TextEdit, TextRange } from '../language/json/textEdit.ts';
import { placeRange, type RequestFile } from '../language/request/requestFile.ts';
import type { Suggestion } from '../language/suggestions.ts';

/** Converts a finding to a protocol diagnostic. */
export function toProtocolDiagnostic(document: TextDocument, request: RequestFile, finding: Finding): Diagnostic {
  const rangeOf = (place: Finding['place']): Range => toProtocolRange(document, placeRange(request, place));
  return {
    range: rangeOf(finding.place),
    severity: toSeverity(finding.severity),
    code: finding.code,
    source: 'transcription',
    message: finding.message,
    relatedInformation: (finding.related ?? []).map(({ place, message }) => ({
      location: { uri: document.uri, range: rangeOf(place) },
      message,
    })),
  };
}

function toSeverity(severity: Severity): DiagnosticSeverity {
  switch (severity) {
    case 'error':
      return DiagnosticSeverity.Error;
    case 'warning':
      return DiagnosticSeverity.Warning;
    case 'info':
      return DiagnosticSeverity.Information;
    case 'hint':
      return DiagnosticSeverity.Hint;
  }
}

/** Converts offsets to lines and UTF-16 columns. */
export function toProtocolRange(document: TextDocument, { offset, length }: TextRange): Range {
  return { start: document.positionAt(offset), end: document.positionAt(offset + length) };
}

/** Converts lines and columns to offsets. */
export function rangeOffsets(document: TextDocument, { start, end }: Range): TextRange {
  const offset = document.offsetAt(start);
  return { offset, length: Math.max(0, document.offsetAt(end) - offset) };
}

/** True if two ranges are equal. */
export function isSameRange(one: Range, other: Range): boolean {
  const ends = ({ start, end }: Range) => [start.line, start.character, end.line, end.character].join();
  return ends(one) === ends(other);
}

/** Converts the edits of one document. */
export function toWorkspaceEdit(document: TextDocument, edits: readonly TextEdit[]): WorkspaceEdit {
  return {
    changes: {
      [document.uri]: edits.map((each) => ({ range: toProtocolRange(document, each), newText: each.text })),
    },
  };
}

/** Converts a suggestion to a protocol completion item, sorted by its index. */
export function toCompletionItem(
  document: TextDocument,
  { label, detail, filter, insert }: Suggestion,
  range: TextRange,
  index: number,
): CompletionItem {
  return {
    label,
    labelDetails: { description: detail },
    kind: CompletionItemKind.Value,
    filterText: filter,
    sortText: String(index).padStart(4, '0'),
    insertTextFormat: InsertTextFormat.PlainText,
    textEdit: { range: toProtocolRange(document, range), newText: insert },
  };
}

const position = record({ line: integer(0), character: integer(0) });

/** Decodes the data of an action, which identifies its change, as the editor returns it. */
export const readActionData = record({ uri: text, range: record({ start: position, end: position }), title: text });
