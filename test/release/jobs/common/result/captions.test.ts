import { spawnSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCaptions, usualLimits } from '../../../../../src/jobs/common/result/captions.ts';
import {
  chooseTranscriptFiles,
  readSavableResult,
  writeTranscriptFile,
} from '../../../../../src/jobs/common/savedTranscript.ts';
import { finish } from '../../../../support/finish.ts';
import { checkDrawnSubtitles } from '../../../../support/subtitles/checkDrawnSubtitles.ts';
import { spokenTexts } from '../../../../support/subtitles/spokenTexts.ts';

test('subtitles of 5,000 results in ten scripts are read the same by parsers of others', async () => {
  await checkDrawnSubtitles(5000);
});

const ffmpeg = spawnSync('ffmpeg', ['-version']).status === 0;

test('ffmpeg reads as many captions as were written', { skip: ffmpeg ? false : 'ffmpeg is not installed' }, () => {
  for (const [language, text] of Object.entries(spokenTexts)) {
    const result = { transcription: { utterances: [{ text, start: 1, end: 40, language }] } };
    const read = finish(readSavableResult({ raw: JSON.stringify({ result }) }));
    assert(read);
    const captions = finish(makeCaptions(read.versions[0]?.transcript.utterances ?? [], { limits: usualLimits }));
    for (const file of chooseTranscriptFiles(read, { formats: ['srt', 'vtt'], languages: 'all' }).files) {
      const input: string = finish(writeTranscriptFile(read, file, { title: '' })) ?? '';
      const format = file.format === 'srt' ? 'srt' : 'webvtt';
      const options = ['-v', 'error', '-f', format, '-i', 'pipe:0', '-f', 'srt', 'pipe:1'];
      const { stdout, stderr, status } = spawnSync('ffmpeg', options, { input, encoding: 'utf8' });
      assert.equal(status, 0, stderr);
      assert.equal(stdout.match(/-->/g)?.length, captions.length, language);
    }
  }
});
