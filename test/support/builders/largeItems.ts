import type { JsonObject } from '../../../src/base/json/json.ts';
import { preRecordedItem } from './jobItem.ts';

/** Returns utterances of a total length, each with the times of its words, as services send them. */
function utterances(seconds: number, language: string): readonly JsonObject[] {
  return Array.from({ length: Math.floor(seconds / 4) }, (_, index) => ({
    start: index * 4,
    end: index * 4 + 3.875,
    confidence: 0.9712345,
    channel: 0,
    speaker: index % 2,
    language,
    text: `Sentence ${index} of a long talk about the weather, the tide and lamps.`,
    words: Array.from({ length: 18 }, (__, place) => ({
      word: ` ${language}-word${place}`,
      start: index * 4 + place * 0.2125,
      end: index * 4 + place * 0.2125 + 0.18125,
      confidence: 0.98765432,
    })),
  }));
}

/** Returns the item of a talk with sentences and translations into two languages: 4.4 MB for one hour. */
export function spokenItem(id: string, seconds: number): string {
  const said = (language: string): JsonObject => {
    const spoken = utterances(seconds, language);
    return { full_transcript: 'A long talk. '.repeat(seconds), languages: [language], utterances: spoken };
  };
  const sentences = utterances(seconds, 'en').map(({ start = 0, end = 0, text = '' }): JsonObject => ({
    start,
    end,
    sentence: text,
  }));
  const translations = ['fr', 'ja'].map((language) => ({ error: null, success: true, ...said(language) }));
  const result: JsonObject = {
    metadata: {
      audio_duration: seconds,
      number_of_distinct_channels: 1,
      billing_time: seconds,
      transcription_time: 60,
    },
    transcription: { ...said('en'), sentences: [{ success: true, error: null, results: sentences }] },
    translation: { success: true, is_empty: false, error: null, results: translations },
    summarization: { success: false, is_empty: true, error: { message: 'It was too long' }, results: null },
  };
  return JSON.stringify(preRecordedItem({ id, result }));
}

/** Returns an item with this many values, mostly numbers. */
export function itemOfValues(id: string, values: number): string {
  return JSON.stringify(preRecordedItem({ id, waveform: Array.from({ length: values }, (_, index) => index % 1000) }));
}

/** Returns an item with this many names in its metadata. */
export function itemOfNames(id: string, names: number): string {
  const metadata = Object.fromEntries(Array.from({ length: names }, (_, index) => [`name number ${index}`, index]));
  return JSON.stringify(preRecordedItem({ id, custom_metadata: { customer: 'Blue Harbor', ...metadata } }));
}
