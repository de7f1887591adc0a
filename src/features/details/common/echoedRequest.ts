import { t } from '@vscode/l10n';
import { findServiceKnowledge } from '../../../known/serviceKnowledge.ts';
import { describeEffect } from '../../../language/effect.ts';
import { parseJson } from '../../../base/json/json.ts';
import { readMembers } from '../../../base/json/jsonText.ts';
import { buildPart, missing, type ItemObject } from './buildFieldRow.ts';
import type { ViewGroup, ViewRow, ViewPart, ViewValue } from './jobView.ts';

/** Request settings by purpose: a switch and its settings. */
const purposes: readonly (readonly [id: string, title: () => string, names: readonly string[]])[] = [
  ['audio', () => t('Audio'), ['audio_url', 'model']],
  ['languages', () => t('Language'), ['language_config']],
  ['speakers', () => t('Speakers'), ['diarization', 'diarization_config']],
  [
    'vocabulary',
    () => t('Vocabulary'),
    ['custom_vocabulary', 'custom_vocabulary_config', 'custom_spelling', 'custom_spelling_config'],
  ],
  ['subtitles', () => t('Subtitles'), ['subtitles', 'subtitles_config']],
  ['translation', () => t('Translation'), ['translation', 'translation_config']],
  ['callback', () => t('Callback'), ['callback', 'callback_config', 'callback_url']],
];

/**
 * Returns the request that a service echoes on a pre-recorded job, grouped by purpose, with descriptions. Every field present has a row,
 * including unknown fields.
 */
export function buildEchoedRequest(params: ItemObject): readonly ViewPart[] {
  const groups = groupEchoedRequest(params).filter(({ rows }) => rows.length > 0);
  const remarks = describeEffect(params.value, findServiceKnowledge(), params.text).map(({ text }) => text);
  return [{ ...buildPart('parameters', '', []), groups, remarks }];
}

/** Returns the rows of an echoed request by purpose. Every request gives the same groups in the same order, some of them empty. */
export function groupEchoedRequest(params: ItemObject): readonly ViewGroup[] {
  const members = new Map(readMembers(params.text).map(({ key, text }) => [key, text]));
  const take = (id: string, title: string, names: readonly string[]): ViewGroup => {
    const rows = names.flatMap((name) => {
      const json = members.get(name);
      return members.delete(name) && json !== undefined ? rowsOf(name, json) : [];
    });
    return { id, title, rows };
  };
  if (members.size > maxNames) {
    const whole = rowOf('request_params', params.text);
    return [
      ...purposes.map(([id, title]) => ({ id, title: title(), rows: [] })),
      { id: 'more', title: t('More output'), rows: [whole] },
    ];
  }
  const known = purposes.map(([id, title, names]) => take(id, title(), names));
  return [...known, take('more', t('More output'), [...members.keys()])];
}

/** Requests have some fifty settings. A request with more names than this is shown as received. */
const maxNames = 500;

/** Returns a row for a setting, or one for each member of a settings object. */
function rowsOf(name: string, json: string): readonly ViewRow[] {
  const members = name.endsWith('_config') && json.startsWith('{') ? readMembers(json) : [];
  if (members.length > 0) return members.map(({ key, text }) => rowOf(`${name}.${key}`, text));
  return [rowOf(name, json)];
}

function rowOf(id: string, json: string): ViewRow {
  return { id, label: id, named: true, remark: remarkOn(id), action: undefined, value: shownValue(json) };
}

/** Describes the replacement of a name that a public service has renamed. */
function remarkOn(id: string): string | undefined {
  const { kind, successor } = findServiceKnowledge()?.service.renamed.get(id) ?? {};
  if (kind !== 'legacy' && kind !== 'deprecated') return undefined;
  return successor === undefined ? t('Old name') : t('Old name, now {0}', successor);
}

function shownValue(json: string): ViewValue {
  const value = parseJson(json);
  if (typeof value === 'boolean') return { type: 'switch', on: value };
  if (typeof value === 'string') return { type: 'text', text: value, verbatim: true };
  return value === null ? missing : { type: 'json', json };
}
