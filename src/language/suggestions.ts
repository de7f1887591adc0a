import { t } from '@vscode/l10n';
import { createScanner, getLocation, type Location } from 'jsonc-parser';
import type { JsonObject, PlainValue } from '../base/json/json.ts';
import { endOf, findNode, isUnreadable, valueRange, type JsonNode } from './json/jsonTree.ts';
import type { TextRange } from './json/textEdit.ts';
import { arrayIn, memberOf, objectIn, languagesOf, paths } from './request/requestFields.ts';
import { offeredLanguages, offeredTargets } from '../known/gladiaLanguages.ts';
import type { RequestFile } from './request/requestFile.ts';

/** A metadata key in the loaded jobs, with its values. */
export interface KeySuggestion {
  readonly key: string;
  /** Number of examined jobs with the key. */
  readonly jobs: number;
  /** Most frequent first. */
  readonly values: readonly { readonly value: PlainValue; readonly jobs: number }[];
}

/** Completions in addition to those of the schema. */
export interface Suggestions {
  /** Range to replace. */
  readonly range: TextRange;
  /** Empty in metadata strings, so that the editor does not suggest words of the document there. */
  readonly items: readonly Suggestion[];
}

export interface Suggestion {
  readonly label: string;
  /** Shown next to the label, localised. */
  readonly detail: string;
  /** Text to match with the text in the range. */
  readonly filter: string;
  readonly insert: string;
  /** Cursor offset within {@link insert}; the end if omitted. */
  readonly cursor?: number;
}

export interface SuggestionSources {
  /** Called only within metadata. */
  readonly metadata: () => readonly KeySuggestion[];
  /** Returns the display name of a language. */
  readonly nameOf: (code: string) => string;
}

/** Returns the suggestions at an offset: language codes, metadata of jobs. Undefined where only the schema has suggestions. */
export function suggestAt(
  request: RequestFile,
  offset: number,
  { metadata, nameOf }: SuggestionSources,
): Suggestions | undefined {
  // `getLocation` does not limit the depth and would exhaust the stack.
  if (isUnreadable(request)) return undefined;
  const location = getLocation(request.text, offset);
  const range = rangeAround(request.text, offset, location);
  if (!range) return undefined;
  const separator = separatorAfter(request.text, range.offset + range.length);
  const items = location.isAtPropertyKey
    ? metadataKeys(request, location, range, metadata, separator)
    : [...languages(request.body, location, nameOf, separator), ...metadataValues(location, metadata, separator)];
  const isFreeText =
    location.path[0] === 'custom_metadata' && !location.isAtPropertyKey && request.text[range.offset] === '"';
  return items.length === 0 && !isFreeText ? undefined : { range, items };
}

function languages(
  body: JsonObject,
  location: Location,
  nameOf: (code: string) => string,
  separator: string,
): readonly Suggestion[] {
  const [codes, taken] = languageList(body, location) ?? [[], []];
  const rest = new Set(taken);
  return codes
    .filter((code) => !rest.has(code))
    .map((code) => {
      const quoted = JSON.stringify(code);
      const name = nameOf(code);
      return { label: quoted, detail: name, filter: `${quoted} ${name}`, insert: quoted + separator };
    });
}

/** A language code in a request, with its name. */
export interface NamedLanguage {
  readonly code: string;
  readonly name: string;
  /** Range of the code including its quotes. */
  readonly range: TextRange;
}

/** Returns the language whose code is at an offset; undefined for other values and unknown codes. */
export function findLanguageAt(
  request: RequestFile,
  offset: number,
  nameOf: (code: string) => string,
): NamedLanguage | undefined {
  const { root, text } = request;
  const at = (node: JsonNode | undefined): JsonNode | undefined =>
    node?.children.find((child) => child.offset <= offset && offset <= endOf(child));
  const places = [
    [at(findNode(root, paths.languages)), offeredLanguages],
    [at(findNode(root, paths.targetLanguages)), offeredTargets],
    [findNode(at(findNode(root, paths.vocabulary)), ['language']), offeredLanguages],
  ] as const;
  for (const [node, codes] of places) {
    if (!node || offset < node.offset || offset > endOf(node)) continue;
    const quoted = text.slice(node.offset, endOf(node));
    const code = codes.find((each) => JSON.stringify(each) === quoted);
    if (code !== undefined) return { code, name: nameOf(code), range: valueRange(node) };
  }
  return undefined;
}

/** Returns the codes that are valid at a location, and those that its list already has. */
function languageList(
  body: JsonObject,
  { matches, path }: Location,
): readonly [readonly string[], readonly unknown[]] | undefined {
  const others = (list: readonly unknown[]) => list.filter((_, index) => index !== path.at(-1));
  if (matches([...paths.languages, '*'])) return [offeredLanguages, others(languagesOf(body))];
  if (matches([...paths.targetLanguages, '*'])) {
    return [offeredTargets, others(arrayIn(objectIn(body, 'translation_config'), 'target_languages') ?? [])];
  }
  return matches([...paths.vocabulary, '*', 'language']) ? [offeredLanguages, []] : undefined;
}

function metadataKeys(
  { body, text }: RequestFile,
  { path }: Location,
  range: TextRange,
  metadata: SuggestionSources['metadata'],
  separator: string,
): readonly Suggestion[] {
  if (path.length !== 2 || path[0] !== 'custom_metadata') return [];
  const present = objectIn(body, 'custom_metadata');
  const hasValue = /^\s*:/u.test(text.slice(range.offset + range.length));
  return metadata()
    .filter(({ key }) => key === path[1] || memberOf(present, key) === undefined)
    .map(({ key, jobs }) => {
      const quoted = JSON.stringify(key);
      return {
        label: key,
        detail: usesText(jobs),
        filter: quoted,
        ...(hasValue ? { insert: quoted } : { insert: `${quoted}: ""${separator}`, cursor: quoted.length + 3 }),
      };
    });
}

function metadataValues(
  { path }: Location,
  metadata: SuggestionSources['metadata'],
  separator: string,
): readonly Suggestion[] {
  if (path.length !== 2 || path[0] !== 'custom_metadata') return [];
  const values = metadata().find(({ key }) => key === path[1])?.values ?? [];
  return values.map(({ value, jobs }) => {
    const text = JSON.stringify(value);
    return { label: text, detail: usesText(jobs), filter: text, insert: text + separator };
  });
}

function usesText(jobs: number): string {
  return jobs === 1 ? t('on 1 job') : t('on {0} jobs', jobs);
}

/** Returns the range of the value or word at an offset; undefined after a complete string, where nothing can be inserted. */
function rangeAround(text: string, offset: number, { previousNode }: Location): TextRange | undefined {
  if (previousNode && offset <= previousNode.offset + previousNode.length) {
    const end = previousNode.offset + previousNode.length;
    const isComplete = previousNode.length > 1 && text[previousNode.offset] === '"' && text[end - 1] === '"';
    return offset === end && isComplete ? undefined : { offset: previousNode.offset, length: previousNode.length };
  }
  const word = /[^\s",:[\]{}]*$/u.exec(text.slice(Math.max(0, offset - 100), offset))?.[0] ?? '';
  return { offset: offset - word.length, length: word.length };
}

/** Returns a comma if another value follows without one. */
function separatorAfter(text: string, offset: number): string {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  scanner.scan();
  const next = text[scanner.getTokenOffset()];
  return next === undefined || ',:}]'.includes(next) || scanner.getTokenLength() === 0 ? '' : ',';
}
