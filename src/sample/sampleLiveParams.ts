import type { JsonObject } from '../domain/json/json.ts';
import { present } from './present.ts';
import type { NonEmpty, Random } from './random.ts';

const audioFormats: NonEmpty<JsonObject> = [
  { encoding: 'wav/pcm', bit_depth: 16, sample_rate: 16_000, channels: 1 },
  { encoding: 'wav/pcm', bit_depth: 16, sample_rate: 16_000, channels: 2 },
  { encoding: 'wav/pcm', bit_depth: 16, sample_rate: 44_100, channels: 1 },
  { encoding: 'wav/pcm', bit_depth: 24, sample_rate: 48_000, channels: 2 },
  { encoding: 'wav/pcm', bit_depth: 32, sample_rate: 32_000, channels: 1 },
  { encoding: 'wav/alaw', bit_depth: 8, sample_rate: 8_000, channels: 1 },
  { encoding: 'wav/ulaw', bit_depth: 8, sample_rate: 8_000, channels: 1 },
  { encoding: 'wav/ulaw', bit_depth: 8, sample_rate: 8_000, channels: 2 },
];

/** The last two break the rules of contract 2.4: there is something for a careful reader to find. */
const languageConfigs: NonEmpty<JsonObject> = [
  { languages: [], code_switching: false },
  { languages: ['en'], code_switching: false },
  { languages: ['en'], code_switching: false },
  { languages: ['fr'], code_switching: false },
  { languages: ['en', 'fr', 'de'], code_switching: true },
  { languages: ['en', 'es', 'pt'], code_switching: true },
  { languages: ['ja', 'en'], code_switching: true },
  { languages: ['en'], code_switching: true },
  { languages: [], code_switching: true },
];

/** Sent by a session unless it says otherwise, per set of switches. */
const switchDefaults: NonEmpty<readonly [name: string, inMessages: boolean, inCallback: boolean]> = [
  ['receive_partial_transcripts', false, false],
  ['receive_final_transcripts', true, true],
  ['receive_speech_events', true, false],
  ['receive_pre_processing_events', true, true],
  ['receive_realtime_processing_events', true, true],
  ['receive_post_processing_events', true, true],
  ['receive_acknowledgments', true, false],
  ['receive_errors', true, false],
  ['receive_lifecycle_events', false, true],
];

/** The parameters of a live session: every field of contract 2.3, both sets of switches of contract 6. */
export function sampleLiveParams(random: Random): JsonObject {
  const callback = random.chance(0.35);
  const forgottenUrl = callback && random.chance(0.15);
  return {
    ...random.pick(audioFormats),
    model: 'solaria-1',
    endpointing: random.pick([0.05, 0.05, 0.1, 0.3, 0.8, 1.5]),
    maximum_duration_without_endpointing: random.pick([5, 5, 10, 20, 60]),
    language_config: random.pick(languageConfigs),
    pre_processing: {
      audio_enhancer: random.chance(0.3),
      speech_threshold: random.pick([0.6, 0.6, 0.6, 0.4, 0.5, 0.8]),
    },
    realtime_processing: {
      custom_vocabulary: random.chance(0.3),
      custom_spelling: random.chance(0.1),
      translation: random.chance(0.2),
      named_entity_recognition: random.chance(0.25),
      sentiment_analysis: random.chance(0.2),
    },
    post_processing: {
      summarization: random.chance(0.4),
      summarization_config: { type: random.pick(['general', 'bullet_points', 'concise']) },
      chapterization: random.chance(0.1),
    },
    messages_config: switches(random, 1),
    callback,
    callback_config: present({
      url: forgottenUrl ? undefined : `https://hooks.example.com/live/${random.integer(100, 999)}`,
      ...switches(random, 2),
    }),
  };
}

function switches(random: Random, column: 1 | 2): JsonObject {
  return Object.fromEntries(
    switchDefaults.map((row): [string, boolean] => [row[0], random.chance(0.15) ? !row[column] : row[column]]),
  );
}
