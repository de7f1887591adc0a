import fc from 'fast-check';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { spokenTexts } from './spokenTexts.ts';

const languages = Object.keys(spokenTexts);
const hostile = [
  '<i>so</i>',
  'a < b > c',
  '{\\an8}',
  '-->',
  '&amp;',
  '12',
  'NOTE',
  '👨‍👩‍👧‍👦',
  '\u0000',
  '\n\n',
  '–',
  '。」',
];

/** A result of several speakers with pauses, in one language, with or without times of words; sometimes with odd parts. */
export const drawnResult: fc.Arbitrary<{ readonly language: string; readonly result: JsonObject }> = fc
  .record({
    language: fc.constantFrom(...languages),
    hasWords: fc.boolean(),
    parts: fc.array(
      fc.record({
        from: fc.nat(400),
        length: fc.integer({ min: 1, max: 260 }),
        pause: fc.constantFrom(0, 0, 0.1, 0.4, 2, 20),
        /** Characters per second. */
        speed: fc.constantFrom(4, 10, 15, 30),
        speaker: fc.constantFrom(0, 1, 'A', 'B'),
        odd: fc.option(fc.constantFrom(...hostile), { nil: undefined, freq: 6 }),
        overlap: fc.constantFrom(0, 0, 0, 1.5),
      }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  .map(({ language, hasWords, parts }) => {
    const source = spokenTexts[language] ?? '';
    let at = 0;
    const utterances = parts.map(({ from, length, pause, speed, speaker, odd, overlap }) => {
      const start = from % source.length;
      const text = `${source.slice(start, start + length)}${odd ?? ''}`.trim() || source.slice(0, 9);
      const begin = Math.max(0, at + pause - overlap);
      const lasting = text.length / speed;
      at = begin + lasting;
      const spaced = text.split(/\s+/u);
      const words = spaced.map((word, index) => ({
        word,
        start: begin + (lasting * index) / spaced.length,
        end: begin + (lasting * (index + 0.9)) / spaced.length,
      }));
      return { text, start: begin, end: at, speaker, language, ...(hasWords && { words }) };
    });
    return { language, result: { transcription: { languages: [language], utterances } } };
  });

/** What a request says about subtitles; nothing in half of them. */
export const drawnSubtitleConfig = fc.option(
  fc.record(
    {
      maximum_characters_per_row: fc.integer({ min: 10, max: 80 }),
      maximum_rows_per_caption: fc.integer({ min: 1, max: 4 }),
      style: fc.constantFrom('default', 'compliance'),
    },
    { requiredKeys: [] },
  ),
  { nil: undefined, freq: 2 },
);
