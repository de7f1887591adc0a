import type { JsonObject } from '../base/json/json.ts';
import { harbourCall } from './harbourCall.ts';
import type { Random } from './random.ts';
import type { RequestedResult } from './requestedResult.ts';
import { omitUndefined } from './sampleJob.ts';
import {
  failedAddOn,
  measureResult,
  speakingMs,
  spreadSpeech,
  succeededAddOn,
  writeTranscription,
  type SampleUtterance,
} from './sampleResult.ts';
import { writeCaptions } from './writeCaptions.ts';

const usualLanguage = 'en';
/** Pause after an utterance, and time before the first one. */
const pauseMs = 600;

/** Add-ons outside the transcription, in the order in which one is chosen to fail. */
const addOnNames = ['translation', 'summarization', 'named_entity_recognition', 'sentiment_analysis'] as const;
type AddOnName = (typeof addOnNames)[number];
const failingParts: Readonly<Record<AddOnName, string>> = {
  translation: 'The translation',
  summarization: 'The summary',
  named_entity_recognition: 'The search for entities',
  sentiment_analysis: 'The sentiment analysis',
};

/**
 * Creates the result that a request asked for: its languages, translations, subtitles, speakers, terms and add-ons, and nothing else. The
 * call exists in five languages. In any other, its text is English after the code of the language.
 * @param detected the language that is detected if the request names none
 */
export function submittedResult(random: Random, requested: RequestedResult, detected = usualLanguage): JsonObject {
  const { speakers, terms, targets, summary } = requested;
  const spoken = spokenLanguages(requested, detected);
  const [first = usualLanguage] = spoken;
  const numbers = [...englishCall.lines.keys(), ...(terms.length === 0 ? [] : [namesLine])];
  // Each speaker says something.
  const lines = [...numbers, ...numbers].slice(0, Math.max(numbers.length, speakers ?? 0));
  const speech = lines.map((line, index) => {
    const language = spoken[index % spoken.length] ?? first;
    const text = textOf(line, language, terms);
    return { text, language, ms: speakingMs(text, language) };
  });
  const audioMs = speech.reduce((sum, { ms }) => sum + ms + pauseMs, pauseMs);
  const utterances = spreadSpeech(speech, audioMs, random, true, speakers ?? 0);
  const done = (results: Parameters<typeof succeededAddOn>[1]): JsonObject => succeededAddOn(random, results);
  const translate = (target: string): JsonObject => {
    const said = utterances.map(({ words: _words, ...each }, index) => ({
      ...each,
      language: target,
      text: textOf(lines[index] ?? 0, target, terms),
    }));
    return { ...writeTranscription(said), languages: [target], ...captionsOf(said, requested) };
  };
  const addOns: Readonly<Record<AddOnName, JsonObject | undefined>> = {
    translation: targets.length === 0 ? undefined : done(targets.map(translate)),
    summarization: summary === undefined ? undefined : done(summaryOf(first, summary)),
    named_entity_recognition: requested.hasEntities ? done(findEntities(utterances, requested)) : undefined,
    sentiment_analysis: requested.hasSentiment
      ? done(utterances.map(({ text, start, end }) => ({ text, sentiment: 'neutral', start, end })))
      : undefined,
  };
  const failing = requested.failsInPart ? addOnNames.find((name) => addOns[name] !== undefined) : undefined;
  const failingTranscription = requested.failsInPart && failing === undefined;
  return omitUndefined({
    metadata: measureResult(audioMs, random),
    transcription: omitUndefined({
      ...writeTranscription(utterances),
      ...captionsOf(utterances, requested),
      sentences: failingTranscription
        ? [failedAddOn('The search for sentences')]
        : requested.hasSentences
          ? [done(utterances.flatMap(({ text }) => splitSentences(text)))]
          : undefined,
    }),
    ...addOns,
    ...(failing !== undefined && { [failing]: failedAddOn(failingParts[failing]) }),
  });
}

/** Returns the languages of the call: several only if the request switches between them (contract 2.4). */
function spokenLanguages({ languages, switchesLanguages }: RequestedResult, detected: string): readonly string[] {
  const [first] = languages;
  if (first === undefined) return switchesLanguages ? [...new Set([detected, 'en', 'fr'])] : [detected];
  return switchesLanguages ? languages : [first];
}

const englishCall = harbourCall.get(usualLanguage) ?? { lines: [], names: '', place: '', summary: ['', ''] };
/** Number of the line that names the terms of the vocabulary. */
const namesLine = englishCall.lines.length;

function textOf(line: number, language: string, terms: readonly string[]): string {
  const { lines, names } = harbourCall.get(language) ?? englishCall;
  const text = line === namesLine ? names.replace('{0}', () => terms.join(', ')) : (lines[line] ?? '');
  return tagged(text, language);
}

function tagged(text: string, language: string): string {
  return harbourCall.has(language) ? text : `[${language}] ${text}`;
}

function summaryOf(language: string, type: string): string {
  const [first, second] = (harbourCall.get(language) ?? englishCall).summary;
  const text = type === 'bullet_points' ? `- ${first}\n- ${second}` : type === 'concise' ? first : `${first} ${second}`;
  return tagged(text, language);
}

function captionsOf(
  utterances: readonly SampleUtterance[],
  { subtitles, maxRowLength, maxRows }: RequestedResult,
): { readonly subtitles?: readonly JsonObject[] } {
  if (subtitles.length === 0) return {};
  return { subtitles: subtitles.map((format) => writeCaptions(utterances, format, { maxRowLength, maxRows })) };
}

/** Finds the place that is talked about, and the terms of the vocabulary. */
function findEntities(utterances: readonly SampleUtterance[], { terms }: RequestedResult): readonly JsonObject[] {
  return utterances.flatMap(({ text, language, start, end }) => {
    const { place } = harbourCall.get(language) ?? englishCall;
    const named = [
      { entity_type: 'LOCATION', text: place },
      ...terms.map((term) => ({ entity_type: 'NAME', text: term })),
    ];
    return named.filter((each) => text.includes(each.text)).map((each) => ({ ...each, start, end }));
  });
}

function splitSentences(text: string): readonly string[] {
  return (text.match(/[^.?!。？！]+[.?!。？！]*/gu) ?? []).map((each) => each.trim());
}
