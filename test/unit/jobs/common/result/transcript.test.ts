import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { readTranscript } from '../../../../../src/jobs/common/result/transcript.ts';

function readUtterance(utterance: JsonObject) {
  const gaps: string[] = [];
  const result = { transcription: { full_transcript: '', utterances: [{ text: 'a', ...utterance }] } };
  return readTranscript(result, (path) => gaps.push(path))?.utterances[0];
}

test('words may start at the same time, but not before the previous word', () => {
  const word = (start: number) => ({ word: 'a', start, end: 5 });
  const starts = (...given: readonly number[]) =>
    readUtterance({ words: given.map(word) })?.words.map(({ startMs }) => startMs);
  assert.deepEqual(starts(1, 1, 2), [1000, 1000, 2000]);
  assert.deepEqual(starts(1, 2, 1), [], 'all or none');
});

test('a confidence outside 0 to 1 is ignored', () => {
  const confidence = (given: number) => readUtterance({ confidence: given })?.confidence;
  assert.deepEqual([0, 0.4, 1].map(confidence), [0, 0.4, 1]);
  assert.deepEqual([-0.1, 1.1, 87].map(confidence), [undefined, undefined, undefined]);
});
