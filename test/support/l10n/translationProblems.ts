/** Texts by key: a manifest's `package.nls.json`, or a bundle, in which a text with translator's notes is an object. */
export type Texts = Readonly<Record<string, string | { readonly message: string }>>;

/** A problem with one translated text. */
export interface TranslationProblem {
  readonly key: string;
  readonly problem: 'missing' | 'unused' | 'not translated' | 'other placeholders' | 'other links or code' | 'spacing';
}

/** French uses a narrow no-break space before these and inside quotation marks. */
const wrongSpacing = /[\p{L}\p{N})}»”`…*][ \u00A0]?[;:!?](?=\s|$)|«(?!\u202F)|(?<!\u202F)»/u;

/**
 * Compares French texts with the English ones.
 * @param same keys of texts that are the same in both languages
 */
export function translationProblems(
  english: Texts,
  french: Readonly<Record<string, string>>,
  same: ReadonlySet<string>,
): readonly TranslationProblem[] {
  const unused = Object.keys(french).filter((key) => !Object.hasOwn(english, key));
  return [
    ...unused.map((key) => ({ key, problem: 'unused' }) as const),
    ...Object.entries(english).flatMap(([key, value]) => {
      const problem = problemOf(typeof value === 'string' ? value : value.message, french[key], same.has(key));
      return problem === undefined ? [] : [{ key, problem }];
    }),
  ];
}

function problemOf(
  english: string,
  french: string | undefined,
  maybeSame: boolean,
): TranslationProblem['problem'] | undefined {
  if (french === undefined) return 'missing';
  if ((french === english) !== maybeSame) return 'not translated';
  if (marks(english, /\{\d+\}/g) !== marks(french, /\{\d+\}/g)) return 'other placeholders';
  const verbatim = /`[^`]+`|\]\([^)]+\)|\$\([\w-]+\)/g;
  if (marks(english, verbatim) !== marks(french, verbatim)) return 'other links or code';
  if (wrongSpacing.test(french.replaceAll(verbatim, ''))) return 'spacing';
  return undefined;
}

function marks(text: string, pattern: RegExp): string {
  return (text.match(pattern) ?? []).sort().join(' ');
}
