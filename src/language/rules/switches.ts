import { t } from '@vscode/l10n';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json/json.ts';
import type { Change, Fix, Rule } from '../request/finding.ts';
import { namePlace, valuePlace } from '../request/requestFile.ts';
import { booleanIn, expectedLanguages, memberOf, objectIn, paths } from '../request/requestFields.ts';
import { describeKnown, nameService } from './serviceNames.ts';

/** Switches with settings in an object named after the switch. */
const configured = [
  'custom_vocabulary',
  'diarization',
  'subtitles',
  'translation',
  'summarization',
  'custom_spelling',
  'audio_to_llm',
  'pii_redaction',
  'callback',
] as const;

/** Switches without effect unless they have settings, according to one public service. */
const knownToNeedConfig = ['translation', 'custom_spelling', 'audio_to_llm', 'callback'] as const;

const configWithoutSwitch: Rule = {
  code: 'switches/config-without-switch',
  severity: 'warning',
  source: 'contract 2.4, rule 5',
  aboutAbsence: true,
  explain: () =>
    t(
      'Use custom_vocabulary and custom_vocabulary_config together. Others: where a known service leaves the switch off.',
    ),
  *check({ body }, { knowledge }) {
    for (const name of configured) {
      const config = configName(name);
      const on = memberOf(body, name);
      if (!isJsonObject(memberOf(body, config)) || (on !== undefined && on !== false)) continue;
      const isOff = on === false;
      const hit = {
        place: namePlace(config),
        fixes: [turnOn(name, isOff), drop(config, isOff || name !== 'custom_vocabulary')],
      };
      if (isOff) {
        yield {
          ...hit,
          severity: 'hint',
          message: t('{0} is unused: {1} is off.', config, name),
          related: [{ place: valuePlace(name), message: t('Turned off here') }],
        };
      } else if (name === 'custom_vocabulary') {
        yield { ...hit, message: t('{0} is to be sent together with {1}, which is missing.', config, name) };
      } else if (knowledge) {
        const message = t(
          '{0} leaves {1} off if it is missing; {2} is unused then.',
          nameService(knowledge),
          name,
          config,
        );
        yield describeKnown({ ...hit, message }, knowledge);
      } else {
        yield { ...hit, severity: 'hint', message: t('{0} is given, but {1} is missing.', config, name) };
      }
    }
  },
};

const switchWithoutConfig: Rule = {
  code: 'switches/switch-without-config',
  severity: 'warning',
  source: 'contract 2.4, rule 5',
  aboutAbsence: true,
  explain: () => t('Use custom_vocabulary and custom_vocabulary_config together.'),
  *check({ body }) {
    const config = memberOf(body, 'custom_vocabulary_config');
    if (booleanIn(body, 'custom_vocabulary') !== true) return;
    if (config !== undefined && !(isJsonObject(config) && memberOf(config, 'vocabulary') === undefined)) return;
    yield {
      message: t('custom_vocabulary is on, but custom_vocabulary_config has no vocabulary.'),
      place: namePlace('custom_vocabulary'),
      fixes: [addVocabulary(config), turnOff(body, 'custom_vocabulary')],
    };
  },
};

const switchWithoutKnownConfig: Rule = {
  code: 'switches/switch-without-known-config',
  severity: 'info',
  source: 'service',
  aboutAbsence: true,
  explain: () => t('{0} requires settings with this switch. Your service may not.', nameService()),
  *check({ body }, { knowledge }) {
    // Otherwise `service/missing` reports it.
    if (knowledge?.isApplied === true) return;
    const service = nameService(knowledge);
    for (const name of knownToNeedConfig) {
      const config = configName(name);
      if (name === 'translation') {
        const targets = memberOf(objectIn(body, config), 'target_languages');
        const hasNone = targets === undefined || (Array.isArray(targets) && targets.length === 0);
        if (booleanIn(body, name) === true && hasNone) {
          const message = t('No target language is given. {0} requires {1}.', service, `${config}.target_languages`);
          yield { message, place: namePlace(name), fixes: [addTargetLanguage(body)] };
        }
        continue;
      }
      if (booleanIn(body, name) !== true || memberOf(body, config) !== undefined) continue;
      yield { message: t('{0} requires {1} here.', service, config), place: namePlace(name) };
    }
  },
};

export const switchRules: readonly Rule[] = [configWithoutSwitch, switchWithoutConfig, switchWithoutKnownConfig];

function configName(name: string): string {
  return `${name}_config`;
}

/** @param isOff true if the switch is explicitly off */
function turnOn(name: string, isOff: boolean): Fix {
  return {
    title: t('Turn {0} on', name),
    changes: [
      isOff
        ? { type: 'replace', path: [name], value: true }
        : { type: 'insertBefore', path: [configName(name)], name, value: true },
    ],
    safe: false,
    // Add-ons may be billed: only the vocabulary is to be sent with its switch.
    isChoice: isOff || name !== 'custom_vocabulary',
  };
}

/** Adds an empty vocabulary for the user to fill in. */
function addVocabulary(config: JsonValue | undefined): Fix {
  const name = 'custom_vocabulary_config';
  const change: Change =
    config === undefined
      ? { type: 'append', path: [], name, value: { vocabulary: [] } }
      : { type: 'append', path: [name], name: 'vocabulary', value: [] };
  return { title: t('Add {0}', name), changes: [change], safe: false, isChoice: true, fillIn: '[]' };
}

/** Offers to add a target language: English, or Spanish if the audio is in English. The user chooses another by editing it. */
export function addTargetLanguage(body: JsonObject): Fix {
  const code = expectedLanguages(body).has('en') ? 'es' : 'en';
  const config = memberOf(body, 'translation_config');
  const given = memberOf(objectIn(body, 'translation_config'), 'target_languages');
  const changes: Fix['changes'] =
    given !== undefined
      ? [{ type: 'replace', path: paths.targetLanguages, value: [code] }]
      : isJsonObject(config)
        ? [{ type: 'append', path: ['translation_config'], name: 'target_languages', value: [code] }]
        : [{ type: 'append', path: [], name: 'translation_config', value: { target_languages: [code] } }];
  return {
    title: t('Add {0} as an example', `"target_languages": ["${code}"]`),
    changes,
    safe: false,
    isChoice: true,
    fillIn: JSON.stringify(code),
  };
}

/** Turns a switch off and removes its settings, which would have no effect. */
export function turnOff(body: JsonObject, name: string): Fix {
  const config = configName(name);
  return {
    title: t('Turn {0} off', name),
    changes: [
      ...(memberOf(body, config) === undefined ? [] : [{ type: 'remove' as const, path: [config] }]),
      { type: 'replace', path: [name], value: false },
    ],
    safe: false,
    isChoice: true,
  };
}

function drop(name: string, isChoice: boolean): Fix {
  return { title: t('Remove {0}', name), changes: [{ type: 'remove', path: [name] }], safe: false, isChoice };
}
