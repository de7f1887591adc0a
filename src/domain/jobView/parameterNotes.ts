import { t } from '@vscode/l10n';
import { messageSwitches } from '../jobShape.ts';
import type { JsonObject } from '../json.ts';
import { valueAt } from './itemField.ts';

/** What parameters say against each other, in words. `id` tells the notes of one job apart. */
export interface Note {
  readonly id: string;
  readonly text: string;
}

/** Language settings that have no effect or are advised against (contract 2.4, rules 3 and 4). */
export function languageNotes(params: JsonObject): readonly Note[] {
  const languages = valueAt(params, 'language_config.languages');
  if (valueAt(params, 'language_config.code_switching') !== true || !Array.isArray(languages)) return [];
  if (languages.length === 1) {
    return [
      { id: 'codeSwitchingMoot', text: t('Code switching is on but ignored, because only one language is given.') },
    ];
  }
  if (languages.length === 0) {
    return [
      {
        id: 'codeSwitchingAny',
        text: t(
          'Code switching is on without any language: with more than 100 to choose from, some are detected wrongly.',
        ),
      },
    ];
  }
  return [];
}

/** Message and callback settings that contradict each other (contract 2.3, 6). */
export function messageNotes(params: JsonObject): readonly Note[] {
  const notes: Note[] = [];
  const callback = valueAt(params, 'callback');
  const url = valueAt(params, 'callback_config.url');
  if (callback === true && (typeof url !== 'string' || url.trim() === '')) {
    notes.push({ id: 'callbackWithoutUrl', text: t('The callback is on but has no URL.') });
  }
  const on = Object.keys(messageSwitches).filter((name) => valueAt(params, `callback_config.${name}`) === true).length;
  if (callback === false && on > 0) {
    notes.push({
      id: 'callbackSwitchesMoot',
      text:
        on === 1
          ? t('The callback is off, so the switch that is on for it has no effect.')
          : t('The callback is off, so the {0} switches that are on for it have no effect.', on),
    });
  }
  const partial = ['messages_config', 'callback_config'].map((set) =>
    valueAt(params, `${set}.receive_partial_transcripts`),
  );
  if (partial.every((each) => each === false)) {
    notes.push({
      id: 'noPartialTranscripts',
      text: t('Partial transcripts are off for both, so captions cannot follow speech in real time.'),
    });
  }
  return notes;
}
