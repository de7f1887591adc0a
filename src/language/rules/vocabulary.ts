import { t } from '@vscode/l10n';
import { isJsonObject, type JsonObject, type JsonPath } from '../../base/json/json.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';
import {
  booleanIn,
  numberIn,
  objectIn,
  expectedLanguages,
  isMultilingual,
  paths,
  vocabularyOf,
} from '../request/requestFields.ts';
import { normalizeLanguage } from '../request/languages.ts';
import { valuePlace } from '../request/requestFile.ts';
import { readTerms, type Term } from '../request/vocabularyTerms.ts';
import { findRepetitions } from './repetitions.ts';
import { turnOff } from './switches.ts';
import type { Hit, Rule } from '../request/finding.ts';

/** Contract 8. */
const recommended = { min: 0.4, max: 0.6 } as const;

const nothingToReplace: Rule = {
  code: 'vocabulary/nothing-to-replace',
  severity: 'warning',
  source: 'contract 2.4, rule 5',
  explain: () => t('custom_vocabulary is on and the vocabulary is empty.'),
  *check({ body }) {
    if (booleanIn(body, 'custom_vocabulary') !== true || vocabularyOf(body)?.length !== 0) return;
    yield {
      message: t('The vocabulary is empty, so custom_vocabulary has no effect.'),
      place: valuePlace(...paths.vocabulary),
      fixes: [turnOff(body, 'custom_vocabulary')],
    };
  },
};

const emptyTerm: Rule = {
  code: 'vocabulary/empty-term',
  severity: 'warning',
  source: 'request',
  explain: () => t('Empty vocabulary terms do nothing.'),
  *check({ body }) {
    for (const { index, entry, text } of readTerms(body)) {
      if (text !== '') continue;
      const path = [...paths.vocabulary, index];
      yield {
        message: t('The term is empty.'),
        place: valuePlace(...path, ...(typeof entry === 'string' ? [] : ['value'])),
        // The entry may contain the term under an unknown name.
        fixes: [{ title: t('Remove the empty term'), changes: [{ type: 'remove', path }], safe: isNothingElse(entry) }],
      };
    }
  },
};

const duplicateTerm: Rule = {
  code: 'vocabulary/duplicate-term',
  severity: 'warning',
  source: 'request',
  explain: () => t('Duplicate terms for the same language have no effect, or contradict each other.'),
  *check({ body }) {
    const multilingual = isMultilingual(body);
    for (const { element, first } of findRepetitions(readTerms(body), ({ key }) => key)) {
      yield aboutRepetition(element, first, multilingual && element.language === undefined);
    }
  },
};

const intensityRange: Rule = {
  code: 'vocabulary/intensity-range',
  severity: 'info',
  source: 'contract 8',
  explain: () => t('An intensity between 0.4 and 0.6 is recommended.'),
  *check({ body }) {
    const config = objectIn(body, 'custom_vocabulary_config');
    yield* aboutIntensity(numberIn(config, 'default_intensity'), ['custom_vocabulary_config', 'default_intensity']);
    for (const { index, intensity } of readTerms(body)) {
      if (!isRecommended(intensity)) yield* aboutIntensity(intensity, [...paths.vocabulary, index, 'intensity']);
    }
  },
};

const languageNotExpected: Rule = {
  code: 'vocabulary/language-not-expected',
  severity: 'info',
  source: 'contract 2.4, rule 7',
  explain: () => t("The term's language isn't in languages: one of the two may be a mistake."),
  *check({ body }) {
    const terms = readTerms(body);
    const expected = terms.some(({ language }) => language !== undefined) ? expectedLanguages(body) : undefined;
    if (!expected || expected.size === 0) return;
    for (const { index, language } of terms) {
      if (language === undefined || expected.has(normalizeLanguage(language))) continue;
      yield {
        message: t('"{0}" is not among the expected languages.', language),
        place: valuePlace(...paths.vocabulary, index, 'language'),
        related: [{ place: valuePlace(...paths.languages), message: t('The expected languages') }],
      };
    }
  },
};

const languagePerPronunciation: Rule = {
  code: 'vocabulary/language-per-pronunciation',
  severity: 'hint',
  source: 'contract 2.4, rule 7',
  explain: () =>
    t(
      'When the audio is multilingual and a term is pronounced differently per language, each pronunciation needs an entry with its language.',
    ),
  *check({ body }) {
    if (!isMultilingual(body)) return;
    for (const { index, language, pronunciations } of readTerms(body)) {
      if (language !== undefined || pronunciations < 2) continue;
      yield {
        message: t('Pronounced differently per language? Add an entry with "language" for each.'),
        place: valuePlace(...paths.vocabulary, index, 'pronunciations'),
      };
    }
  },
};

export const vocabularyRules: readonly Rule[] = [
  nothingToReplace,
  emptyTerm,
  duplicateTerm,
  intensityRange,
  languageNotExpected,
  languagePerPronunciation,
];

function aboutRepetition({ index, entry, text = '' }: Term, first: Term, languageHelps: boolean): Hit {
  const path = [...paths.vocabulary, index];
  const same =
    entry === first.entry || (isJsonObject(entry) && isJsonObject(first.entry) && isSame(entry, first.entry));
  return {
    message: languageHelps
      ? t(
          '"{0}" is already in the list. If it is pronounced differently per language, set "language" on each entry.',
          text,
        )
      : t('"{0}" is already in the list.', text),
    place: valuePlace(...path),
    related: [{ place: valuePlace(...paths.vocabulary, first.index), message: t('Listed here') }],
    // The user must decide which of the two to keep.
    ...((same || typeof entry === 'string') && {
      fixes: [{ title: t('Remove this "{0}"', text), changes: [{ type: 'remove', path }], safe: same }],
    }),
  };
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return writtenOf(one).text === writtenOf(other).text;
}

/** Remembered, because a long entry may be repeated five hundred times. */
const writtenOf = rememberPerObject((entry: JsonObject) => ({ text: JSON.stringify(entry) }));

function isNothingElse(entry: unknown): boolean {
  return !isJsonObject(entry) || Object.keys(entry).every((name) => name === 'value');
}

function isRecommended(intensity: number | undefined): boolean {
  return intensity === undefined || (intensity >= recommended.min && intensity <= recommended.max);
}

function* aboutIntensity(intensity: number | undefined, path: JsonPath): Generator<Hit, void, undefined> {
  if (intensity === undefined || isRecommended(intensity)) return;
  const nearest = intensity < recommended.min ? recommended.min : recommended.max;
  yield {
    message: t('An intensity between 0.4 and 0.6 is recommended.'),
    place: valuePlace(...path),
    fixes: [{ title: t('Change to {0}', nearest), changes: [{ type: 'replace', path, value: nearest }], safe: false }],
  };
}
