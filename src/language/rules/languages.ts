import { t } from '@vscode/l10n';
import {
  arrayIn,
  objectIn,
  expectedLanguages,
  isSwitchedOff,
  languagesOf,
  memberOf,
  paths,
  switchesLanguages,
} from '../request/requestFields.ts';
import { isOfferedLanguage, makeLanguageSuggester } from '../request/languages.ts';
import { valuePlace } from '../request/requestFile.ts';
import { hasUnknownFields } from '../request/unknownFields.ts';
import { readTerms, type Term } from '../request/vocabularyTerms.ts';
import { nameService } from './serviceNames.ts';
import { findRepetitions } from './repetitions.ts';
import type { Hit, Rule } from '../request/finding.ts';
import { isArray, type JsonPath } from '../../base/json/json.ts';

const singleIgnoresCodeSwitching: Rule = {
  code: 'languages/single-ignores-code-switching',
  severity: 'warning',
  source: 'contract 2.4, rule 3',
  explain: () => t('With exactly one language, code_switching is ignored.'),
  *check({ body }) {
    const [only, ...others] = languagesOf(body);
    if (only === undefined || others.length > 0 || !switchesLanguages(body)) return;
    // An invalid entry ("en fr", "auto") or an unknown field may have been intended for several languages.
    const isOne = typeof only === 'string' && isOfferedLanguage(only) && !hasUnknownFields(body, 'language_config');
    yield {
      message: t('code_switching is ignored, because languages has exactly one entry.'),
      place: valuePlace(...paths.codeSwitching),
      related: [{ place: valuePlace(...paths.languages), message: t('The only language') }],
      fixes: [
        { title: t('Remove code_switching'), changes: [{ type: 'remove', path: paths.codeSwitching }], safe: isOne },
      ],
    };
  },
};

const codeSwitchingWithoutLanguages: Rule = {
  code: 'languages/code-switching-without-languages',
  severity: 'warning',
  source: 'contract 2.4, rule 4',
  explain: () =>
    t('With code_switching and no languages, more than 100 compete for each utterance, which causes misdetections.'),
  *check({ body }) {
    if (languagesOf(body).length > 0 || !switchesLanguages(body)) return;
    const written = memberOf(objectIn(body, 'language_config'), 'languages') ?? [];
    // The schema reports languages of a wrong type.
    if (!isArray(written)) return;
    yield {
      message: t('code_switching without languages causes misdetections. List the expected languages.'),
      place: valuePlace(...paths.codeSwitching),
      fixes: [
        {
          title: t('Turn code_switching off'),
          changes: [{ type: 'replace', path: paths.codeSwitching, value: false }],
          safe: false,
          isChoice: true,
        },
      ],
    };
  },
};

const recommendedCount: Rule = {
  code: 'languages/recommended-count',
  severity: 'info',
  source: 'contract 8',
  explain: () => t('3 to 5 expected languages are recommended for multilingual audio.'),
  *check({ body }) {
    if (languagesOf(body).length <= 5) return;
    const { size } = expectedLanguages(body);
    if (size <= 5) return;
    yield {
      message: t('3 to 5 expected languages are recommended for multilingual audio; this request has {0}.', size),
      place: valuePlace(...paths.languages),
    };
  },
};

const duplicate: Rule = {
  code: 'languages/duplicate',
  severity: 'warning',
  source: 'request',
  explain: () => t('Duplicate languages have no effect.'),
  *check({ body }) {
    const languages = languagesOf(body);
    // As written: the contract doesn't say that codes are compared without case.
    const repetitions = [...findRepetitions(languages, (code) => (typeof code === 'string' ? code : undefined))];
    const endsSwitching = repetitions.length > 0 && switchesLanguages(body) && new Set(languages).size === 1;
    for (const { index, firstIndex, element } of repetitions) {
      yield {
        message: t('"{0}" is already in the list.', String(element)),
        place: valuePlace(...paths.languages, index),
        related: [{ place: valuePlace(...paths.languages, firstIndex), message: t('Listed here') }],
        fixes: [
          {
            title: t('Remove "{0}"', String(element)),
            changes: [{ type: 'remove', path: [...paths.languages, index] }],
            safe: !endsSwitching,
            // With a single entry, code_switching would be ignored.
            isChoice: endsSwitching,
          },
        ],
      };
    }
  },
};

const unfamiliarCode: Rule = {
  code: 'languages/unfamiliar-code',
  severity: 'info',
  source: 'service',
  explain: () => t("A language code that {0} doesn't list. Your service may support it.", nameService()),
  *check({ body }, { knowledge }) {
    // Otherwise `service/language-code` reports it.
    if (knowledge?.isApplied === true) return;
    const suggest = makeLanguageSuggester();
    yield* unfamiliar(languagesOf(body), paths.languages, suggest);
    if (!isSwitchedOff(body, paths.targetLanguages))
      yield* unfamiliar(
        arrayIn(objectIn(body, 'translation_config'), 'target_languages') ?? [],
        paths.targetLanguages,
        suggest,
      );
    yield* unfamiliarOfTerms(readTerms(body), suggest);
  },
};

type Suggest = (code: string) => string | undefined;

function* unfamiliarOfTerms(terms: readonly Term[], suggest: Suggest): Generator<Hit, void, undefined> {
  const found = terms.flatMap(({ index, text, language: code }) =>
    code === undefined || isOfferedLanguage(code) ? [] : [{ index, text, code, meant: suggest(code) }],
  );
  const fixable = new Set(found.flatMap(({ text, meant }) => (meant === undefined ? [] : [text])));
  const keyOf = (text: string | undefined, code: string): string => JSON.stringify([text, code]);
  const counts = new Map<string, number>();
  for (const { text, language } of terms) {
    const meant = language === undefined || !fixable.has(text) ? undefined : meantCode(language, suggest);
    if (meant === undefined) continue;
    const key = keyOf(text, meant);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const { index, text = '', code, meant } of found) {
    const isUnique = meant !== undefined && (text === '' || counts.get(keyOf(text, meant)) === 1);
    yield aboutCode(code, meant, [...paths.vocabulary, index, 'language'], isUnique);
  }
}

function* unfamiliar(codes: readonly unknown[], listPath: JsonPath, suggest: Suggest): Generator<Hit, void, undefined> {
  if (codes.every((code) => typeof code === 'string' && isOfferedLanguage(code))) return;
  const found = codes.map((code) => (typeof code === 'string' ? meantCode(code, suggest) : undefined));
  const counts = new Map<string | undefined, number>();
  for (const meant of found) counts.set(meant, (counts.get(meant) ?? 0) + 1);
  for (const [index, code] of codes.entries()) {
    if (typeof code !== 'string' || isOfferedLanguage(code)) continue;
    const meant = found[index];
    yield aboutCode(code, meant, [...listPath, index], counts.get(meant) === 1);
  }
}

/** Returns a listed code, or the one that an unlisted code probably means; undefined if there is none. */
function meantCode(code: string, suggest: Suggest): string | undefined {
  return isOfferedLanguage(code) ? code : suggest(code);
}

/** @param isUnique true if the fixed entry would be unique */
function aboutCode(code: string, meant: string | undefined, path: JsonPath, isUnique: boolean): Hit {
  return {
    message:
      meant === undefined
        ? t('Unknown language code "{0}". Your service may support it.', code)
        : t('Unknown language code "{0}". Did you mean "{1}"?', code, meant),
    place: valuePlace(...path),
    ...(meant !== undefined &&
      isUnique && {
        fixes: [
          { title: t('Change to "{0}"', meant), changes: [{ type: 'replace', path, value: meant }], safe: false },
        ],
      }),
  };
}

export const languageRules: readonly Rule[] = [
  singleIgnoresCodeSwitching,
  codeSwitchingWithoutLanguages,
  recommendedCount,
  duplicate,
  unfamiliarCode,
];
