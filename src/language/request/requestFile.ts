import { isJsonObject, type JsonObject, type JsonPath } from '../../base/json/json.ts';
import { findNode, keyRange, parseJsonTree, valueRange, type ParsedJson } from '../json/jsonTree.ts';
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

/** Parses a request. Never throws. */
export function parseRequest(text: string): RequestFile {
  const parsed = parseJsonTree(text);
  return { ...parsed, body: isJsonObject(parsed.value) ? parsed.value : {} };
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
