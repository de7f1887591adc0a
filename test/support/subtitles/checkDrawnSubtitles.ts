import assert from 'node:assert/strict';
import fc from 'fast-check';
import { eastAsianWidth } from 'get-east-asian-width';
import { parseSync } from 'subtitle';
import { parseStrictly, parseWebVtt, type Cue } from './otherParsers.ts';
import {
  chooseTranscriptFiles,
  readSavableResult,
  writeTranscriptFile,
} from '../../../src/jobs/common/savedTranscript.ts';
import { finish } from '../finish.ts';
import { drawnSubtitleConfig, drawnResult } from './drawnResult.ts';

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
    fc.asyncProperty(
      drawnResult,
      drawnSubtitleConfig,
      fc.constantFrom('srt', 'vtt'),
      async ({ result }, config, format) => {
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
      },
    ),
    { numRuns },
  );
}
