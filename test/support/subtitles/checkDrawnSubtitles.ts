import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseSync } from 'subtitle';
import { parseStrictly, parseWebVtt, type Cue } from './otherParsers.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import {
  chooseTranscriptFiles,
  readSavableResult,
  writeTranscriptFile,
} from '../../../src/jobs/common/savedTranscript.ts';
import { finish } from '../finish.ts';
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
const drawnResult: fc.Arbitrary<{ readonly language: string; readonly result: JsonObject }> = fc
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

/** Reads a file with three parsers of others, which must agree, and returns its captions. */
async function readWithOthers(text: string, format: 'srt' | 'vtt'): Promise<readonly Cue[]> {
  const cues = await parseStrictly(text, format);
  const other = parseSync(text).flatMap((node) =>
    node.type === 'cue' ? [{ startMs: node.data.start, endMs: node.data.end, text: node.data.text }] : [],
  );
  assert.deepEqual(
    other,
    cues.map((cue) => ({ ...cue, text: withoutNotes(cue.text) })),
  );
  if (format === 'vtt') {
    const { errors, cues: standard } = parseWebVtt(text);
    assert.deepEqual(errors, [], text);
    assert.equal(standard, cues.length);
  }
  return cues;
}

/** Returns the rows before one that begins with NOTE, which the package `subtitle` takes for a comment, also in SubRip. */
function withoutNotes(text: string): string {
  return text.replace(/\nNOTE[\s\S]*/u, '');
}

/** Writes subtitles of drawn results and reads them with parsers of others. */
export async function checkDrawnSubtitles(numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(drawnResult, fc.constantFrom('srt' as const, 'vtt' as const), async ({ result }, format) => {
      const read = finish(readSavableResult({ raw: JSON.stringify({ result }) }));
      assert(read);
      const [file] = chooseTranscriptFiles(read, { formats: [format], languages: 'all' }).files;
      assert(file);
      const cues = await readWithOthers(finish(writeTranscriptFile(read, file, { title: '' })) ?? '', format);
      assert(cues.length > 0);
      let latestMs = 0;
      for (const { startMs, endMs, text } of cues) {
        assert(startMs >= latestMs && endMs - startMs >= 833, `${startMs} ${endMs}`);
        latestMs = endMs;
        const rows = text.split('\n');
        assert(rows.length <= 2 && rows.every((row) => row.trim() !== ''), text);
        // The first row of a caption may begin with what the service sent so.
        for (const row of rows.slice(1)) assert(!/^[。、，．？！」』）)»”]/u.test(row), text);
        if (format === 'srt') assert(!/[<>{}]/.test(text), text);
      }
    }),
    { numRuns },
  );
}
