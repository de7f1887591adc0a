import {
  attempt,
  flag,
  integer,
  list,
  optional,
  record,
  text,
  Undecodable,
  word,
  type Decoded,
} from '../base/decode/decoder.ts';
import { isArray, isJsonObject, type JsonObject } from '../base/json/json.ts';
import { omitUndefined } from './sampleJob.ts';

const formats = ['srt', 'vtt'] as const;

const requestedResult = record({
  /** Language codes in the order of the request. Empty: detected. */
  languages: list(text),
  switchesLanguages: flag,
  /** Languages of translations. */
  targets: list(text),
  subtitles: list(word(...formats)),
  maxRowLength: optional(integer(1)),
  maxRows: optional(integer(1)),
  /** Undefined: speakers are not separated. */
  speakers: optional(integer(1)),
  /** Terms of the vocabulary. */
  terms: list(text),
  /** Type of the summary; undefined: none. */
  summary: optional(text),
  hasEntities: flag,
  hasSentences: flag,
  hasSentiment: flag,
  /** True if one add-on fails. */
  failsInPart: flag,
});
/** What the result of a submitted job contains: the part of its request that the sample service follows. */
export type RequestedResult = Decoded<typeof requestedResult>;

/** Limits of what a job keeps of its request, which may be as large as a body. */
const maxLanguages = 20;
const maxTerms = 30;
const maxLength = 60;
const maxSpeakers = 12;

/** Returns what a request body asks of its result, as stored with the job. Ignores settings of a wrong type. */
export function readRequestedResult(body: JsonObject, failsInPart: boolean): JsonObject {
  const language = objectAt(body, 'language_config');
  const subtitles = objectAt(body, 'subtitles_config');
  const requested = {
    languages: textsAt(language, 'languages', maxLanguages),
    switchesLanguages: language['code_switching'] === true,
    targets:
      body['translation'] === true
        ? textsAt(objectAt(body, 'translation_config'), 'target_languages', maxLanguages)
        : [],
    subtitles: body['subtitles'] === true ? formatsOf(subtitles) : [],
    maxRowLength: countAt(subtitles, 'maximum_characters_per_row'),
    maxRows: countAt(subtitles, 'maximum_rows_per_caption'),
    speakers: body['diarization'] === true ? speakersOf(objectAt(body, 'diarization_config')) : undefined,
    terms: body['custom_vocabulary'] === true ? termsOf(objectAt(body, 'custom_vocabulary_config')) : [],
    summary: body['summarization'] === true ? summaryOf(objectAt(body, 'summarization_config')) : undefined,
    hasEntities: body['named_entity_recognition'] === true,
    hasSentences: body['sentences'] === true,
    hasSentiment: body['sentiment_analysis'] === true,
    failsInPart,
  } satisfies RequestedResult;
  return omitUndefined(requested);
}

/** Decodes what {@link readRequestedResult} returned; undefined if a later version stored it. */
export function decodeRequestedResult(stored: JsonObject): RequestedResult | undefined {
  const read = attempt(requestedResult, stored);
  return read instanceof Undecodable ? undefined : read;
}

function objectAt(body: JsonObject, name: string): JsonObject {
  const value = body[name];
  return isJsonObject(value) ? value : {};
}

function textsOf(values: readonly unknown[], max: number): readonly string[] {
  const texts = values.flatMap((each) => (typeof each === 'string' && each.trim() !== '' ? [each.trim()] : []));
  return [...new Set(texts)].slice(0, max).map((each) => each.slice(0, maxLength));
}

function textsAt(config: JsonObject, name: string, max: number): readonly string[] {
  const value = config[name];
  return isArray(value) ? textsOf(value, max) : [];
}

function countAt(config: JsonObject, name: string): number | undefined {
  const value = config[name];
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;
}

function formatsOf(config: JsonObject): readonly (typeof formats)[number][] {
  const named = textsAt(config, 'formats', maxLanguages);
  return named.length === 0 ? ['srt'] : formats.filter((each) => named.includes(each));
}

/** Returns the exact number of speakers, or two within the bounds. */
function speakersOf(config: JsonObject): number {
  const exact = countAt(config, 'number_of_speakers');
  const [min = 1, max = maxSpeakers] = [countAt(config, 'min_speakers'), countAt(config, 'max_speakers')];
  return Math.min(exact ?? Math.min(Math.max(2, min), max), maxSpeakers);
}

function termsOf(config: JsonObject): readonly string[] {
  const { vocabulary } = config;
  if (!isArray(vocabulary)) return [];
  return textsOf(
    vocabulary.map((each) => (isJsonObject(each) ? each['value'] : each)),
    maxTerms,
  );
}

function summaryOf({ type }: JsonObject): string {
  return typeof type === 'string' ? type.slice(0, maxLength) : 'general';
}
