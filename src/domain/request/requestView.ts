import type { JsonObject } from '../json.ts';
import { languageKey } from './languageCodes.ts';
import { arrayIn, booleanIn, objectIn } from './requestValue.ts';

/** Paths of contract 2.4 that more than one rule speaks of. */
export const paths = {
  languages: ['language_config', 'languages'],
  codeSwitching: ['language_config', 'code_switching'],
  vocabulary: ['custom_vocabulary_config', 'vocabulary'],
  targetLanguages: ['translation_config', 'target_languages'],
  formats: ['subtitles_config', 'formats'],
} as const;

/** `languages` as written, wrong types included; empty when it is missing. */
export function languagesOf(body: JsonObject): readonly unknown[] {
  return arrayIn(objectIn(body, 'language_config'), 'languages') ?? [];
}

/** The expected languages in one spelling, each once. */
export function expectedLanguages(body: JsonObject): ReadonlySet<string> {
  return new Set(languagesOf(body).flatMap((code) => (typeof code === 'string' ? [languageKey(code)] : [])));
}

export function switchesLanguages(body: JsonObject): boolean {
  return booleanIn(objectIn(body, 'language_config'), 'code_switching') === true;
}

/** Several languages are expected, or looked for on each utterance. */
export function isMultilingual(body: JsonObject): boolean {
  const count = languagesOf(body).length;
  return count > 1 || (count === 0 && switchesLanguages(body));
}

/** `vocabulary` as written, wrong types included; undefined when it is missing. */
export function vocabularyOf(body: JsonObject): readonly unknown[] | undefined {
  return arrayIn(objectIn(body, 'custom_vocabulary_config'), 'vocabulary');
}
