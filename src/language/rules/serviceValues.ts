import { t } from '@vscode/l10n';
import type { JsonObject, JsonPath } from '../../base/json/json.ts';
import { findMeantValue, plainText } from '../request/closedSets.ts';
import { suggestLanguage } from '../request/languages.ts';
import type { Fix, Hit, Rule } from '../request/finding.ts';
import { findViolations, severalIn, type Violation } from '../request/knownViolations.ts';
import type { KnownService, ModelLimits } from '../../known/knownService.ts';
import type { ServiceKnowledge } from '../../known/serviceKnowledge.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';
import {
  arrayIn,
  booleanIn,
  elementsOf,
  isBlankValue,
  languagesOf,
  memberOf,
  numberIn,
  objectIn,
  paths,
  stringIn,
  switchesLanguages,
} from '../request/requestFields.ts';
import { namePlace, valuePlace } from '../request/requestFile.ts';
import { completeAddress, httpUrl, isPrivateHost } from './audioUrl.ts';
import { nameService, describeKnown } from './serviceNames.ts';
import { addTargetLanguage, turnOff } from './switches.ts';

const missing: Rule = {
  code: 'service/missing',
  severity: 'warning',
  source: 'service',
  aboutAbsence: true,
  explain: () => t('A setting that the service requires when a switch is on.'),
  check: ({ body }, { knowledge }) => (knowledge?.isApplied === true ? aboutMissing(body, knowledge) : []),
};

const range = aboutViolations({
  code: 'service/range',
  severity: 'warning',
  source: 'service',
  explain: () => t('A number outside the range that the service accepts.'),
  kind: 'range',
  describe: ({ path, facts: { min, max }, value }, who) => {
    const nearest = isPercentage(Number(value), max)
      ? Number(value) / 100
      : Number(value) < (min ?? -Infinity)
        ? min
        : max;
    return {
      message: rangeMessage(String(path.at(-1)), min, max, who),
      place: valuePlace(...path),
      ...(nearest !== undefined && { fixes: [changeTo(path, nearest)] }),
    };
  },
});

const value = aboutViolations({
  code: 'service/value',
  severity: 'warning',
  source: 'service',
  explain: () => t("A value that the service doesn't know for this field."),
  kind: 'value',
  describe: ({ path, facts, value: written }, who) => {
    const values = facts.values ?? [];
    const meant = facts.synonyms?.get(plainText(String(written))) ?? findMeantValue(String(written), values);
    const known = values.length > 8 ? '' : values.join(', ');
    return {
      message:
        known === ''
          ? t('{0} doesn\'t know "{1}" here.', who, String(written))
          : t('{0} doesn\'t know "{1}" here; use {2}.', who, String(written), known),
      place: valuePlace(...path),
      fixes: [meant === undefined ? removal(path) : changeTo(path, meant)],
    };
  },
});

const several = aboutViolations({
  code: 'service/several-in-one',
  severity: 'warning',
  source: 'service',
  explain: () => t('Several values in one string. Make each a separate string.'),
  kind: 'several',
  describe: ({ path, facts, value: written }) => {
    const parts = severalIn(String(written), facts);
    const fix: Fix = {
      title: t('Split into {0}', parts.length),
      changes: [{ type: 'expand', path, values: parts }],
      safe: false,
    };
    return {
      message: t('"{0}" is treated as one value. Make each a separate string.', String(written)),
      place: valuePlace(...path),
      ...(typeof path.at(-1) === 'number' && { fixes: [fix] }),
    };
  },
});

const languageCode: Rule = {
  code: 'service/language-code',
  severity: 'warning',
  source: 'service',
  explain: () => t("A language code that the service doesn't support."),
  *check({ body }, { knowledge }) {
    // Otherwise `languages/unfamiliar-code` reports it.
    if (knowledge?.isApplied !== true) return;
    for (const { kind, path, value: code } of findViolations(body, knowledge.service)) {
      if (kind !== 'code') continue;
      const meant = suggestLanguage(String(code));
      const isListed =
        meant !== undefined && typeof path.at(-1) === 'number' && elementsOf(siblingsOf(body, path)).has(meant);
      yield {
        message:
          meant === undefined
            ? t('{0} has no language "{1}".', knowledge.service.name, String(code))
            : t('{0} has no language "{1}", only "{2}".', knowledge.service.name, String(code), meant),
        place: valuePlace(...path),
        // Without the entry, the language may be detected, or there may be no translation.
        fixes: [
          meant === undefined || isListed
            ? { ...removal(path), isChoice: !isListed && !standsForDetection(String(code)) }
            : changeTo(path, meant),
        ],
      };
    }
  },
};

const order: Rule = {
  code: 'service/order',
  severity: 'warning',
  source: 'service',
  explain: () => t('A minimum above its maximum.'),
  *check({ body }, { knowledge }) {
    for (const { config, min, max } of knowledge?.service.ordered ?? []) {
      const [low, high] = [numberIn(objectIn(body, config), min), numberIn(objectIn(body, config), max)];
      if (low === undefined || high === undefined || low <= high || !knowledge) continue;
      yield describeKnown(
        {
          message: t('{0} ({1}) is above {2} ({3}).', min, low, max, high),
          place: valuePlace(config, min),
          related: [{ place: valuePlace(config, max), message: t('The maximum') }],
          fixes: [
            {
              title: t('Swap them'),
              changes: [
                { type: 'replace', path: [config, min], value: high },
                { type: 'replace', path: [config, max], value: low },
              ],
              safe: false,
            },
          ],
        },
        knowledge,
      );
    }
  },
};

const modelLanguages: Rule = {
  code: 'service/model-languages',
  severity: 'warning',
  source: 'service',
  explain: () => t("Languages, or a number of languages, that the selected model doesn't support."),
  *check({ body }, { knowledge }) {
    const limits = knowledge?.service.models.find(({ model }) => model === stringIn(body, 'model'));
    if (!limits || !knowledge) return;
    for (const hit of aboutModel(body, limits, knowledge.service.name)) yield describeKnown(hit, knowledge);
  },
};

const tooLong = aboutViolations({
  code: 'service/too-long',
  severity: 'warning',
  source: 'service',
  explain: () => t('More metadata than the service accepts.'),
  kind: 'length',
  describe: ({ path, facts: { maxCharacters }, value: written }, who) => ({
    message: t(
      '{0} accepts {1} characters of {2}, not {3}.',
      who,
      maxCharacters ?? 0,
      path.join('.'),
      JSON.stringify(written).length,
    ),
    place: namePlace(...path),
  }),
});

const callback = aboutViolations({
  code: 'service/callback-address',
  severity: 'warning',
  source: 'service',
  explain: () => t("An address that the service can't call, or calls without encryption."),
  kind: 'called',
  describe: ({ path, value: written }, who) => {
    const text = String(written).trim();
    const place = valuePlace(...path);
    // `service/missing` reports it.
    if (text === '') return undefined;
    const url = httpUrl(text);
    if (!url) {
      const completed = completeAddress(text);
      return {
        message: t('{0} only calls http and https addresses.', who),
        place,
        ...(completed !== undefined && { fixes: [changeTo(path, completed)] }),
      };
    }
    if (text !== written) {
      return { message: t('There are spaces around the address.'), place, fixes: [changeTo(path, text)] };
    }
    if (isPrivateHost(url.hostname))
      return { message: t('{0} probably can\'t call "{1}": it is local or private.', who, url.hostname), place };
    if (url.protocol === 'https:') return undefined;
    return {
      message: t('The result would be sent without encryption.'),
      place,
      severity: 'info',
      fixes: [changeTo(path, text.replace(/^http:/iu, 'https:'))],
    };
  },
});

const unusedContext: Rule = {
  code: 'service/unused-context',
  severity: 'info',
  source: 'service',
  explain: () => t('The context of a translation serves its adaptation, which is off.'),
  *check({ body }, { knowledge }) {
    const config = objectIn(body, 'translation_config');
    if (!knowledge || isBlankValue(stringIn(config, 'context')) || booleanIn(config, 'context_adaptation') !== false)
      return;
    const hit = {
      message: t('{0} uses {1} only if {2} is on.', nameService(knowledge), 'context', 'context_adaptation'),
      place: namePlace('translation_config', 'context'),
      related: [{ place: valuePlace('translation_config', 'context_adaptation'), message: t('Turned off here') }],
    };
    yield describeKnown(hit, knowledge);
  },
};

export const serviceValueRules: readonly Rule[] = [
  missing,
  range,
  value,
  several,
  languageCode,
  order,
  modelLanguages,
  tooLong,
  callback,
  unusedContext,
];

/** Creates a rule about one kind of violation. @param describe returns undefined for no finding */
function aboutViolations({
  kind,
  describe,
  ...rule
}: Omit<Rule, 'check'> & {
  readonly kind: Violation['kind'];
  readonly describe: (violation: Violation, who: string) => Hit | undefined;
}): Rule {
  return {
    ...rule,
    *check({ body }, { knowledge }) {
      if (!knowledge) return;
      for (const violation of findViolations(body, knowledge.service)) {
        const hit = violation.kind === kind ? describe(violation, nameService(knowledge)) : undefined;
        if (hit) yield describeKnown(hit, knowledge);
      }
    },
  };
}

/** Returns the settings that a service requires with a switch. */
const requirementsOf = rememberPerObject(({ fields }: KnownService) =>
  [...fields.keys()]
    .filter((dotted) => fields.get(dotted)?.isRequired)
    .map((dotted) => {
      const [config = '', name = ''] = dotted.split('.');
      return { dotted, config, name, on: config.replace(/_config$/u, '') };
    }),
);

function* aboutMissing(body: JsonObject, { service }: ServiceKnowledge): Generator<Hit, void, undefined> {
  for (const { dotted, config, name, on } of requirementsOf(service)) {
    if (booleanIn(body, on) !== true) continue;
    const settings = memberOf(body, config);
    const setting = objectIn(body, config) && memberOf(objectIn(body, config), name);
    if (settings === null || setting === null || !isBlankValue(setting)) continue;
    yield {
      message: t('{0} requires {2} with {1}.', service.name, on, dotted),
      place: setting !== undefined ? valuePlace(config, name) : namePlace(settings === undefined ? on : config),
      fixes: [...(dotted === targetLanguages ? [addTargetLanguage(body)] : []), turnOff(body, on)],
    };
  }
}

const targetLanguages = paths.targetLanguages.join('.');

function* aboutModel(
  body: JsonObject,
  { model, languages, maxLanguages, switchesLanguages: switches }: ModelLimits,
  service: string,
): Generator<Hit, void, undefined> {
  const codes = languagesOf(body);
  for (const [index, code] of codes.entries()) {
    if (typeof code !== 'string' || languages.includes(code)) continue;
    yield {
      message: t('{0} doesn\'t transcribe "{1}", only {2}.', model, code, languages.join(', ')),
      place: valuePlace(...paths.languages, index),
      fixes: [{ ...removal(['model']), isChoice: true }],
    };
  }
  if (codes.length > maxLanguages) {
    // Newer documents differ from older ones.
    yield {
      severity: 'info',
      message: t('Documents of {0} differ on whether {1} takes more than one language.', service, model),
      place: namePlace(...paths.languages),
      fixes: [{ ...removal(['model']), isChoice: true }],
    };
  }
  if (!switches && switchesLanguages(body)) {
    yield {
      message: t("{0} doesn't switch between languages.", model),
      place: namePlace(...paths.codeSwitching),
      fixes: [{ ...removal(paths.codeSwitching), isChoice: true }],
    };
  }
}

/** True if a fraction of one was written as a percentage. */
function isPercentage(value: number, max: number | undefined): boolean {
  return max === 1 && value > 1 && value <= 100 && Number.isInteger(value);
}

function rangeMessage(name: string, min: number | undefined, max: number | undefined, who: string): string {
  if (max === undefined) return t('{0} accepts {1} from {2}.', who, name, min ?? '');
  if (min === undefined) return t('{0} accepts {1} up to {2}.', who, name, max);
  return t('{0} accepts {1} from {2} to {3}.', who, name, min, max);
}

function changeTo(path: JsonPath, to: string | number): Fix {
  const title = typeof to === 'string' ? t('Change to "{0}"', to) : t('Change to {0}', to);
  return { title, changes: [{ type: 'replace', path, value: to }], safe: false };
}

/** True if an entry stands for an omitted one, as in other interfaces. */
function standsForDetection(code: string): boolean {
  return /^\s*(?:auto|detect|default)?\s*$/iu.test(code.slice(0, 20)) && code.length < 20;
}

function removal(path: JsonPath): Fix {
  const last = path.at(-1);
  return {
    title: typeof last === 'string' ? t('Remove {0}', last) : t('Remove this entry'),
    changes: [{ type: 'remove', path }],
    safe: false,
  };
}

/** Returns the list that contains an element. */
function siblingsOf(body: JsonObject, path: JsonPath): readonly unknown[] {
  const [config = '', name = ''] = path.map(String);
  return arrayIn(objectIn(body, config), name) ?? [];
}
