import { t } from '@vscode/l10n';
import type { JsonObject } from '../../../base/json/json.ts';

/** Template of a new request. */
export interface RequestTemplate {
  readonly id: string;
  /** Localised, like {@link description}. */
  readonly label: string;
  readonly description: string;
  readonly body: JsonObject;
}

/** The text of a new request and the cursor offset: within the quotes of `audio_url`. */
export interface NewRequest {
  readonly text: string;
  readonly cursor: number;
}

/**
 * Lists the templates of `newRequest`. The missing URL must be their only finding.
 * @param isSample true if requests go to the sample service
 */
export function listTemplates(isSample = false): readonly RequestTemplate[] {
  return [
    {
      id: 'minimal',
      label: t('Minimal'),
      description: isSample
        ? t('The language is detected. Sample jobs fail if the URL ends in 404, timeout or partial')
        : t('The language is detected'),
      body: {},
    },
    {
      id: 'meeting',
      label: t('Meeting'),
      description: t('Speakers on one channel, a summary, names'),
      body: {
        diarization: true,
        diarization_config: { min_speakers: 2, max_speakers: 8 },
        summarization: true,
        named_entity_recognition: true,
        sentences: true,
      },
    },
    {
      id: 'call-center',
      label: t('Call center'),
      description: t('Agent and caller on one channel; no diarization when each has a channel'),
      body: {
        diarization: true,
        diarization_config: { number_of_speakers: 2 },
        named_entity_recognition: true,
        summarization: true,
      },
    },
    {
      id: 'podcast',
      label: t('Podcast with vocabulary'),
      description: t('Names that are often misheard: replace the two examples'),
      body: {
        language_config: { languages: ['en'] },
        custom_vocabulary: true,
        custom_vocabulary_config: {
          vocabulary: ['Kubernetes', { value: 'Nguyen', pronunciations: ['win', 'nwin'], intensity: 0.5 }],
          default_intensity: 0.5,
        },
        diarization: true,
        diarization_config: { min_speakers: 2, max_speakers: 4 },
        sentences: true,
      },
    },
    {
      id: 'subtitles',
      label: t('Subtitles'),
      description: t('srt and vtt, 2 rows of 42 characters'),
      body: {
        subtitles: true,
        subtitles_config: {
          formats: ['srt', 'vtt'],
          maximum_characters_per_row: 42,
          maximum_rows_per_caption: 2,
          style: 'compliance',
        },
      },
    },
    {
      id: 'multilingual',
      label: t('Multilingual'),
      description: t('The language is re-detected for each utterance'),
      body: { language_config: { languages: ['en', 'fr', 'de'], code_switching: true } },
    },
  ];
}

/** Writes a request without a URL. @param indent a number of spaces, or a text */
export function writeNewRequest(body: JsonObject, indent: number | string = 2): NewRequest {
  const text = `${JSON.stringify({ audio_url: '', ...body }, undefined, indent)}\n`;
  return { text, cursor: text.indexOf('"', text.indexOf(':')) + 1 };
}
