import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eastAsianWidth } from 'get-east-asian-width';
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

/** What a request says about subtitles; nothing in half of them. */
const drawnConfig = fc.option(
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

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Returns the columns of a row on a screen. */
function columnsOf(row: string): number {
  let columns = 0;
  for (const { segment } of graphemes.segment(row))
    if (!/^(?:[\p{M}\p{Default_Ignorable_Code_Point}]+$|[\u0e33\u0eb3])/u.test(segment))
      columns += eastAsianWidth(segment.codePointAt(0) ?? 0);
  return columns;
}

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

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
    fc.asyncProperty(drawnResult, drawnConfig, fc.constantFrom('srt', 'vtt'), async ({ result }, config, format) => {
      const item = { request_params: { subtitles_config: config ?? null }, result };
      const read = finish(readSavableResult({ raw: JSON.stringify(item) }));
      assert(read);
      const [file] = chooseTranscriptFiles(read, { formats: [format], languages: 'all' }).files;
      assert(file);
      const cues = await readWithOthers(finish(writeTranscriptFile(read, file, { title: '' })) ?? '', format);
      assert(cues.length > 0);
      let latestMs = 0;
      const { maximum_characters_per_row: maxColumns = 42, maximum_rows_per_caption: maxRows = 2 } = config ?? {};
      const columnsPerSecond = config?.style === 'compliance' ? 17 : 20;
      for (const [index, { startMs, endMs, text: written }] of cues.entries()) {
        const text = written.replaceAll(/&(?:amp|lt|gt);/g, (each) =>
          format === 'vtt' ? (entities[each] ?? '') : each,
        );
        assert(startMs >= latestMs && endMs - startMs >= 833, `${startMs} ${endMs}`);
        latestMs = endMs;
        const rows = text.split('\n');
        assert(rows.length <= maxRows && rows.every((row) => row.trim() !== ''), text);
        const widths = rows.map(columnsOf);
        assert(Math.max(...widths) <= maxColumns, `${text} ${widths.join()} ${maxColumns}`);
        const isReadable =
          widths.reduce((sum, each) => sum + each, 0) <= (columnsPerSecond * (endMs - startMs + 1)) / 1000;
        // The next caption, of what is said then, leaves no more time.
        assert(isReadable || cues[index + 1]?.startMs === endMs, `${text} ${endMs - startMs}`);
        // The first row of a caption may begin with what the service sent so.
        for (const row of rows.slice(1)) assert(!/^[。、，．？！」』）)»”]/u.test(row), text);
        if (format === 'srt') assert(!/[<>{}]/.test(text), text);
      }
    }),
    { numRuns },
  );
}
