import { isJsonObject, type JsonObject, type JsonPath } from '../../base/json/json.ts';
import {
  findNode,
  keyRange,
  parseJsonTree,
  stripExtras,
  tooLong,
  unreadableJson,
  valueRange,
  type ParsedJson,
} from '../json/jsonTree.ts';
import type { TextRange } from '../json/textEdit.ts';

/** The parsed text of a request (contract 2.4). */
export interface RequestFile extends ParsedJson {
  /** The request; empty if the text is not an object. On syntax errors: the recovered part. */
  readonly body: JsonObject;
}

/** A place in a request: by path if possible, so that rules need no offsets; by range if there is no value. */
export type Place =
  | {
      readonly path: JsonPath;
      /** The value, the name of a member, or the opening bracket of the value. */
      readonly part: 'value' | 'name' | 'begin';
    }
  | { readonly range: TextRange };

/** Code of the problem in a text whose bytes are UTF-16 but were read as UTF-8. */
export const wrongEncoding = 'Utf16';

/** Parses a request. Never throws. @param maxValues maximum number of values; a text with more stays unread */
export function parseRequest(text: string, maxValues?: number): RequestFile {
  const isUtf16 = /^(?:\0[^\0]){2}|^(?:[^\0]\0){2}/.test(text);
  const parsed = isUtf16 ? unreadableJson(text, wrongEncoding) : parseJsonTree(text, 0, maxValues);
  return { ...parsed, body: isJsonObject(parsed.value) ? parsed.value : {} };
}

/** Maximum length of a text that VS Code reads, in characters: reading and checking it must not block the editor for 0.2 s. */
export const maxEditorLength = 1_200_000;

/** Maximum number of values of a text that VS Code reads, for the same reason. */
export const maxEditorValues = 62_000;

/** Maximum size of a file that is read, in MB: checking takes many times the memory of the text. */
export const maxFileMegabytes = 10;

/** Parses a text for VS Code; one beyond {@link maxEditorLength} or {@link maxEditorValues} stays unread. */
export function parseForEditor(text: string): RequestFile {
  return text.length > maxEditorLength
    ? { ...unreadableJson(text, tooLong), body: {} }
    : parseRequest(text, maxEditorValues);
}

/** Returns the body that a text is sent as: without comments and trailing commas. A text that is too long to be sent is returned as it is. */
export function bodyToSend(text: string): string {
  return stripExtras(text, parseForEditor(text).extras);
}

/** Returns the range of a place; the beginning of the text if the place does not exist. */
export function placeRange({ root }: RequestFile, place: Place): TextRange {
  if ('range' in place) return place.range;
  const node = findNode(root, place.path);
  if (!node) return { offset: 0, length: 0 };
  switch (place.part) {
    case 'value':
      return valueRange(node);
    case 'name':
      return keyRange(node);
    case 'begin':
      return { offset: node.offset, length: 1 };
  }
}

export function valuePlace(...path: JsonPath): Place {
  return { path, part: 'value' };
}

export function namePlace(...path: JsonPath): Place {
  return { path, part: 'name' };
}
