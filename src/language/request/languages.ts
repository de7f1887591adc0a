import { offeredTargets } from '../../known/gladiaLanguages.ts';

const known = new Set(offeredTargets);
/** Codes from other standards, mapped to the codes used here. */
const otherCodes: Readonly<Record<string, string>> = { jv: 'jw', jp: 'ja', mymr: 'my', nb: 'no', fil: 'tl', iw: 'he' };

export function isOfferedLanguage(code: string): boolean {
  return known.has(code);
}

/** Normalizes a code: `en-US` and `EN` become `en`; unknown codes are converted to lower case. */
export function normalizeLanguage(code: string): string {
  if (known.has(code)) return code;
  const lower = code.trim().toLowerCase();
  const [primary = lower] = lower.split(/[-_]/u);
  const named = otherCodes[primary] ?? primary;
  return known.has(named) ? named : lower;
}

/** Returns the known code closest to an unknown code; undefined if the code is known, or no known code is similar. */
export function suggestLanguage(code: string): string | undefined {
  const key = normalizeLanguage(code);
  if (known.has(key)) return key === code ? undefined : key;
  // `Spanish (Mexico)` is Spanish.
  const bracket = key.indexOf('(');
  const name = bracket < 0 ? key : key.slice(0, bracket).trim();
  return codesByName().get(name) ?? otherNames.get(name.replaceAll(' ', '')) ?? canonicalCode(key);
}

/** Additional names of languages, without spaces. */
const otherNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    mandarin: 'zh',
    simplifiedchinese: 'zh',
    traditionalchinese: 'zh',
    farsi: 'fa',
    castilian: 'es',
    flemish: 'nl',
    filipino: 'tl',
    brazilianportuguese: 'pt',
    americanenglish: 'en',
    britishenglish: 'en',
    myanmar: 'my',
  }),
);

let byName: ReadonlyMap<string, string> | undefined;

/** Returns the codes by language name, in English and in the language itself, in lower case. Built on first use. */
function codesByName(): ReadonlyMap<string, string> {
  byName ??= new Map(
    offeredTargets.flatMap((code) =>
      [makeLanguageNamer('en'), makeLanguageNamer(code)].map((nameOf) => [nameOf(code).toLowerCase(), code] as const),
    ),
  );
  return byName;
}

/** Converts `eng` to `en`; undefined if the result is unknown, too. */
function canonicalCode(code: string): string | undefined {
  // Anything longer is no code, or has one of another language.
  if (!/^[a-z]{2,3}$/u.test(code)) return undefined;
  const [canonical = ''] = Intl.getCanonicalLocales(code);
  return known.has(canonical) ? canonical : undefined;
}

/** Maximum number of distinct codes in a request that are compared with the known ones. */
const maxSuggested = 1000;

/** Returns a function like {@link suggestLanguage} that remembers its results, because a request may repeat a code thousands of times. */
export function makeLanguageSuggester(): (code: string) => string | undefined {
  const suggested = new Map<string, string | undefined>();
  return (code) => {
    if (!suggested.has(code) && suggested.size < maxSuggested) suggested.set(code, suggestLanguage(code));
    return suggested.get(code);
  };
}

/** Creates a function that returns the name of a language in the user's language, or its code if there is none. */
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

/** Codes for `Intl.DisplayNames` where they differ. */
const displayCodes: Readonly<Record<string, string>> = { jw: 'jv' };
