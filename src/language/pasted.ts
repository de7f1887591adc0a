import { t } from '@vscode/l10n';
import { isJsonObject, toJsonNumber, type ExactNumber, type JsonValue } from '../base/json/json.ts';
import { hasMoreValues } from '../base/json/jsonText.ts';
import { isWebAddress } from '../base/webAddress.ts';
import { endOf, findNode, valueRange } from './json/jsonTree.ts';
import type { TextRange } from './json/textEdit.ts';
import { isOfferedLanguage } from './request/languages.ts';
import { paths, splitText } from './request/requestFields.ts';
import { maxIndentation } from './edits.ts';
import { maxEditorValues, parseRequest, type RequestFile } from './request/requestFile.ts';

/** Meaning of a text that is pasted or dropped at a position of a request. */
export type UnderstoodPaste =
  | {
      readonly type: 'terms' | 'address' | 'request' | 'severalAddresses';
      /** Localised. */
      readonly title: string;
      readonly text: string;
      /** Range that the text replaces; undefined for the selection. */
      readonly range?: TextRange;
      /** Number of pasted terms or addresses. */
      readonly count: number;
      /** The addresses, if there are several. */
      readonly addresses?: readonly string[];
    }
  /** A file of this machine, which no service can fetch. */
  | { readonly type: 'localFile'; readonly title: string };

/** Longer texts are pasted unchanged. */
const maxPasteLength = 1024 * 1024;

/**
 * Interprets a text that is pasted over a selection: rows of a spreadsheet within the vocabulary, addresses and files in `audio_url`, and a
 * request body in a document that contains only the braces of an object.
 * @returns undefined to paste the text unchanged
 */
export function understandPaste(
  request: RequestFile,
  selected: TextRange,
  pasted: string,
): UnderstoodPaste | undefined {
  if (pasted.length > maxPasteLength || pasted.trim() === '') return undefined;
  const { text } = request;
  const rest = (text.slice(0, selected.offset) + text.slice(endOf(selected))).trim();
  if (/^[\s{}]*$/u.test(rest)) return rest === '' ? undefined : pasteRequest(text, pasted);
  return pasteAudio(request, selected, pasted) ?? pasteTerms(request, selected, pasted);
}

/** Inserts a body as written, in place of the existing braces. */
function pasteRequest(text: string, pasted: string): UnderstoodPaste | undefined {
  const { value, problems } = parseRequest(pasted);
  if (problems.length > 0 || !isJsonObject(value)) return undefined;
  const range = { offset: 0, length: text.length };
  return { type: 'request', title: t('Paste as a request'), text: `${pasted.trim()}\n`, range, count: 1 };
}

const audioFile = /\.(?:aac|aiff?|amr|flac|m4[av]|mka|mkv|mov|mp[34]|mpe?g|oga|ogg|opus|wav|webm|wma)$/iu;
const localPath = /^(?:file:|\/|~\/|[a-z]:[\\/]|\\\\)/iu;

function pasteAudio(request: RequestFile, selected: TextRange, pasted: string): UnderstoodPaste | undefined {
  const { root, text } = request;
  const value = findNode(root, ['audio_url']);
  if (!value) return undefined;
  const end = endOf(value);
  const isString = text[value.offset] === '"';
  const selectedEnd = endOf(selected);
  if (!isString || selected.offset < value.offset || selectedEnd > end) return undefined;
  const isInside = selected.offset > value.offset && selectedEnd < end;
  // The text that would remain next to the pasted text is part of another address.
  const rest = isInside
    ? text.slice(value.offset + 1, selected.offset) + text.slice(selectedEnd, end - 1)
    : text.slice(value.offset, selected.offset) + text.slice(selectedEnd, end);
  if (rest !== '') return undefined;
  const lines = pasted
    .split(/[\r\n]+/u)
    .map((line) => line.trim().replace(/^(["'<])(.*)["'>]$/u, '$2'))
    .filter((line) => line !== '');
  const [first = ''] = lines;
  if (lines.length === 1 && localPath.test(first) && audioFile.test(first)) {
    return { type: 'localFile', title: t("Why a file on this computer can't be transcribed") };
  }
  if (!lines.every(isWebAddress)) return undefined;
  const quoted = JSON.stringify(first);
  const address = { text: isInside ? quoted.slice(1, -1) : quoted, count: lines.length };
  return lines.length === 1
    ? { type: 'address', title: t('Paste the audio URL'), ...address }
    : { type: 'severalAddresses', title: t('Paste the first of {0} URLs', lines.length), addresses: lines, ...address };
}

function pasteTerms(request: RequestFile, selected: TextRange, pasted: string): UnderstoodPaste | undefined {
  const { root, text } = request;
  const list = findNode(root, paths.vocabulary);
  if (list?.type !== 'array') return undefined;
  const end = endOf(selected);
  const isInList = selected.offset > list.offset && end < endOf(list);
  // Completion leaves the cursor within the quotes of an empty term.
  const empty = list.children.find(
    (child) => text.slice(child.offset, endOf(child)) === '""' && selected.offset > child.offset && end < endOf(child),
  );
  const isInTerm = list.children.some(
    (child) =>
      child !== empty &&
      selected.offset < endOf(child) &&
      end > child.offset &&
      // A term that is selected as a whole may be replaced.
      !(selected.offset <= child.offset && end >= endOf(child)),
  );
  if (!isInList || isInTerm) return undefined;
  const rows = readRows(pasted);
  if (rows === undefined) return undefined;
  if (rows.length < 2 && (rows[0]?.length ?? 0) < 2) return undefined;
  const terms = readTermsOf(rows);
  if (terms.length === 0) return undefined;
  const range = empty ? valueRange(empty) : selected;
  const before = text.slice(list.offset + 1, range.offset).trimEnd();
  const after = text.slice(endOf(range), endOf(list) - 1).trimStart();
  const written = terms.map((term) => JSON.stringify(term)).join(`,${gapAt(text, range.offset)}`);
  if (hasMoreValues(`[${written}]`, maxEditorValues)) return undefined;
  return {
    type: 'terms',
    title: terms.length === 1 ? t('Paste 1 term') : t('Paste {0} terms', terms.length),
    text: `${before === '' || before.endsWith(',') ? '' : ', '}${written}${after === '' || after.startsWith(',') ? '' : ','}`,
    range,
    count: terms.length,
  };
}

/** Returns the line break and the indentation of the line at an offset, as the text has them. */
function gapAt(text: string, offset: number): string {
  const lineBreak = /\r?\n/u.exec(text)?.[0] ?? '\n';
  const indent = /^[ \t]*/u.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
  return lineBreak + indent.slice(0, maxIndentation);
}

/** Parses rows and cells as spreadsheets copy them: tabs between cells, quotes around cells with line breaks. Undefined for more cells than a request may have values. */
function readRows(pasted: string): readonly (readonly string[])[] | undefined {
  const rows: string[][] = [[]];
  let left = maxEditorValues;
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/uy;
  while (cell.lastIndex < pasted.length) {
    const found = cell.exec(pasted);
    if (!found) break;
    if (--left < 0) return undefined;
    const [, quoted, plain = '', separator] = found;
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (separator !== '\t') rows.push([]);
  }
  return rows.filter((row) => row.some((each) => each !== ''));
}

type TermColumn = 'value' | 'pronunciations' | 'intensity' | 'language';

/** Words that appear in column headings, in the languages of the product. */
const headings: Readonly<Record<TermColumn, RegExp>> = {
  value: /^(?:terms?|values?|words?|vocabulary|termes?|mots?)$/iu,
  pronunciations: /^(?:pronunciations?|sounds like|prononciations?)$/iu,
  intensity: /^(?:intensity|intensit\u00e9|weight|boost)$/iu,
  language: /^(?:languages?|lang|langues?)$/iu,
};

function readTermsOf(rows: readonly (readonly string[])[]): readonly JsonValue[] {
  const [first = [], ...others] = rows;
  const headed = first.map((cell) => columnNames.find((column) => headings[column].test(cell)));
  const isHeaded =
    headed.includes('value') && headed.every((column, index) => column !== undefined || first[index] === '');
  return (isHeaded ? others : rows).flatMap((cells) => {
    const term = readTermRow(cells, isHeaded ? headed : undefined);
    return term === undefined ? [] : [term];
  });
}

const columnNames = ['value', 'pronunciations', 'intensity', 'language'] as const;

/**
 * Parses the term of a row: a plain string if the row has nothing else.
 * @param headed the meaning of each column; inferred from the cells when omitted
 */
function readTermRow(
  cells: readonly string[],
  headed: readonly (TermColumn | undefined)[] | undefined,
): JsonValue | undefined {
  const columnOf = (cell: string, index: number): TermColumn | undefined => {
    if (headed) return headed[index];
    if (index === 0) return 'value';
    if (readIntensity(cell) !== undefined) return 'intensity';
    return isOfferedLanguage(cell.toLowerCase()) && index > 1 ? 'language' : 'pronunciations';
  };
  let value = '';
  const pronunciations: string[] = [];
  const rest: { intensity?: number | ExactNumber; language?: string } = {};
  cells.forEach((cell, index) => {
    if (cell === '') return;
    const column = columnOf(cell, index);
    const intensity = readIntensity(cell);
    if (column === 'value') value = cell;
    else if (column === 'pronunciations') pronunciations.push(...splitText(cell));
    else if (column === 'intensity' && intensity !== undefined) rest.intensity = intensity;
    else if (column === 'language') rest.language = cell.toLowerCase();
  });
  if (value === '') return undefined;
  if (pronunciations.length === 0 && Object.keys(rest).length === 0) return value;
  return { value, ...(pronunciations.length > 0 && { pronunciations }), ...rest };
}

/** Parses `0.5`, `0,5` as some spreadsheets write it, and `50 %`. A fraction keeps its text. */
function readIntensity(cell: string): number | ExactNumber | undefined {
  const [, digits, percent] = /^(\d{1,3}(?:[.,]\d{1,6})?)(\s?%)?$/u.exec(cell) ?? [];
  if (digits === undefined) return undefined;
  const number = digits.replace(',', '.');
  // Dividing by 100 would turn 33.3 into 0.33299999999999996.
  return percent === undefined ? (toJsonNumber(number) ?? Number(number)) : Number(`${number}e-2`);
}
