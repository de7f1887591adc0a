import { isJsonObject, type JsonObject, type JsonValue, isArray } from '../json/json.ts';

/** The own member of an object, undefined when it has none: `toString` is not one. */
export function memberOf(object: JsonObject | undefined, name: string): JsonValue | undefined {
  return object && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The member if it has the type; undefined otherwise. Wrong types are the schema's business, not a rule's. */
export function stringIn(object: JsonObject | undefined, name: string): string | undefined {
  const value = memberOf(object, name);
  return typeof value === 'string' ? value : undefined;
}

export function numberIn(object: JsonObject | undefined, name: string): number | undefined {
  const value = memberOf(object, name);
  return typeof value === 'number' ? value : undefined;
}

/** A whole number; the schema has words for others. */
export function integerIn(object: JsonObject | undefined, name: string): number | undefined {
  const value = numberIn(object, name);
  return Number.isInteger(value) ? value : undefined;
}

export function booleanIn(object: JsonObject | undefined, name: string): boolean | undefined {
  const value = memberOf(object, name);
  return typeof value === 'boolean' ? value : undefined;
}

export function objectIn(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = memberOf(object, name);
  return isJsonObject(value) ? value : undefined;
}

export function arrayIn(object: JsonObject | undefined, name: string): readonly unknown[] | undefined {
  const value = memberOf(object, name);
  return isArray(value) ? value : undefined;
}

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
  return new Set(languagesOf(body).flatMap((code) => (typeof code === 'string' ? [normalizeLanguage(code)] : [])));
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

/** Codes that one public service transcribes. Offered, never enforced: the contract shows no list. */
export const offeredLanguages: readonly string[] =
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh'.split(
    ' ',
  );

/** Codes that the same service translates into. */
export const offeredTargets: readonly string[] = [...offeredLanguages, 'wo'].sort();

const known = new Set(offeredTargets);
/** Codes that lists elsewhere have for a language with another code here. */
const otherCodes: Readonly<Record<string, string>> = { jv: 'jw', jp: 'ja', mymr: 'my', nb: 'no', fil: 'tl', iw: 'he' };

export function isOfferedLanguage(code: string): boolean {
  return known.has(code);
}

/** One spelling for what is the same language to the service: `en-US` and `EN` are `en`; unknown codes in lower case. */
export function normalizeLanguage(code: string): string {
  const lower = code.trim().toLowerCase();
  const [primary = lower] = lower.split(/[-_]/u);
  const named = otherCodes[primary] ?? primary;
  return known.has(named) ? named : lower;
}

/** The code that was probably meant by one that is not offered; undefined when it is offered, or nothing is like it. */
export function suggestLanguage(code: string): string | undefined {
  const key = normalizeLanguage(code);
  return key !== code && known.has(key) ? key : undefined;
}

/** Gives languages their names in the reader's own language; a code without a name is its own. */
export function makeLanguageNamer(locale: string): (code: string) => string {
  const names = new Intl.DisplayNames([locale, 'en'], { type: 'language' });
  return (code) => {
    try {
      return names.of(displayCodes[code] ?? code) ?? code;
    } catch {
      return code;
    }
  };
}

/** Codes for which the world's tables of names have another one. */
const displayCodes: Readonly<Record<string, string>> = { jw: 'jv' };
