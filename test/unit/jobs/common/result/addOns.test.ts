import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isPartlyFailed, listFailedAddOns } from '../../../../../src/jobs/common/failedAddOns.ts';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import type { JsonObject, JsonValue } from '../../../../../src/base/json/json.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { anyResult } from './anyResult.ts';

function addOns(result: JsonObject): readonly string[] {
  return (readResult({ result })?.addOns ?? []).flatMap(({ name, outcome, reason, passages }) => [
    `${name}: ${outcome}${reason === undefined ? '' : `, ${reason}`}`,
    ...passages.map(({ heading, text, startMs }) => `  ${heading ?? '-'} | ${text} | ${startMs ?? '-'}`),
  ]);
}

describe('Add-ons', () => {
  const failedIn = (result: JsonObject): readonly string[] => listFailedAddOns({ raw: JSON.stringify({ result }) });

  it('count as failed in every form in which a service reports it, including within the transcription', () => {
    const sentences = [{ success: false, is_empty: false, results: null, error: { message: 'No words' } }];
    assert.deepEqual(failedIn({ transcription: { sentences, subtitles: { success: 'false' } } }), [
      'Sentences failed: No words',
      'Subtitles failed.',
    ]);
    assert.deepEqual(failedIn({ summarization: { success: null, error: 'boom' } }), ['Summary failed: boom']);
    assert.deepEqual(failedIn({ translation: { results: [{ error: 'too long' }] } }), ['Translation failed: too long']);
    assert.deepEqual(failedIn({ summarization: [{ success: false }] }), ['Summary failed.']);
    assert.deepEqual(failedIn({ diarization: { error: { message: 'Noise' } } }), ['diarization failed: Noise']);
    const raw = String.raw`{"result":{"summarization":{"succ\u0065ss":false}}}`;
    assert.equal(isPartlyFailed(bareJob({ status: 'done', raw })), true);
  });

  it('do not count as failed because of names in their results', () => {
    const found = [{ success: false, order: 5 }, { error: { code: 5 } }];
    assert.deepEqual(failedIn({ structured_data_extraction: { success: true, results: found } }), []);
    assert.deepEqual(failedIn({ metrics: { error: { rate: 0.1 } }, transcription: { sentences: [] } }), []);
  });

  it('list their results as passages', () => {
    const done = { success: true, is_empty: false, error: null };
    assert.deepEqual(
      addOns({
        metadata: { success: true },
        transcription: { success: true },
        summarization: { ...done, results: 'All in all.' },
        chapterization: { ...done, results: [{ headline: 'Arrival', summary: 'They land.', start: 1.5 }] },
        named_entity_recognition: { ...done, results: [{ entity_type: 'CITY', text: 'Brest', start: 2, end: 3 }] },
        sentiment_analysis: { ...done, results: [{ sentiment: 'positive', text: 'Lovely.' }] },
        translation: { ...done, results: [{ languages: ['fr', 'de'], full_transcript: 'Bonjour' }] },
        audio_to_llm: { ...done, results: [{ success: true, results: { prompt: 'Why?', response: 'Because.' } }] },
      }),
      [
        'summarization: succeeded',
        '  - | All in all. | -',
        'chapterization: succeeded',
        '  Arrival | They land. | 1500',
        'named_entity_recognition: succeeded',
        '  CITY | Brest | 2000',
        'sentiment_analysis: succeeded',
        '  positive | Lovely. | -',
        'translation: succeeded',
        '  fr, de | Bonjour | -',
        'audio_to_llm: succeeded',
        '  Why? | Because. | -',
      ],
    );
  });

  it('show the reason of a failure, of the whole or of a part', () => {
    const piece = { success: false, error: { message: 'Prompt too long' }, results: null };
    assert.deepEqual(
      addOns({
        summarization: { success: false, error: { status_code: 500, exception: 'Timeout' }, results: null },
        audio_to_llm: { success: true, error: null, results: [piece] },
        moderation: { success: false, error: 'Off' },
        display_mode: { error: null },
      }),
      ['summarization: failed, Timeout', 'audio_to_llm: failed, Prompt too long', 'moderation: failed, Off'],
    );
  });

  it('are listed in a few short lines without invisible characters if they failed', () => {
    const failed = (error: JsonValue): JsonObject => ({ success: false, error, results: null });
    const result = { translation: failed('a\u202e\nb'), moderation: failed(null), summarization: { success: true } };
    assert.deepEqual(listFailedAddOns({ raw: JSON.stringify({ result }) }), [
      'Translation failed: a b',
      'moderation failed.',
    ]);
    assert.deepEqual(listFailedAddOns({ raw: '{}' }), []);
    fc.assert(
      fc.property(fc.oneof(anyResult, fc.jsonValue() as fc.Arbitrary<JsonValue>), (sent) => {
        const job = bareJob({ status: 'done', raw: JSON.stringify({ result: sent }) });
        const lines = listFailedAddOns(job);
        assert.equal(isPartlyFailed(job), lines.length > 0);
        assert(!isPartlyFailed({ ...job, status: 'error' }));
        assert(lines.length <= 5);
        for (const line of lines) assert(line.length <= 200 && !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u202a-\u202e]/u.test(line));
      }),
      { numRuns: propertyRuns },
    );
  });

  it('without a success field do not count as failed', () => {
    assert.deepEqual(addOns({ summarization: { results: 'Short.' } }), ['summarization: unsaid', '  - | Short. | -']);
  });
});
