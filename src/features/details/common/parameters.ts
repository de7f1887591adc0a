import { t } from '@vscode/l10n';
import { type Format, type Formats, buildFieldRow, valueAt, type ItemObject, buildPart } from './buildFieldRow.ts';
import type { ViewGroup, ViewRow, ViewPart, SwitchTable } from './jobView.ts';
import { type MessageSwitch, messageSwitches } from '../../../jobs/common/decodeJob.ts';
import type { JsonObject } from '../../../base/json/json.ts';

/**
 * Builds the parts for a job's parameters, by group, and of its message switches (contract 2.3, 6).
 * @param params `request_params` of the job.
 * @param complete true to show every parameter of the contract, absent ones as a dash: for live jobs. Otherwise shows only those present:
 * for pre-recorded jobs of services that echo parameters.
 */
export function buildParameterParts(params: ItemObject, complete: boolean, show: Formats): readonly ViewPart[] {
  const rowsOf = (parameters: readonly Parameter[]): readonly ViewRow[] =>
    parameters
      .filter(({ path }) => complete || valueAt(params.value, path) !== undefined)
      .map(({ path, label, format }) => buildFieldRow(params, path, label, format));
  const groups: readonly ViewGroup[] = listParameterGroups(show)
    .map(({ id, title, parameters }) => ({ id, title, rows: rowsOf(parameters) }))
    .filter(({ rows }) => rows.length > 0);
  const callback = rowsOf(listCallbackParameters(show));
  const switches = buildMessageTable(params, complete, show);
  const parts: ViewPart[] = [];
  if (groups.length > 0) {
    parts.push({
      ...buildPart('parameters', t('Parameters'), []),
      groups,
      notes: findLanguageNotes(params.value),
    });
  }
  if (callback.length > 0 || switches !== undefined) {
    const plain = buildPart('messages', t('Messages and callback'), callback);
    parts.push({ ...plain, switches, notes: findMessageNotes(params.value) });
  }
  return parts;
}

/** One parameter of contract 2.3 and how it is shown. */
export interface Parameter {
  /** Dotted path in `request_params`. */
  readonly path: string;
  readonly label: string;
  readonly format: Format;
}

export interface ParameterGroup {
  readonly id: string;
  readonly title: string;
  readonly parameters: readonly Parameter[];
}

/** Lists the parameters of contract 2.3 by purpose, without message switches and callback. */
export function listParameterGroups(show: Formats): readonly ParameterGroup[] {
  return [
    {
      id: 'audio',
      title: t('Audio'),
      parameters: [
        { path: 'encoding', label: t('Encoding'), format: show.word },
        { path: 'bit_depth', label: t('Bit depth'), format: show.bits },
        { path: 'sample_rate', label: t('Sample rate'), format: show.hertz },
        { path: 'channels', label: t('Channels'), format: show.number },
      ],
    },
    {
      id: 'recognition',
      title: t('Recognition'),
      parameters: [
        { path: 'model', label: t('Model'), format: show.word },
        { path: 'endpointing', label: t('Endpointing'), format: show.seconds },
        {
          path: 'maximum_duration_without_endpointing',
          label: t('Max. time without endpoint'),
          format: show.seconds,
        },
      ],
    },
    {
      id: 'language',
      title: t('Language'),
      parameters: [
        { path: 'language_config.languages', label: t('Languages'), format: show.languages },
        { path: 'language_config.code_switching', label: t('Code switching'), format: show.onOff },
      ],
    },
    {
      id: 'preProcessing',
      title: t('Pre-processing'),
      parameters: [
        { path: 'pre_processing.audio_enhancer', label: t('Audio enhancer'), format: show.onOff },
        { path: 'pre_processing.speech_threshold', label: t('Speech threshold'), format: show.number },
      ],
    },
    {
      id: 'realTime',
      title: t('Real time'),
      parameters: [
        { path: 'realtime_processing.custom_vocabulary', label: t('Custom vocabulary'), format: show.onOff },
        { path: 'realtime_processing.custom_spelling', label: t('Custom spelling'), format: show.onOff },
        { path: 'realtime_processing.translation', label: t('Translation'), format: show.onOff },
        {
          path: 'realtime_processing.named_entity_recognition',
          label: t('Named entity recognition'),
          format: show.onOff,
        },
        { path: 'realtime_processing.sentiment_analysis', label: t('Sentiment analysis'), format: show.onOff },
      ],
    },
    {
      id: 'postProcessing',
      title: t('Post-processing'),
      parameters: [
        { path: 'post_processing.summarization', label: t('Summarization'), format: show.onOff },
        { path: 'post_processing.summarization_config.type', label: t('Summary type'), format: show.word },
        { path: 'post_processing.chapterization', label: t('Chapterization'), format: show.onOff },
      ],
    },
  ];
}

/** Lists the settings of the callback (contract 2.3). */
export function listCallbackParameters(show: Formats): readonly Parameter[] {
  return [
    { path: 'callback', label: t('Callback'), format: show.onOff },
    { path: 'callback_config.url', label: t('Callback URL'), format: show.word },
  ];
}

/** The nine switches of one set (contract 6). */
export function listMessageParameters(set: 'messages_config' | 'callback_config', show: Formats): readonly Parameter[] {
  return listMessageCategories().map(({ name, title }) => ({
    path: `${set}.${name}`,
    label: title,
    format: show.onOff,
  }));
}

/** Builds the table of the two sets of nine switches (contract 6); undefined if both are absent and `complete` is false. */
function buildMessageTable(params: ItemObject, complete: boolean, show: Formats): SwitchTable | undefined {
  const present = ['messages_config', 'callback_config'].some((set) =>
    listMessageCategories().some(({ name }) => valueAt(params.value, `${set}.${name}`) !== undefined),
  );
  if (!complete && !present) return undefined;
  return {
    columns: { category: t('Category'), messages: t('Messages'), callback: t('Callback') },
    rows: listMessageCategories().map(({ name, title }) => ({
      id: name,
      category: title,
      messages: buildFieldRow(params, `messages_config.${name}`, title, show.onOff).value,
      callback: buildFieldRow(params, `callback_config.${name}`, title, show.onOff).value,
      hint: name === 'receive_partial_transcripts' ? findCaptionHint(params.value) : undefined,
    })),
  };
}

/** Describes what is missing for live captions (contract 6); undefined unless both sets switch partial transcripts off. */
function findCaptionHint(params: JsonObject): string | undefined {
  const sets = ['messages_config', 'callback_config'].map((set) =>
    valueAt(params, `${set}.receive_partial_transcripts`),
  );
  return sets.every((each) => each === false)
    ? t("Off for both, so captions can't follow speech in real time.")
    : undefined;
}

/** One of the nine switches and the message category that it selects. */
interface MessageCategory {
  /** Name in the service's JSON. */
  readonly name: string;
  readonly title: string;
}

/** Lists the message category that each of the nine switches selects (contract 6). */
function listMessageCategories(): readonly MessageCategory[] {
  const titles: Readonly<Record<MessageSwitch, string>> = {
    receive_partial_transcripts: t('Partial transcripts'),
    receive_final_transcripts: t('Final transcripts'),
    receive_speech_events: t('Speech events'),
    receive_pre_processing_events: t('Pre-processing events'),
    receive_realtime_processing_events: t('Real-time processing events'),
    receive_post_processing_events: t('Post-processing events'),
    receive_acknowledgments: t('Acknowledgments'),
    receive_errors: t('Errors'),
    receive_lifecycle_events: t('Lifecycle events'),
  };
  return Object.entries(titles).map(([name, title]) => ({ name, title }));
}

/** Describes a contradiction between parameters. `id` identifies the note within its job. */
export interface Note {
  readonly id: string;
  readonly text: string;
}

/** Finds language settings that have no effect or are discouraged (contract 2.4, rules 3 and 4). */
export function findLanguageNotes(params: JsonObject): readonly Note[] {
  const languages = valueAt(params, 'language_config.languages');
  if (valueAt(params, 'language_config.code_switching') !== true || !Array.isArray(languages)) return [];
  if (languages.length === 1) {
    return [{ id: 'codeSwitchingMoot', text: t('Code switching is ignored because only one language is set.') }];
  }
  if (languages.length === 0) {
    return [
      {
        id: 'codeSwitchingAny',
        text: t('Code switching is on without languages: with more than 100 to choose from, some are misdetected.'),
      },
    ];
  }
  return [];
}

/** Finds message and callback settings that contradict each other (contract 2.3, 6). */
export function findMessageNotes(params: JsonObject): readonly Note[] {
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
          ? t('The callback is off, so the option that is on for it has no effect.')
          : t('The callback is off, so the {0} options that are on for it have no effect.', on),
    });
  }
  return notes;
}
