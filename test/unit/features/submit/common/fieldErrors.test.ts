import assert from 'node:assert/strict';
import { test } from 'node:test';
import { placeFieldErrors } from '../../../../../src/features/submit/common/fieldErrors.ts';
import { parseRequest } from '../../../../../src/language/request/requestFile.ts';

const text = `{
  "audio_url": "ftp://x/a.wav",
  "language_config": { "languages": ["xx", "en"], "code_switching": true },
  "custom_vocabulary_config": { "vocabulary": [{ "value": "Acme", "intensity": 3 }] },
  "diarization_config": { "min_speakers": 2 },
  "value": 1
}`;

/** Returns the text that a message is located at; undefined if it is not located. */
function place(message: string): string | undefined {
  const [placed] = placeFieldErrors(parseRequest(text), [message]);
  return placed && text.slice(placed.range.offset, placed.range.offset + placed.range.length);
}

for (const [message, expected] of [
  ['audio_url must be an http or https URL', '"ftp://x/a.wav"'],
  ['body.audio_url: wrong', '"ftp://x/a.wav"'],
  ['"audio_url" is not allowed', '"ftp://x/a.wav"'],
  ['language_config.languages.0 is not a language', '"xx"'],
  ['language_config.languages[1]: twice', '"en"'],
  ['each value in language_config.languages must be one of the following values: en, fr', '["xx", "en"]'],
  ['body/language_config/languages/0 must be equal to one of the allowed values', '"xx"'],
  ['custom_vocabulary_config.vocabulary.0.intensity must not be greater than 1', '3'],
  ['intensity must not be greater than 1', '3'],
  ['min_speakers: too few', '2'],
  // A missing field is located where it should be.
  ['diarization_config.max_speakers is required', '{ "min_speakers": 2 }'],
  ['summarization_config should not be empty', '{'],
  // Words of a sentence are not fields, even if the request has such a field.
  ['The value is wrong', undefined],
  ['Invalid parameters', undefined],
  ['', undefined],
  ['42', undefined],
] as const) {
  test(`placed: ${message}`, () => assert.equal(place(message), expected));
}

test('a text that is not JSON causes no error', () => {
  assert.deepEqual(placeFieldErrors(parseRequest('{"audio_url": '), ['language_config.languages: wrong'])[0]?.range, {
    offset: 0,
    length: 1,
  });
  assert.ok(placeFieldErrors(parseRequest(''), ['audio_url: wrong']).length <= 1);
});

test('a name that several members have is located at none of them', () => {
  const several = parseRequest('{"a": {"x_y": 1}, "b": {"x_y": 2}, "c": [{"only_one": 3}]}');
  assert.deepEqual(placeFieldErrors(several, ['"x_y" is wrong', '"only_one" is wrong']), [
    { range: { offset: 0, length: 1 }, message: '"x_y" is wrong' },
    { range: { offset: several.text.indexOf('3'), length: 1 }, message: '"only_one" is wrong' },
  ]);
});
