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
  if (known.has(key)) return key === code ? undefined : key;
  return codesByName().get(key) ?? canonicalCode(key);
}

let byName: ReadonlyMap<string, string> | undefined;

/** Codes by the name of their language, in English and in itself, in lower case. Made when somebody writes a name. */
function codesByName(): ReadonlyMap<string, string> {
  byName ??= new Map(
    offeredTargets.flatMap((code) =>
      [makeLanguageNamer('en'), makeLanguageNamer(code)].map((nameOf) => [nameOf(code).toLowerCase(), code] as const),
    ),
  );
  return byName;
}

/** `en` for `eng`; undefined when that is not offered either. */
function canonicalCode(code: string): string | undefined {
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(code);
    return known.has(canonical) ? canonical : undefined;
  } catch {
    return undefined;
  }
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
