import { isJsonObject, type JsonObject } from '../../json.ts';
import type { Change } from '../finding.ts';
import { paths, vocabularyOf } from '../requestView.ts';

/** The changes that make objects of plain terms, so that each can say how it sounds. */
export function termsAsObjects(body: JsonObject, indexes?: Iterable<number>): readonly Change[] {
  return changesOf(body, indexes, (entry) => (typeof entry === 'string' ? { value: entry } : undefined));
}

/** The changes that make plain terms of objects that say nothing but the term. */
export function termsAsStrings(body: JsonObject, indexes?: Iterable<number>): readonly Change[] {
  return changesOf(body, indexes, (entry) => {
    if (!isJsonObject(entry) || Object.keys(entry).length !== 1) return undefined;
    return typeof entry['value'] === 'string' ? entry['value'] : undefined;
  });
}

function changesOf(
  body: JsonObject,
  indexes: Iterable<number> | undefined,
  convert: (entry: unknown) => JsonObject | string | undefined,
): readonly Change[] {
  const vocabulary = vocabularyOf(body) ?? [];
  return Array.from(indexes ?? vocabulary.keys()).flatMap((index): readonly Change[] => {
    const value = convert(vocabulary[index]);
    return value === undefined ? [] : [{ type: 'replace', path: [...paths.vocabulary, index], value }];
  });
}
