import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../../../../../src/base/json/json.ts';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import { fixtureItem } from '../../../../support/details/fixtureItems.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { anyResult } from './anyResult.ts';

const gapsOf = (result: unknown): readonly string[] =>
  (readResult({ result } as JsonObject)?.gaps ?? []).map(({ path, count }) => `${path} ×${count}`);

/** True if an utterance has neither text nor words. */
function isSilent(utterance: JsonValue): boolean {
  if (!isJsonObject(utterance)) return false;
  const { text, words } = utterance;
  const isWord = (each: JsonValue): boolean =>
    isJsonObject(each) && typeof each['word'] === 'string' && each['word'].trim() !== '';
  return typeof text === 'string' && text.trim() === '' && !(isArray(words) && words.some(isWord));
}

describe('A result', () => {
  it('is read from its item', () => {
    const result = readResult(fixtureItem('preRecordedDone'));
    assert(result?.transcript);
    assert.deepEqual(result.figures, { audioMs: 1_834_270, billedMs: 1_834_270, processingMs: 139_400, channels: 1 });
    assert.deepEqual(result.transcript.languages, ['en', 'fr']);
    assert.deepEqual(result.transcript.utterances[2], {
      text: "C'est la lumière qui rentre, disait son père, pas nous.",
      startMs: 13_200,
      endMs: 16_000,
      speaker: 1,
      channel: 0,
      language: 'fr',
      confidence: 0.91,
      words: [],
    });
    assert.deepEqual(result.addOns, []);
    assert.deepEqual(result.gaps, []);
  });

  it('is undefined for an item without one', () => {
    assert.equal(readResult(fixtureItem('preRecordedFailed')), undefined);
    assert.equal(readResult({ result: null }), undefined);
  });

  it('takes the audio length from the file if the result has none', () => {
    const item = { file: { audio_duration: 2.5, number_of_channels: 2 }, result: { metadata: {} } };
    assert.deepEqual(readResult(item)?.figures, {
      audioMs: 2500,
      billedMs: undefined,
      processingMs: undefined,
      channels: 2,
    });
  });

  it('reports missing and unreadable parts', () => {
    assert.deepEqual(gapsOf('done'), ['result ×1']);
    assert.deepEqual(gapsOf({ metadata: 3, transcription: { utterances: {} } }), [
      'result.metadata ×1',
      'result.transcription.utterances ×1',
    ]);
    assert.deepEqual(gapsOf({ transcription: { full_transcript: 'x' } }), ['result.transcription.utterances ×1']);
    const utterances = [{ text: 'a', start: -1, end: 2 }, { text: 'b', start: 3, end: 1 }, { start: 1, end: 2 }, 'c'];
    assert.deepEqual(gapsOf({ transcription: { utterances } }), [
      'result.transcription.utterances[].start ×1',
      'result.transcription.utterances[].end ×1',
      'result.transcription.utterances[].text ×1',
      'result.transcription.utterances[] ×1',
    ]);
    assert.deepEqual(gapsOf({ summarization: { success: true }, chapterization: [] }), [
      'result.summarization.results ×1',
      'result.chapterization.results ×1',
    ]);
    assert.deepEqual(gapsOf({ chapterization: 7 }), ['result.chapterization ×1']);
  });

  it('reports unreadable figures, speakers, times of passages and reasons', () => {
    assert.deepEqual(
      gapsOf({ metadata: { audio_duration: -3, billing_time: 1e308, number_of_distinct_channels: 2 } }),
      ['result.metadata.audio_duration ×1', 'result.metadata.billing_time ×1'],
    );
    const utterances = [{ text: 'a', start: 0, end: 1, speaker: -1, language: 'en) · bye\n\n00:05 · Speaker 2 (en' }];
    assert.deepEqual(gapsOf({ transcription: { utterances } }), [
      'result.transcription.utterances[].speaker ×1',
      'result.transcription.utterances[].language ×1',
    ]);
    const chapters = [{ headline: 'One', summary: 'It begins.', start: 'soon' }];
    assert.deepEqual(gapsOf({ chapterization: { success: true, results: chapters }, summarization: { error: 7 } }), [
      'result.chapterization.results[].start ×1',
      'result.summarization.error ×1',
      'result.summarization.results ×1',
    ]);
  });

  it('of any shape is read without an exception, and every utterance is present or reported as a gap', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        const read = readResult({ result });
        assert(read);
        const transcription = result['transcription'];
        const sent = isJsonObject(transcription) ? transcription['utterances'] : undefined;
        if (!isArray(sent)) return;
        const shown = read.gaps
          .filter(({ path }) => /^result\.transcription\.utterances\[\](?:\.text)?$/.test(path))
          .reduce((sum, { count }) => sum + count, 0);
        assert.equal(read.transcript?.utterances.length, sent.filter((each) => !isSilent(each)).length - shown);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('uses the words of an utterance if its text is missing, and drops empty utterances', () => {
    const words = [
      { word: ' one', start: 1, end: 2 },
      { word: ' two', start: 2, end: 3 },
    ];
    const utterances = [{ words }, { text: ' ', start: 4, end: 5 }, { text: '', words }];
    const read = readResult({ result: { transcription: { utterances, full_transcript: 'one two' } } });
    assert.deepEqual(
      read?.transcript?.utterances.map(({ text }) => text),
      [' one two', ' one two'],
    );
  });

  it('has no utterance that ends before it starts', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        for (const { startMs = 0, endMs = startMs } of readResult({ result })?.transcript?.utterances ?? []) {
          assert(Number.isSafeInteger(startMs) && Number.isSafeInteger(endMs) && startMs >= 0 && endMs >= startMs);
        }
      }),
      { numRuns: propertyRuns },
    );
  });
});
