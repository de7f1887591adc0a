import {
  CompletionItemKind,
  DiagnosticSeverity,
  InsertTextFormat,
  type CompletionItem,
  type Diagnostic,
  type MarkupContent,
  type Position,
  type Range,
  type WorkspaceEdit,
} from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { record, text } from '../base/decode/decoder.ts';
import type { Finding, Severity } from '../language/request/finding.ts';
import type { TextEdit, TextRange } from '../language/json/textEdit.ts';
import { placeRange, type RequestFile } from '../language/request/requestFile.ts';
import type { Suggestion } from '../language/suggestions.ts';
import type { ClientSupport } from './clientSupport.ts';
import { protocolRange } from './messageGate.ts';

/** Converts a finding to a protocol diagnostic. */
export function toProtocolDiagnostic(
  document: TextDocument,
  request: RequestFile,
  finding: Finding,
  { relatedFindings }: ClientSupport,
): Diagnostic {
  const rangeOf = (place: Finding['place']): Range => toProtocolRange(document, placeRange(request, place));
  return {
    range: rangeOf(finding.place),
    severity: toSeverity(finding.severity),
    code: finding.code,
    source: 'transcription',
    message: finding.message,
    ...(relatedFindings && {
      relatedInformation: (finding.related ?? []).map(({ place, message }) => ({
        location: { uri: document.uri, range: rangeOf(place) },
        message,
      })),
    }),
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
  return isSamePosition(one.start, other.start) && isSamePosition(one.end, other.end);
}

function isSamePosition(one: Position, other: Position): boolean {
  return one.line === other.line && one.character === other.character;
}

/** Converts the edits of one document. They are for its current version, if the client knows versions of edits. */
export function toWorkspaceEdit(
  document: TextDocument,
  edits: readonly TextEdit[],
  { versionedEdits }: ClientSupport,
): WorkspaceEdit {
  const { uri, version } = document;
  const converted = edits.map((each) => ({ range: toProtocolRange(document, each), newText: each.text }));
  return versionedEdits
    ? { documentChanges: [{ textDocument: { uri, version }, edits: converted }] }
    : { changes: { [uri]: converted } };
}

/** Converts a suggestion to a protocol completion item, sorted by its index. */
export function toCompletionItem(
  document: TextDocument,
  { label, detail, filter, insert }: Suggestion,
  range: TextRange,
  index: number,
  { labelDetails }: ClientSupport,
): CompletionItem {
  return {
    label,
    ...(labelDetails ? { labelDetails: { description: detail } } : { detail }),
    kind: CompletionItemKind.Value,
    filterText: filter,
    sortText: String(index).padStart(4, '0'),
    insertTextFormat: InsertTextFormat.PlainText,
    textEdit: { range: toProtocolRange(document, range), newText: insert },
  };
}

/** Converts a completion item with a snippet and Markdown to one that the client supports. */
export function toSupportedItem(
  item: CompletionItem,
  { snippets, markdownDocumentation }: ClientSupport,
): CompletionItem {
  const { documentation, insertText, textEdit, insertTextFormat, ...others } = item;
  const isPlain = !snippets && insertTextFormat === InsertTextFormat.Snippet;
  return {
    ...others,
    ...(documentation !== undefined && {
      documentation: markdownDocumentation ? documentation : plainMarkup(documentation),
    }),
    ...(insertTextFormat !== undefined && {
      insertTextFormat: isPlain ? InsertTextFormat.PlainText : insertTextFormat,
    }),
    ...(insertText !== undefined && { insertText: isPlain ? plainSnippet(insertText) : insertText }),
    ...(textEdit && { textEdit: isPlain ? { ...textEdit, newText: plainSnippet(textEdit.newText) } : textEdit }),
  };
}

function plainMarkup(documentation: string | MarkupContent): string {
  if (typeof documentation === 'string') return documentation;
  return documentation.kind === 'markdown' ? plainMarkdown(documentation.value) : documentation.value;
}

const markup = /\\([^])|&nbsp;|\*\*|`+|^#+ |(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gmu;

/** Removes the markup of a text in Markdown, for clients that show it as it is. */
export function plainMarkdown(markdown: string): string {
  return markdown.replaceAll(markup, (found: string, escaped?: string) => escaped ?? (found === '&nbsp;' ? ' ' : ''));
}

/** Escaped characters, tab stops, choices and placeholders, which are not nested in the snippets of the JSON service. */
const snippetParts = /\\([\\$}])|\$(?:\d+|\{\d+(?:\}|\|([^,|$]*)[^|$]*\|\}|:((?:\\[\\$}]|[^\\$}])*)\}))/gu;

/** Returns the text of a snippet, with the defaults of its placeholders. */
function plainSnippet(snippet: string): string {
  return snippet.replaceAll(
    snippetParts,
    (_found: string, escaped?: string, choice?: string, placeholder?: string) =>
      escaped ?? choice ?? placeholder?.replaceAll(/\\([\\$}])/gu, '$1') ?? '',
  );
}

/** Decodes the data of an action, which identifies its change, as the client returns it. */
export const readActionData = record({ uri: text, range: protocolRange, title: text });
