import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isArray, isJsonObject, type JsonObject } from '../../../../src/domain/json/json.ts';
import { readResult } from '../../../../src/domain/result/jobResult.ts';
import { fixtureItem } from '../../../support/details/fixtureItems.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { anyResult } from './anyResult.ts';

const gapsOf = (result: unknown): readonly string[] =>
  (readResult({ result } as JsonObject)?.gaps ?? []).map(({ path, count }) => `${path} ×${count}`);

describe('A result', () => {
  it('is read from the item that carries it', () => {
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

  it('is none where the item has none', () => {
    assert.equal(readResult(fixtureItem('preRecordedFailed')), undefined);
    assert.equal(readResult({ result: null }), undefined);
  });

  it('takes the length of the audio from the file when the result does not say', () => {
    const item = { file: { audio_duration: 2.5, number_of_channels: 2 }, result: { metadata: {} } };
    assert.deepEqual(readResult(item)?.figures, {
      audioMs: 2500,
      billedMs: undefined,
      processingMs: undefined,
      channels: 2,
    });
  });

  it('says what is missing and what cannot be read', () => {
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
      'result.chapterization ×1',
    ]);
  });

  it('of any shape is read without a throw, and every utterance is there or told as a gap', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        const read = readResult({ result });
        assert(read);
        const transcription = result['transcription'];
        const sent = isJsonObject(transcription) ? transcription['utterances'] : undefined;
        if (!isArray(sent)) return;
        const told = read.gaps
          .filter(({ path }) => /^result\.transcription\.utterances\[\](?:\.text)?$/.test(path))
          .reduce((sum, { count }) => sum + count, 0);
        assert.equal(read.transcript?.utterances.length, sent.length - told);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('has only times that follow each other', () => {
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
