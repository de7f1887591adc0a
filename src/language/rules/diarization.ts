import { t } from '@vscode/l10n';
import type { JsonObject } from '../../base/json/json.ts';
import type { Change, Rule } from '../request/finding.ts';
import { valuePlace, type Place } from '../request/requestFile.ts';
import { booleanIn, integerIn, objectIn } from '../request/requestFields.ts';

/** Contradictory speaker hints, which no number of speakers satisfies. Consistent hints may be sent together (contract 2.4). */
export const speakerContradiction: Rule = {
  code: 'diarization/contradiction',
  severity: 'warning',
  source: 'request',
  explain: () => t('No number of speakers fits these contradictory hints.'),
  *check({ body }) {
    const { min, max, exact } = speakerHints(body);
    if (min !== undefined && max !== undefined && min > max) {
      yield {
        message: t('min_speakers ({0}) is greater than max_speakers ({1}).', min, max),
        place: hintPlace('min_speakers'),
        related: [{ place: hintPlace('max_speakers'), message: t('The upper bound') }],
        fixes: [
          {
            title: t('Swap the bounds'),
            changes: [
              { type: 'replace', path: hintPath('min_speakers'), value: max },
              { type: 'replace', path: hintPath('max_speakers'), value: min },
            ],
            safe: false,
            isChoice: true,
          },
        ],
      };
    }
    if (exact === undefined) return;
    const below = min !== undefined && exact < min;
    if (!below && !(max !== undefined && exact > max)) return;
    yield {
      message: t('{0} is outside min_speakers and max_speakers.', exact),
      place: hintPlace('number_of_speakers'),
      related: [{ place: hintPlace(below ? 'min_speakers' : 'max_speakers'), message: t('This bound') }],
      fixes: [
        { title: t('Keep the exact number'), changes: withoutBounds(body), safe: false, isChoice: true },
        {
          title: t('Keep the bounds'),
          changes: [{ type: 'remove', path: hintPath('number_of_speakers') }],
          safe: false,
          isChoice: true,
        },
      ],
    };
  },
};

export const impossibleCount: Rule = {
  code: 'diarization/impossible-count',
  severity: 'warning',
  source: 'request',
  explain: () => t('At least one speaker is needed.'),
  *check({ body }) {
    const config = objectIn(body, 'diarization_config');
    for (const [name, min] of [
      ['min_speakers', 0],
      ['max_speakers', 1],
      ['number_of_speakers', 1],
    ] as const) {
      const count = integerIn(config, name);
      if (count === undefined || count >= min) continue;
      yield {
        message: t("The number of speakers can't be {0}.", count),
        place: hintPlace(name),
        fixes: [{ title: t('Remove {0}', name), changes: [{ type: 'remove', path: hintPath(name) }], safe: false }],
      };
    }
  },
};

const oneSpeaker: Rule = {
  code: 'diarization/one-speaker',
  severity: 'info',
  source: 'request',
  explain: () => t('With one speaker, diarization has no effect.'),
  *check({ body }) {
    const { max, exact } = speakerHints(body);
    if (booleanIn(body, 'diarization') !== true || (exact ?? max) !== 1) return;
    yield {
      message: t('Diarization is unnecessary with one speaker.'),
      place: hintPlace(exact === undefined ? 'max_speakers' : 'number_of_speakers'),
    };
  },
};

export const diarizationRules: readonly Rule[] = [speakerContradiction, impossibleCount, oneSpeaker];

type SpeakerHint = 'min_speakers' | 'max_speakers' | 'number_of_speakers';

function speakerHints(body: JsonObject) {
  const config = objectIn(body, 'diarization_config');
  return {
    min: integerIn(config, 'min_speakers'),
    max: integerIn(config, 'max_speakers'),
    exact: integerIn(config, 'number_of_speakers'),
  };
}

function hintPath(name: SpeakerHint): readonly string[] {
  return ['diarization_config', name];
}

function hintPlace(name: SpeakerHint): Place {
  return valuePlace(...hintPath(name));
}

function withoutBounds(body: JsonObject): readonly Change[] {
  const config = objectIn(body, 'diarization_config');
  return (
    (['min_speakers', 'max_speakers'] as const)
      // The schema reports hints of a wrong type.
      .filter((name) => integerIn(config, name) !== undefined)
      .map((name) => ({ type: 'remove', path: hintPath(name) }))
  );
}
