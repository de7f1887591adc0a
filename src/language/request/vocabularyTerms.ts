import { isJsonObject, type JsonObject } from '../../base/json/json.ts';
import { arrayIn, isSwitchedOff, numberIn, paths, stringIn, vocabularyOf } from './requestFields.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';

/** An entry of the vocabulary (contract 2.4); members of a wrong type are omitted. */
export interface Term {
  readonly index: number;
  readonly entry: unknown;
  /** Trimmed; undefined if the entry has no term. */
  readonly text: string | undefined;
  readonly intensity: number | undefined;
  readonly language: string | undefined;
  /** Number of pronunciations. */
  readonly pronunciations: number;
  /**
   * Equal for duplicate terms: a term may be listed once per language (contract 2.4 rule 7). As written: the contract doesn't say that
   * terms or languages are compared without case.
   */
  readonly key: string | undefined;
}

/** Maximum number of terms that the rules read. */
const maxTerms = 100_000;

/** Returns the first vocabulary entries of a request; none if the vocabulary is off. Cached for all rules, because there may be ten thousand. */
export const readTerms = rememberPerObject((body: JsonObject): readonly Term[] =>
  isSwitchedOff(body, paths.vocabulary) ? [] : (vocabularyOf(body)?.slice(0, maxTerms).map(readTerm) ?? []),
);

function readTerm(entry: unknown, index: number): Term {
  const object = isJsonObject(entry) ? entry : undefined;
  const written = typeof entry === 'string' ? entry : stringIn(object, 'value');
  const text = written?.trim();
  const language = stringIn(object, 'language');
  return {
    index,
    entry,
    text,
    intensity: numberIn(object, 'intensity'),
    language,
    pronunciations: arrayIn(object, 'pronunciations')?.length ?? 0,
    key: written === undefined || text === '' ? undefined : termKey(written, language),
  };
}

function termKey(text: string, language: string | undefined): string {
  return JSON.stringify([text, language]);
}
