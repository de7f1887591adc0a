import { isJsonObject, type JsonObject } from '../json/json.ts';
import type { JsonPath, TextRange } from './json/jsonPlaces.ts';
import { parsePlacedJson, type PlacedJson, updatePlacedJson } from './json/placedJson.ts';
import { inheritTerms } from './vocabularyTerms.ts';

/** The text of a request (contract 2.4), parsed. */
export interface RequestFile extends PlacedJson {
  /** The request; empty when the text is no object. What could be recovered on syntax errors. */
  readonly body: JsonObject;
}

/** A place in a request. By path where possible, so that rules need no offsets; by range where there is no value. */
export type Place =
  | {
      readonly path: JsonPath;
      /** The value, the name of a member, or the bracket with which the value begins. */
      readonly part: 'value' | 'name' | 'begin';
    }
  | { readonly range: TextRange };

/** Parses a request. Never throws. */
export function parseRequest(text: string): RequestFile {
  return requestOf(parsePlacedJson(text));
}

/** Same result as `parseRequest(text)`; faster for small changes. */
export function updateRequest(previous: RequestFile, text: string): RequestFile {
  const parsed = updatePlacedJson(previous, text);
  if (parsed === previous) return previous;
  const updated = requestOf(parsed);
  inheritTerms(previous.body, updated.body);
  return updated;
}

/** Range of a place; the beginning of the text when it does not exist. */
export function placeRange({ places }: RequestFile, place: Place): TextRange {
  if ('range' in place) return place.range;
  const row = places.rowAt(place.path);
  if (row < 0) return { offset: 0, length: 0 };
  switch (place.part) {
    case 'value':
      return places.range(row);
    case 'name':
      return places.keyRange(row);
    case 'begin':
      return { ...places.range(row), length: 1 };
  }
}

export function valuePlace(...path: JsonPath): Place {
  return { path, part: 'value' };
}

export function namePlace(...path: JsonPath): Place {
  return { path, part: 'name' };
}

function requestOf(parsed: PlacedJson): RequestFile {
  return { ...parsed, body: isJsonObject(parsed.value) ? parsed.value : {} };
}
