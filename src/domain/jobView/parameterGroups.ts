import { t } from '@vscode/l10n';
import type { Format } from './itemField.ts';
import type { Formats } from './formats.ts';
import { messageCategories } from './messageCategories.ts';

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

/** The parameters of contract 2.3 by purpose, the message switches and the callback left out. */
export function parameterGroups(show: Formats): readonly ParameterGroup[] {
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
          label: t('Longest without endpointing'),
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

/** Where the callback goes (contract 2.3). */
export function callbackParameters(show: Formats): readonly Parameter[] {
  return [
    { path: 'callback', label: t('Callback'), format: show.onOff },
    { path: 'callback_config.url', label: t('Callback URL'), format: show.word },
  ];
}

/** The nine switches of one set (contract 6). */
export function messageParameters(set: 'messages_config' | 'callback_config', show: Formats): readonly Parameter[] {
  return messageCategories().map(({ name, title }) => ({ path: `${set}.${name}`, label: title, format: show.onOff }));
}
