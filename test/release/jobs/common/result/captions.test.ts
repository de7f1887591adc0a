import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import {
  chooseTranscriptFiles,
  readSavableResult,
  writeTranscriptFile,
} from '../../../../../src/jobs/common/savedTranscript.ts';
import { finish } from '../../../../support/finish.ts';
import { checkDrawnSubtitles } from '../../../../support/subtitles/checkDrawnSubtitles.ts';
import { drawnResult, drawnSubtitleConfig } from '../../../../support/subtitles/drawnResult.ts';

const total = 5000;

test('subtitles of 5,000 results in ten scripts are read the same by parsers of others', async () => {
  await checkDrawnSubtitles(total);
});

/** Name or path of the program. */
const ffmpeg = process.env['FFMPEG'] ?? 'ffmpeg';
const skip =
  spawnSync(ffmpeg, ['-version']).status === 0 ? false : 'ffmpeg is not installed, and the variable FFMPEG is not set';
/** Files that one process reads and writes. */
const filesPerRun = 250;

test('ffmpeg reads every caption of 5,000 results, with its times', { skip }, (context: TestContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'tj-ffmpeg-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const drawn = fc.sample(fc.tuple(drawnResult, drawnSubtitleConfig, fc.constantFrom('srt', 'vtt')), total);
  const files = drawn.map(([{ result }, config, format], index) => {
    const item = { request_params: { subtitles_config: config ?? null }, result };
    const read = finish(readSavableResult({ raw: JSON.stringify(item) })) ?? assert.fail();
    const [file] = chooseTranscriptFiles(read, { formats: [format], languages: 'all' }).files;
    const text = finish(writeTranscriptFile(read, file ?? assert.fail(), { title: '' })) ?? '';
    const path = join(folder, `${index}.${format}`);
    writeFileSync(path, text);
    const times = timesIn(text);
    assert.notEqual(times.length, 0);
    return { path, read: join(folder, `${index}.read.srt`), times };
  });
  for (let at = 0; at < total; at += filesPerRun) {
    const part = files.slice(at, at + filesPerRun);
    const inputs = part.flatMap(({ path }) => ['-i', path]);
    const outputs = part.flatMap((file, index) => ['-map', `${index}:s:0`, file.read]);
    const { status, stderr } = spawnSync(ffmpeg, ['-v', 'error', ...inputs, ...outputs], { encoding: 'utf8' });
    assert.equal(status, 0, stderr.slice(0, 1000));
    for (const { path, read, times } of part)
      assert.deepEqual(timesIn(readFileSync(read, 'utf8')), times, readFileSync(path, 'utf8'));
  }
});

/** Returns the times of all captions, as SubRip writes them. */
function timesIn(text: string): readonly string[] {
  return Array.from(text.matchAll(/^(\d\d:\d\d:\d\d)[.,](\d{3}) --> (\d\d:\d\d:\d\d)[.,](\d{3})$/gm), (found) => {
    const [, start, startMs, end, endMs] = found;
    return `${start},${startMs} ${end},${endMs}`;
  });
}
