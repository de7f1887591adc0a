import { hourMs } from '../base/time.ts';
import type { JobKind } from '../jobs/common/job.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json/json.ts';
import { draw, type NonEmpty, Random, randomStreams } from './random.ts';
import { omitUndefined, type SampleDetails, type SampleJob } from './sampleJob.ts';
import { longSampleResult, sampleResult } from './sampleResult.ts';
import { decodeRequestedResult } from './requestedResult.ts';
import { sampleId, sampleRequestId } from './sampleId.ts';
import { submittedResult } from './submittedResult.ts';

/** Frequent causes are listed more than once. */
const errorCodes: NonEmpty<number> = [
  400, 400, 403, 404, 404, 408, 413, 415, 422, 422, 429, 500, 500, 502, 503, 504, 599,
];

/** Fixed properties of a job, before the rest is generated. */
export interface JobOutline extends Omit<SampleJob, 'id' | 'details'> {
  readonly serial: number;
  /** Default: a typical code. */
  readonly errorCode?: number;
}

/** Selects the result of a job; the long one belongs to ten hours of audio. */
export type SampleResults = 'none' | 'usual' | 'long';

/** In milliseconds. */
const longAudioMs = 10 * hourMs;

/** Generates the sample job of a serial number. Deterministic: the same seed and outline give the same job. */
export function generateJob(seed: number, outline: JobOutline, results: SampleResults): SampleJob {
  const { serial, errorCode: _errorCode, ...plan } = outline;
  return { ...plan, id: sampleId(seed, serial), details: () => generateDetails(seed, outline, results) };
}

function generateDetails(seed: number, outline: JobOutline, results: SampleResults): SampleDetails {
  const { serial, kind, metadata } = outline;
  const random = new Random(draw(seed, serial, randomStreams.fields));
  const usualCode = random.pick(errorCodes);
  const fields = omitUndefined({
    custom_metadata: metadata,
    post_session_metadata: postSession(kind, random),
    ...(kind === 'live' ? { request_params: sampleLiveParams(random) } : { file: audioFile(random) }),
  });
  const details = {
    requestId: sampleRequestId(draw(seed, serial, randomStreams.requestId)),
    errorCode: outline.errorCode ?? usualCode,
    fields,
  };
  switch (results) {
    case 'none':
      return details;
    case 'usual':
      return { ...details, result: usualResult(seed, serial, kind, fields) };
    case 'long':
      return {
        ...details,
        fields: { ...fields, file: longFile(seed, serial) },
        result: () => longSampleResult(new Random(draw(seed, serial, randomStreams.result)), longAudioMs),
      };
  }
}

/**
 * Returns a function that makes the result of a job, the same at every call.
 * @param request what a submission asked for, as stored; undefined for a job that nobody submitted
 */
export function usualResult(
  seed: number,
  serial: number,
  kind: JobKind,
  fields: JsonObject,
  request?: JsonObject,
): () => JsonObject {
  const { file, custom_metadata: metadata } = fields;
  const length = isJsonObject(file) ? file['audio_duration'] : undefined;
  const audioMs = typeof length === 'number' ? length * 1000 : undefined;
  const said = isJsonObject(metadata) ? metadata['language'] : undefined;
  const language = typeof said === 'string' ? said : undefined;
  const requested = request && decodeRequestedResult(request);
  return () => {
    const random = new Random(draw(seed, serial, randomStreams.result));
    return requested === undefined
      ? sampleResult(random, { kind, audioMs, language })
      : submittedResult(random, requested, language);
  };
}

function longFile(seed: number, serial: number): JsonObject {
  return {
    id: sampleId(seed, serial),
    filename: 'council-session.mp3',
    source: 'https://media.example.com/audio/council-session.mp3',
    audio_duration: longAudioMs / 1000,
    number_of_channels: 1,
  };
}

function postSession(kind: JobKind, random: Random): JsonValue | undefined {
  if (random.chance(0.1)) return undefined;
  if (kind === 'pre-recorded' || random.chance(0.6)) return {};
  return {
    ended_by: random.pick(['agent', 'caller', 'timeout']),
    rating: random.chance(0.5) ? random.integer(1, 5) : null,
    reconnects: random.integer(0, 3),
  };
}

/** Not in the contract, but sent by a public service on some items. */
function audioFile(random: Random): JsonObject | null | undefined {
  if (random.chance(0.4)) return undefined;
  if (random.chance(0.05)) return null;
  const filename = `${random.pick(['call', 'episode', 'interview', 'meeting', 'voicemail'])}-${random.integer(1, 9999)}.${random.pick(['mp3', 'wav', 'm4a', 'ogg'])}`;
  const uploaded = random.chance(0.3);
  return {
    id: sampleId(random.integer(0, 2 ** 31), random.integer(0, 2 ** 31)),
    filename,
    source: uploaded ? null : `https://media.example.com/audio/${filename}`,
    audio_duration: random.chance(0.9) ? random.integer(8_000, 7_200_000) / 1000 : null,
    number_of_channels: random.chance(0.9) ? random.integer(1, 2) : null,
  };
}

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

/** The last two violate contract 2.4 on purpose. */
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

/** Defaults of a session, per set of switches. */
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

/** Generates the parameters of a live session: every field of contract 2.3, both sets of switches of contract 6. */
function sampleLiveParams(random: Random): JsonObject {
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
    callback_config: omitUndefined({
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
