import {
  isArray,
  isJsonObject,
  isPlainValue,
  parseJson,
  type JsonObject,
  type JsonValue,
  type JsonPath,
} from '../base/json/json.ts';
import { paths, vocabularyOf } from './request/requestFields.ts';
import type { Change, Finding, Fix } from './request/finding.ts';
import { parseRequest, type RequestFile } from './request/requestFile.ts';
import { endOf, findNode, findNodes, keyRange, memberRange, valueRange, type JsonNode } from './json/jsonTree.ts';
import { applyEdits, diffTexts, type TextEdit, type TextRange } from './json/textEdit.ts';
import { createScanner } from 'jsonc-parser';
import { findLowest } from '../base/findLowest.ts';

/**
 * Converts changes to text edits that preserve the formatting: indentation, spaces, line breaks and comments.
 * All paths refer to the current text. No change may lie within a value that another change removes. Skips changes to missing
 * values. The text must have no syntax errors.
 */
export function makeChangeEdits(request: RequestFile, changes: Iterable<Change>): readonly TextEdit[] {
  const removed: JsonPath[] = [];
  const edits: TextEdit[] = [];
  const given = [...changes];
  const write = valueWriter(request, given);
  for (const change of given) {
    const node = findNode(request.root, change.path);
    if (!node) continue;
    switch (change.type) {
      case 'replace':
        edits.push({ ...valueRange(node), text: rewriteValue(request, node, change.value, write) });
        break;
      case 'rename':
        edits.push({ ...keyRange(node), text: JSON.stringify(change.name) });
        break;
      case 'remove':
        removed.push(change.path);
        break;
      case 'insertBefore':
        edits.push(insertMember(request, node, writeMember(request, node, change.name, change.value, write)));
        break;
      case 'append':
        edits.push(appendMember(request, node, change.name, change.value, write));
        break;
      case 'replaceMember':
        edits.push(replaceMember(request, node, change.members, write));
        break;
      case 'expand':
        edits.push({
          ...valueRange(node),
          text: change.values
            .map((value) => write(value, isSpaced(request)))
            .join(`,${gapBefore(request, node.offset)}`),
        });
        break;
    }
  }
  return [...edits, ...makeRemovalEdits(request, removed)];
}

/** Formats JSON on one line, with optional spaces after colons and commas. */
type WriteValue = (value: JsonValue, spaced: boolean) => string;

/** Creates the function that formats values. It writes each number that the changes move or replace as the request has it: `1.50`, `1e3`. */
function valueWriter(request: RequestFile, changes: readonly Change[]): WriteValue {
  let texts: ReadonlyMap<number, string> | undefined;
  const write: WriteValue = (value, spaced) => {
    if (typeof value === 'number') return (texts ??= numberTexts(request, changes)).get(value) ?? JSON.stringify(value);
    if (value === null || isPlainValue(value)) return JSON.stringify(value);
    const [separator, colon] = spaced ? [', ', ': '] : [',', ':'];
    if (isArray(value)) return `[${value.map((each) => write(each, spaced)).join(separator)}]`;
    const members = Object.entries(value).map(
      ([name, each]) => `${JSON.stringify(name)}${colon}${write(each, spaced)}`,
    );
    if (members.length === 0) return '{}';
    return spaced ? `{ ${members.join(separator)} }` : `{${members.join(separator)}}`;
  };
  return write;
}

/** Returns the texts of the numbers in the values that changes move or replace. */
function numberTexts({ text, root }: RequestFile, changes: readonly Change[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>();
  const read = (node: JsonNode): void => {
    node.children.forEach(read);
    const written = node.type === 'plain' ? text.slice(node.offset, endOf(node)) : '';
    if (/^[-\d]/.test(written) && !texts.has(Number(written))) texts.set(Number(written), written);
  };
  for (const { type, path } of changes) {
    const node = type === 'append' || type === 'insertBefore' ? undefined : findNode(root, path);
    if (node) read(node);
  }
  return texts;
}

/** Inserts a member before another member, with the same line break and indentation. */
function insertMember(request: RequestFile, node: JsonNode, member: string): TextEdit {
  const { offset } = keyRange(node);
  return { offset, length: 0, text: `${member},${gapBefore(request, offset)}` };
}

/** Inserts a member after the last member of an object, in the same format. */
function appendMember(
  request: RequestFile,
  node: JsonNode,
  name: string,
  value: JsonValue,
  write: WriteValue,
): TextEdit {
  const last = node.children.at(-1);
  if (!last) return { offset: node.offset + 1, length: 0, text: writeMember(request, node, name, value, write) };
  const gap = gapBefore(request, keyRange(last).offset);
  return { offset: endOf(last), length: 0, text: `,${gap}${writeMember(request, last, name, value, write)}` };
}

function replaceMember(request: RequestFile, node: JsonNode, members: JsonObject, write: WriteValue): TextEdit {
  const range = memberRange(node);
  const gap = gapBefore(request, range.offset);
  const text = Object.entries(members)
    .map(([name, value]) => writeMember(request, node, name, value, write))
    .join(`,${gap}`);
  return { ...range, text };
}

/** Formats a member with the same space around its colon as the member `like`. */
function writeMember({ text }: RequestFile, like: JsonNode, name: string, value: JsonValue, write: WriteValue): string {
  const colon = /^\s*:[ \t]*$/u.exec(text.slice(endOf(keyRange(like)), like.offset))?.[0] ?? ': ';
  return `${JSON.stringify(name)}${colon}${write(value, !colon.endsWith(':'))}`;
}

/** Formats the value that replaces a node. A string that is only trimmed keeps its escapes. */
function rewriteValue(request: RequestFile, node: JsonNode, value: JsonValue, write: WriteValue): string {
  const trimmed = `"${request.text.slice(node.offset + 1, endOf(node) - 1).trim()}"`;
  const isTrimmed = typeof value === 'string' && request.text[node.offset] === '"' && parseJson(trimmed) === value;
  return isTrimmed ? trimmed : write(value, isSpaced(request));
}

/** True if the first member of a request has a space after its colon. */
function isSpaced({ text, root }: RequestFile): boolean {
  const first = root?.children[0];
  return first !== undefined && text[first.offset - 1] !== ':';
}

/** Maximum length of an indentation that is repeated before inserted values, in characters. */
export const maxIndentation = 200;

/** Returns the white space before a value or member: a line break with indentation, a space, or nothing. */
function gapBefore(request: RequestFile, offset: number): string {
  const { text } = request;
  const begin = offset - trailingSpace(text, offset);
  if (isLineBegin(text, begin))
    return `${readLineBreak(text, begin)}${text.slice(begin, Math.min(offset, begin + maxIndentation))}`;
  return isSpaced(request) ? ' ' : '';
}

function isLineBegin(text: string, offset: number): boolean {
  return text[offset - 1] === '\n' || text[offset - 1] === '\r';
}

function readLineBreak(text: string, lineBegin: number): string {
  return text.slice(0, lineBegin).endsWith('\r\n') ? '\r\n' : text.charAt(lineBegin - 1);
}

/**
 * Removes members and elements together with their commas and the surrounding white space. Keeps comments, except within removed
 * values.
 * @param paths in any order, in any number of containers
 */
function makeRemovalEdits(request: RequestFile, paths: readonly JsonPath[]): readonly TextEdit[] {
  const byContainer = new Map<JsonNode, Set<JsonNode>>();
  for (const path of paths) {
    const container = findNode(request.root, path.slice(0, -1));
    if (!container) continue;
    const within = byContainer.get(container) ?? new Set();
    // Remove duplicates too: otherwise an earlier member with the same name would become effective.
    for (const node of findNodes(request, path)) within.add(node);
    byContainer.set(container, within);
  }
  return [...byContainer].flatMap(([container, removed]) => removeChildren(request.text, container, removed));
}

function removeChildren(text: string, container: JsonNode, removed: ReadonlySet<JsonNode>): readonly TextEdit[] {
  const { children } = container;
  const begin = container.offset + 1;
  const end = endOf(container) - 1;
  const commaAfter = (index: number): readonly TextRange[] => {
    const child = children[index];
    const next = children[index + 1];
    const offset = child ? findComma(text, endOf(child), next ? keyRange(next).offset : end) : -1;
    return offset < 0 ? [] : [{ offset, length: 1 }];
  };
  /** Number of children before the removed ones at the end. Those have a comma after them only if it is a trailing comma. */
  const kept = children.findLastIndex((child) => !removed.has(child)) + 1;
  const isFollowed = kept === 0 || commaAfter(children.length - 1).length > 0;
  // Visit only the removed children: a list may have ten thousand entries and a fix for each.
  const cuts = [...removed].flatMap((node) => {
    const index = findLowest(children.length, (at) => (children[at]?.offset ?? Infinity) >= node.offset);
    return [memberRange(node), ...commaAfter(index < kept || isFollowed ? index : index - 1)];
  });
  const stretches = joinCuts(text, cuts);
  const [only = { offset: begin, length: 0 }] = stretches;
  const isAll = stretches.length === 1 && isBlank(text, begin, only.offset) && isBlank(text, endOf(only), end);
  return isAll ? [cut(begin, end)] : stretches.map((stretch) => widen(text, stretch));
}

/** Sorts ranges by offset and joins those with only white space between them. */
function joinCuts(text: string, cuts: readonly TextRange[]): readonly TextRange[] {
  const joined: TextRange[] = [];
  for (const each of cuts.toSorted((a, b) => a.offset - b.offset)) {
    const before = joined.at(-1);
    if (!before || !isBlank(text, endOf(before), each.offset)) joined.push(each);
    else joined[joined.length - 1] = { offset: before.offset, length: endOf(each) - before.offset };
  }
  return joined;
}

/** Extends a range to the whole lines if it fills them, otherwise to the space beside it. */
function widen(text: string, stretch: TextRange): TextEdit {
  const { offset } = stretch;
  const lineBegin = offset - trailingSpace(text, offset);
  const beginsLine = isLineBegin(text, lineBegin);
  let after = endOf(stretch);
  while (text[after] === ' ' || text[after] === '\t') after++;
  if (text[after] === '\n' || text[after] === '\r') {
    return cut(beginsLine ? lineBegin - readLineBreak(text, lineBegin).length : lineBegin, after);
  }
  if (text[after] === '}' || text[after] === ']') return cut(lineBegin, endOf(stretch));
  // The range begins with the comma before it: the space after it belongs to the following value.
  return cut(offset, text[offset] === ',' && !beginsLine ? endOf(stretch) : after);
}

function isBlank(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === '';
}

/** Returns the offset of the comma between two values, skipping comments; -1 if there is none. */
function findComma(text: string, from: number, to: number): number {
  const scanner = createScanner(text.slice(from, to), true);
  scanner.scan();
  return text[from + scanner.getTokenOffset()] === ',' && scanner.getTokenLength() === 1
    ? from + scanner.getTokenOffset()
    : -1;
}

/** Counts the spaces and tabs before an offset. */
function trailingSpace(text: string, offset: number): number {
  let from = offset;
  while (text[from - 1] === ' ' || text[from - 1] === '\t') from--;
  return offset - from;
}

function cut(begin: number, end: number): TextEdit {
  return { offset: begin, length: end - begin, text: '' };
}

/** Maximum number of rounds: a fix may reveal another finding, which the next round fixes. */
const roundLimit = 10;

export interface FixedRequest {
  readonly text: string;
  /** Edits that convert the original text to the fixed text. */
  readonly edits: readonly TextEdit[];
}

/**
 * Applies the fixes of all findings, repeatedly, including the findings that appear after a fix.
 * @param check must be deterministic
 * @param choose returns the fix to apply for a finding, if any
 * @param maxChecked maximum number of characters to check in all rounds; the first round takes place in any case
 */
export function fixAll(
  request: RequestFile,
  check: (request: RequestFile) => readonly Finding[],
  choose: (finding: Finding) => Fix | undefined,
  maxChecked = Infinity,
): FixedRequest {
  let current = request;
  let { text } = request;
  let edits: readonly TextEdit[] = [];
  let checked = text.length;
  for (let round = 0; round < roundLimit && current.problems.length === 0; round++) {
    const changes = pickCompatibleChanges(check(current).map(choose));
    if (changes.length === 0) break;
    const roundEdits = makeChangeEdits(current, changes);
    text = applyEdits(text, roundEdits);
    edits = round === 0 ? roundEdits : mergeEdits(request.text, text);
    checked += text.length;
    if (checked > maxChecked) break;
    current = parseRequest(text);
  }
  return { text, edits };
}

function mergeEdits(before: string, after: string): readonly TextEdit[] {
  const edit = diffTexts(before, after);
  return edit ? [edit] : [];
}

/** Returns the best fix that does not change an explicit decision. */
export function chooseFix({ fixes }: Finding): Fix | undefined {
  return fixes?.find(({ isChoice }) => isChoice !== true);
}

/** Returns the best fix that keeps the meaning of the request. */
export function chooseSafeFix({ fixes }: Finding): Fix | undefined {
  return fixes?.find(({ safe }) => safe);
}

/**
 * Returns the changes of all fixes that do not overlap an earlier fix. Renames come first: a value under a wrong name takes precedence
 * over a default that another fix would add because the value seems to be missing.
 */
function pickCompatibleChanges(fixes: readonly (Fix | undefined)[]): readonly Change[] {
  const touched = new Set<string>();
  const around = new Set<string>();
  const renames = ({ changes }: Fix): boolean => changes.some(({ type }) => type === 'rename');
  const given = fixes.filter((fix) => fix !== undefined);
  return [...given.filter(renames), ...given.filter((fix) => !renames(fix))].flatMap((fix) => {
    const touching = fix.changes.flatMap(touchedPaths);
    if (touching.some((path) => collides(path, touched, around))) return [];
    for (const path of touching) {
      touched.add(JSON.stringify(path));
      for (const outer of prefixes(path)) around.add(outer);
    }
    return fix.changes;
  });
}

/** Returns the paths that a change replaces or creates: two fixes must not create the same member. */
function touchedPaths(change: Change): readonly JsonPath[] {
  const { path } = change;
  switch (change.type) {
    case 'replaceMember':
      return [path, ...Object.keys(change.members).map((name) => [...path.slice(0, -1), name])];
    case 'insertBefore':
      return [path, [...path.slice(0, -1), change.name]];
    case 'append':
      // Include the whole object: its end moves if its last member is removed or another member is appended.
      return [path, [...path, change.name]];
    case 'rename':
      return [path, [...path.slice(0, -1), change.name]];
    case 'replace':
    case 'remove':
    case 'expand':
      return [path];
  }
}

function collides(path: JsonPath, touched: ReadonlySet<string>, around: ReadonlySet<string>): boolean {
  return around.has(JSON.stringify(path)) || prefixes(path).some((outer) => touched.has(outer));
}

/** Returns the keys of the path and all its ancestors, including the request. */
function prefixes(path: JsonPath): readonly string[] {
  return [JSON.stringify([]), ...path.map((_, index) => JSON.stringify(path.slice(0, index + 1)))];
}

/** Converts plain terms to objects, so that pronunciations can be added. */
export function convertToObjects(body: JsonObject, indexes?: Iterable<number>): Iterable<Change> {
  return convertTerms(body, indexes, (entry) => (typeof entry === 'string' ? { value: entry } : undefined));
}

/** Converts objects that have only the term to plain terms. */
export function convertToStrings(body: JsonObject, indexes?: Iterable<number>): Iterable<Change> {
  return convertTerms(body, indexes, (entry) => {
    if (!isJsonObject(entry) || Object.keys(entry).length !== 1) return undefined;
    return typeof entry['value'] === 'string' ? entry['value'] : undefined;
  });
}

/** Maximum number of terms that are converted at once. */
const maxConverted = 50_000;

function* convertTerms(
  body: JsonObject,
  indexes: Iterable<number> | undefined,
  convert: (entry: unknown) => JsonObject | string | undefined,
): Generator<Change, void, undefined> {
  const vocabulary = vocabularyOf(body) ?? [];
  let left = maxConverted;
  for (const index of indexes ?? vocabulary.keys()) {
    const value = convert(vocabulary[index]);
    if (value === undefined) continue;
    if (left-- === 0) return;
    yield { type: 'replace', path: [...paths.vocabulary, index], value };
  }
}
