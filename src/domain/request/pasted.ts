import { t } from '@vscode/l10n';
import { isJsonObject, parseJson, type JsonObject, type JsonValue } from '../json/json.ts';
import { isWebAddress } from '../webAddress.ts';
import { fixAll } from './edits.ts';
import { endOf, findNode } from './json/jsonTree.ts';
import type { TextRange } from './json/textEdit.ts';
import { findServiceKnowledge } from './known/serviceKnowledge.ts';
import { isOfferedLanguage } from './languages.ts';
import type { Recheck } from './quickFixes.ts';
import { paths, splitText } from './requestFields.ts';
import { parseRequest, type RequestFile } from './requestFile.ts';

/** What a pasted or dropped text means at a place of a request. */
export type UnderstoodPaste =
  | {
      readonly type: 'terms' | 'address' | 'request' | 'severalAddresses';
      /** Localised. */
      readonly title: string;
      /** Takes the place of the selection. */
      readonly text: string;
      /** Whether it takes the place of the whole text instead. */
      readonly isWhole: boolean;
      /** How many terms or addresses were pasted. */
      readonly count: number;
      /** Whether it is the body of a cURL command, whose address and headers are left out. */
      readonly isOfCommand?: boolean;
      /** The addresses, where there are several. */
      readonly addresses?: readonly string[];
    }
  /** A file of this machine, which no service can fetch. */
  | { readonly type: 'localFile'; readonly title: string };

/** Longer texts are pasted as they are. */
const longestPaste = 1024 * 1024;

/**
 * Understands a text that is pasted over a selection: rows of a spreadsheet within the vocabulary, addresses and files in `audio_url`, and a
 * cURL command or a body with old names where there is no request yet.
 * @param check for the names of the service that are known to be old
 * @returns undefined when the text is to be pasted as it is
 */
export function understandPaste(
  request: RequestFile,
  selected: TextRange,
  pasted: string,
  check: Recheck,
): UnderstoodPaste | undefined {
  if (pasted.length > longestPaste || pasted.trim() === '') return undefined;
  if (isBlankRequest(request, selected)) return pasteRequest(pasted, check);
  return pasteAudio(request, selected, pasted) ?? pasteTerms(request, selected, pasted);
}

/** Whether nothing of a request would be left beside the pasted text. */
function isBlankRequest({ text }: RequestFile, { offset, length }: TextRange): boolean {
  return /^[\s{}]*$/u.test(text.slice(0, offset) + text.slice(offset + length));
}

function pasteRequest(pasted: string, check: Recheck): UnderstoodPaste | undefined {
  const command = readCurlBody(pasted);
  const body = parseJson(command ?? pasted);
  if (!isJsonObject(body)) return undefined;
  const text = renameOldNames(`${JSON.stringify(body, undefined, 2)}\n`, check);
  // A body of today's names is pasted as it was written.
  if (command === undefined && !hasOldNames(body)) return undefined;
  return {
    type: 'request',
    title: t('Paste as a request'),
    text,
    isWhole: true,
    count: 1,
    isOfCommand: command !== undefined,
  };
}

/** Whether a body has a top-level name that a known service has replaced, or that another service uses. */
function hasOldNames(body: JsonObject): boolean {
  const knowledge = findServiceKnowledge();
  return Object.keys(body).some((name) => knowledge?.service.renamed.has(name) === true);
}

function renameOldNames(text: string, check: Recheck): string {
  const isAboutNames = /^service\/(?:legacy|foreign)-name$/u;
  return fixAll(parseRequest(text), check, (finding) =>
    // Also where the service in use may take the old name: the editor offers to paste the text as it is instead.
    isAboutNames.test(finding.code) ? finding.fixes?.[0] : undefined,
  ).text;
}

const dataOptions = /^(?:-d|--data|--data-raw|--data-binary|--data-ascii|--json)$/u;

/** The body of a cURL command for a POSIX shell; undefined for other texts, and when the body is in a file. Headers, and keys in them, are left out. */
function readCurlBody(command: string): string | undefined {
  const words = splitShellWords(command.trim().replace(/^\$ /u, ''));
  if (words?.[0] !== 'curl') return undefined;
  for (let index = 1; index < words.length; index++) {
    const word = words[index] ?? '';
    const [, option = '', value] = /^(--[a-z-]+)=([^]*)$/u.exec(word) ?? /^(-d)([^]+)$/u.exec(word) ?? [];
    const body = dataOptions.test(word) ? words[index + 1] : dataOptions.test(option) ? value : undefined;
    if (body !== undefined) return body.startsWith('@') ? undefined : body;
  }
  return undefined;
}

/** The words of a shell command, without their quotes; undefined when a quote is not closed. */
function splitShellWords(command: string): readonly string[] | undefined {
  const words: string[] = [];
  const token = /\\\r?\n|\s+|'([^']*)'|"((?:\\[^]|[^"\\])*)"|\\([^])|([^\s'"\\]+)/uy;
  let word: string | undefined;
  while (token.lastIndex < command.length) {
    const found = token.exec(command);
    if (!found) return undefined;
    const [all, single, double, escaped, plain] = found;
    const part = single ?? double?.replaceAll(/\\(["\\$`])/gu, '$1') ?? escaped ?? plain;
    if (part !== undefined) word = (word ?? '') + part;
    else if (word !== undefined && !all.startsWith('\\')) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
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
  // What would stay beside the pasted text is a part of another address.
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
  const address = { text: isInside ? quoted.slice(1, -1) : quoted, isWhole: false, count: lines.length };
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
  const isInTerm = list.children.some(
    (child) =>
      selected.offset < endOf(child) &&
      end > child.offset &&
      // Selected as a whole, a term may be replaced.
      !(selected.offset <= child.offset && end >= endOf(child)),
  );
  if (!isInList || isInTerm) return undefined;
  const rows = readRows(pasted);
  if (rows.length < 2 && (rows[0]?.length ?? 0) < 2) return undefined;
  const terms = readTermsOf(rows);
  if (terms.length === 0) return undefined;
  const before = text.slice(list.offset + 1, selected.offset).trimEnd();
  const after = text.slice(end, endOf(list) - 1).trimStart();
  const indent = /^[ \t]*/u.exec(text.slice(text.lastIndexOf('\n', selected.offset - 1) + 1))?.[0] ?? '';
  const written = terms.map((term) => JSON.stringify(term)).join(`,\n${indent}`);
  return {
    type: 'terms',
    title: terms.length === 1 ? t('Paste 1 term') : t('Paste {0} terms', terms.length),
    text: `${before === '' || before.endsWith(',') ? '' : ', '}${written}${after === '' || after.startsWith(',') ? '' : ','}`,
    isWhole: false,
    count: terms.length,
  };
}

/** Rows and cells as spreadsheets copy them: tabs between cells, quotes around cells with line breaks. */
function readRows(pasted: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/uy;
  while (cell.lastIndex < pasted.length) {
    const found = cell.exec(pasted);
    if (!found) break;
    const [, quoted, plain = '', separator] = found;
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (separator !== '\t') rows.push([]);
  }
  return rows.filter((row) => row.some((each) => each !== ''));
}

type TermColumn = 'value' | 'pronunciations' | 'intensity' | 'language';

/** Words that head the columns, in the languages of the product. */
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

/** A term of a row: a text when there is nothing more. @param headed what each column is about; told by the cells when omitted */
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
  const rest: { intensity?: number; language?: string } = {};
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

/** `0.5`, `0,5` as some spreadsheets write it, and `50 %`. */
function readIntensity(cell: string): number | undefined {
  const [, digits, percent] = /^(\d{1,3}(?:[.,]\d{1,6})?)(\s?%)?$/u.exec(cell) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits.replace(',', '.'));
  return percent === undefined ? number : number / 100;
}
