import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEffect } from '../../../../src/domain/request/effect.ts';
import { explainTopic } from '../../../../src/domain/request/explainTopic.ts';
import { parseRequest } from '../../../../src/domain/request/requestFile.ts';
import { ruleCatalog } from '../../../../src/domain/request/check.ts';

function says(json: string, ...expected: readonly string[]): void {
  const texts = describeEffect(parseRequest(json).body).map(({ text }) => text);
  for (const text of expected) assert.ok(texts.includes(text), `${json}: ${texts.join(' · ')}`);
}

test('says how the language is found, by rules 1 to 4', () => {
  const config = (languages: string, switching: string) =>
    `{"language_config": {"languages": ${languages}, "code_switching": ${switching}}}`;
  says('{}', 'Language: detected once on the first utterance');
  says(config('[]', 'false'), 'Language: detected once on the first utterance');
  says(config('[""]', 'false'), 'Language: detected once on the first utterance');
  says(config('["en"]', 'true'), 'Language: en');
  says(config('["en", "fr"]', 'false'), 'Language: one of en, fr');
  says(config('["en", "fr"]', 'true'), 'Language: en, fr, anew on each utterance');
  says(config('[]', 'true'), 'Language: any of more than 100, anew on each utterance');
});

test('says how speakers are told apart, by rule 8', () => {
  const config = (hints: string) => `{"diarization": true, "diarization_config": {${hints}}}`;
  says('{}', 'Speakers: by channel');
  says('{"diarization": true}', 'Speakers: by voice');
  says(config('"min_speakers": 2, "max_speakers": 4'), 'Speakers: 2 to 4');
  says(config('"min_speakers": 2, "max_speakers": 2'), 'Speakers: 2');
  says(config('"min_speakers": 2'), 'Speakers: 2 or more');
  says(config('"max_speakers": 4'), 'Speakers: up to 4');
  says(config('"number_of_speakers": 3, "max_speakers": 4'), 'Speakers: 3');
  says('{"diarization_config": {"number_of_speakers": 3}}', 'Speakers: by channel');
});

test('says what vocabulary does, by rules 5 and 6', () => {
  const config = (on: boolean, terms: string) =>
    `{"custom_vocabulary": ${on}, "custom_vocabulary_config": {"vocabulary": [${terms}]}}`;
  says(config(true, '"a", "b"'), 'Vocabulary: 2 terms, by sound, after transcription');
  says(config(true, '"a"'), 'Vocabulary: 1 term, by sound, after transcription');
  says(config(true, ''), 'Vocabulary: no terms');
  says(config(false, '"a"'), 'Vocabulary: off');
});

test('says what subtitles there will be', () => {
  says('{"subtitles": true}', 'Subtitles: on');
  says(
    '{"subtitles": true, "subtitles_config": {"formats": ["srt", "vtt"], "maximum_characters_per_row": 42, "maximum_rows_per_caption": 2}, "translation": true}',
    'Subtitles: srt + vtt, 42 × 2, one per target language',
    'Translation: on',
  );
  says(
    '{"subtitles": true, "subtitles_config": {"maximum_rows_per_caption": 2, "style": "compliance"}}',
    'Subtitles: on, rows: 2, strict formatting',
  );
});

test('says what else comes back', () => {
  says(
    '{"summarization": true, "summarization_config": {"type": "bullet_points"}, "sentences": true}',
    'Also: a summary in bullet points, sentences',
  );
  says('{"translation": true, "translation_config": {"target_languages": ["fr", "de"]}}', 'Translation: into fr, de');
});

test('takes wrong types for missing', () => {
  const parts = describeEffect(parseRequest('{"language_config": [], "diarization": "yes", "subtitles": 1}').body);
  assert.deepEqual(
    parts.map(({ text }) => text),
    ['Language: detected once on the first utterance', 'Speakers: by channel'],
  );
});

test('has an explanation for every part and every rule', () => {
  const body = parseRequest(
    '{"custom_vocabulary": true, "subtitles": true, "translation": true, "sentences": true}',
  ).body;
  for (const id of [...describeEffect(body).map(({ topic }) => topic), ...ruleCatalog.map(({ code }) => code)]) {
    assert.match(explainTopic(id) ?? '', /^# .+\n\n.+/u, id);
  }
  assert.ok(explainTopic('diarization/one-speaker')?.includes('**`diarization/one-speaker`**'));
  assert.equal(explainTopic('nothing/of-the-kind'), undefined);
});
