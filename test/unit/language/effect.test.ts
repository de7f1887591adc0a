import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeEffect } from '../../../src/language/effect.ts';
import { explainTopic } from '../../../src/language/explainTopic.ts';
import { sampleBaseUrl } from '../../../src/known/knownService.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { ruleCatalog } from '../../../src/language/check.ts';

function says(json: string, ...expected: readonly string[]): void {
  const texts = describeEffect(parseRequest(json).body).map(({ text }) => text);
  for (const text of expected) assert.ok(texts.includes(text), `${json}: ${texts.join(' · ')}`);
}

function topics(json: string): readonly string[] {
  return describeEffect(parseRequest(json).body).map(({ topic }) => topic);
}

test('describes how the language is detected, by rules 1 to 4', () => {
  const config = (languages: string, switching: string) =>
    `{"language_config": {"languages": ${languages}, "code_switching": ${switching}}}`;
  says('{}', 'Language: detected');
  const withDefault = describeEffect({}, findServiceKnowledge('gladia')).map(({ text }) => text);
  assert.deepEqual(withDefault, ['Language: detected once on the first utterance']);
  says(config('[]', 'false'), 'Language: detected once on the first utterance');
  says(config('[""]', 'false'), 'Language: detected');
  says(config('["en"]', 'true'), 'Language: en');
  says(config('["en", "fr"]', 'false'), 'Languages: en, fr, not re-detected per utterance');
  says('{"language_config": {"languages": ["en", "fr"]}}', 'Languages: en, fr (code_switching is not set)');
  says(config('["en", "fr"]', 'true'), 'Language: en, fr, re-detected per utterance');
  says(config('[]', 'true'), 'Language: detected per utterance (100+)');
});

test('describes how speakers are distinguished, by rule 8', () => {
  const config = (hints: string) => `{"diarization": true, "diarization_config": {${hints}}}`;
  assert.ok(!topics('{}').includes('speakers'));
  says('{"diarization": true}', 'Speakers on one channel: separated');
  says(config('"min_speakers": 2, "max_speakers": 4'), 'Speakers on one channel: separated, hint: 2 to 4');
  says(config('"min_speakers": 2, "max_speakers": 2'), 'Speakers on one channel: separated, hint: 2');
  says(config('"min_speakers": 2'), 'Speakers on one channel: separated, hint: 2 or more');
  says(config('"max_speakers": 4'), 'Speakers on one channel: separated, hint: up to 4');
  says(config('"number_of_speakers": 3, "max_speakers": 4'), 'Speakers on one channel: separated, hint: 3');
  assert.ok(!topics('{"diarization_config": {"number_of_speakers": 3}}').includes('speakers'));
});

test('describes the effect of the vocabulary, by rules 5 and 6', () => {
  const config = (on: boolean, terms: string) =>
    `{"custom_vocabulary": ${on}, "custom_vocabulary_config": {"vocabulary": [${terms}]}}`;
  says(config(true, '"a", "b"'), 'Vocabulary: 2 terms');
  says(config(true, '"a"'), 'Vocabulary: 1 term');
  says(config(true, ''), 'Vocabulary: no terms');
  says(config(false, '"a"'), 'Vocabulary: off');
});

test('describes the subtitles', () => {
  says('{"subtitles": true}', 'Subtitles: on');
  says(
    '{"subtitles": true, "subtitles_config": {"formats": ["srt", "vtt"], "maximum_characters_per_row": 42, "maximum_rows_per_caption": 2}, "translation": true}',
    'Subtitles: srt + vtt, 42 × 2, for each translation',
    'Translation: on',
  );
  says(
    '{"subtitles": true, "subtitles_config": {"maximum_rows_per_caption": 2, "style": "compliance"}}',
    'Subtitles: rows: 2, strict formatting',
  );
});

test('omits features that are empty or off', () => {
  const config = (formats: string) =>
    `{"subtitles": true, "subtitles_config": {"formats": ${formats}, "maximum_characters_per_row": 60}}`;
  for (const formats of ['[]', '[""]', '[" "]', 'null']) says(config(formats), 'Subtitles: 60 characters per line');
  assert.deepEqual(topics('{"diarization": false, "subtitles": false, "translation": false}'), ['language']);
});

test('describes the additional results', () => {
  says(
    '{"summarization": true, "summarization_config": {"type": "bullet_points"}, "sentences": true}',
    'Also: a summary in bullet points, sentences',
  );
  says('{"translation": true, "translation_config": {"target_languages": ["fr", "de"]}}', 'Translation: into fr, de');
});

test('describes subtitles, summary, spelling, redaction and answers, and the destinations of the result', () => {
  says(
    '{"subtitles": true, "translation": true, "translation_config": {"target_languages": ["fr", "de"], "model": "enhanced"}}',
    'Subtitles: for each translation (fr, de)',
    'Translation: into fr, de (enhanced)',
  );
  const ofGladia = describeEffect({ subtitles: true, translation: true }, findServiceKnowledge('gladia'));
  assert.equal(ofGladia[1]?.text, 'Subtitles: for the original and each translation');
  const ofSample = describeEffect({ subtitles: true, translation: true }, findServiceKnowledge('auto', sampleBaseUrl));
  assert.equal(ofSample[1]?.text, 'Subtitles: for the original and each translation');
  says('{"subtitles": true, "subtitles_config": {"formats": []}}', 'Subtitles: on');
  says(
    '{"model": "solaria-3", "summarization": true, "summarization_config": {"type": "concise"}, "custom_spelling": true, "custom_spelling_config": {"spelling_dictionary": {"SQL": ["sequel"]}}, "audio_to_llm": true, "audio_to_llm_config": {"prompts": ["a", "b"]}, "pii_redaction": true, "pii_redaction_config": {"entity_types": ["GDPR"]}}',
    'Also: model solaria-3, a summary (concise), custom spelling (1), answers of a language model (2), personal information removed (GDPR)',
  );
  says(
    '{"callback": true, "callback_config": {"url": "https://me:pw@hooks.example.com/secret?key=1"}}',
    'Results are also sent to: hooks.example.com',
  );
  says('{"callback": true}', 'Callback: no address');
  assert.ok(!topics('{"callback_config": {"url": "https://hooks.example.com/"}}').includes('callback'));
});

test('names every host that may receive results in addition to the service', () => {
  const goTo = (json: string): string | undefined =>
    describeEffect(parseRequest(json).body, undefined, json).find(({ topic }) => topic === 'callback')?.text;
  const audio = '"audio_url": "https://media.example/a.wav"';
  assert.equal(
    goTo(
      `{${audio}, "callback_url": "https://one.example/x", "hooks": [{"to": " HTTP:two.example"}, "\\u0068ttps://u:p@three.example:8080/?k"]}`,
    ),
    'Results are also sent to: one.example, two.example, three.example:8080',
  );
  // A service may use any of several members with the same name.
  const repeated = '"callback": true, "callback_config": {"url": "https://shown.example"}';
  assert.equal(
    goTo(`{${audio}, "callback_config": {"url": "https://hidden.example"}, "callback": false, ${repeated}}`),
    'Results are also sent to: hidden.example, shown.example',
  );
  assert.equal(goTo(`{${audio}, ${repeated}, "callback": false}`), 'Results are also sent to: shown.example');
  assert.equal(
    goTo(`{${audio}, "custom_metadata": {"ticket": "https://notes.example"}, "$schema": "https://schema.example"}`),
    undefined,
  );
  assert.equal(goTo(`{${audio}, "prompt": "Say what https://stands.example says"}`), undefined);
  assert.equal(goTo(`{${audio}, "callback": false, "callback_config": {"url": "https://off.example"}}`), undefined);
});

test('names a limited number of hosts', () => {
  const hooks = Array.from({ length: 90 }, (_, index) => `https://host${index}.example`);
  const [first] = describeEffect({ hooks });
  assert.match(
    first?.text ?? '',
    /^Results are also sent to: (?:host\d+\.example, ){19}host19\.example and other addresses$/u,
  );
});

test('says that there may be other destinations if there are too many addresses to read them all', () => {
  const json = (count: number): string =>
    JSON.stringify({ hooks: Array.from({ length: count }, (_, index) => `https://one.example/${index}`) });
  const [all] = describeEffect(parseRequest(json(9_999)).body);
  assert.equal(all?.text, 'Results are also sent to: one.example');
  const [some] = describeEffect(parseRequest(json(10_000)).body);
  assert.equal(some?.text, 'Results are also sent to: one.example and other addresses');
});

test('treats legacy names as their replacements, with a caveat', () => {
  const body = parseRequest('{"language": "fr", "diarization_max_speakers": 3}').body;
  const texts = describeEffect(body, findServiceKnowledge('gladia')).map(({ text }) => text);
  assert.deepEqual(texts, [
    'Language: fr',
    'Speakers on one channel: separated, hint: up to 3',
    'Old names, if Gladia still accepts them: language, diarization_max_speakers',
  ]);
  const said = describeEffect(
    parseRequest('{"language": "fr", "language_config": {"languages": ["en"]}}').body,
    findServiceKnowledge('gladia'),
  );
  assert.deepEqual(
    said.map(({ text }) => text),
    ['Language: en'],
  );
});

test('treats null as missing, also beside a legacy name', () => {
  const texts = (json: string) =>
    describeEffect(parseRequest(json).body, findServiceKnowledge('auto')).map(({ text }) => text);
  for (const json of [
    '{"toggle_diarization": true, "diarization": null}',
    '{"enable_code_switching": true, "language_config": {"languages": ["en", "fr"], "code_switching": null}}',
    '{"language": "fr", "language_config": null}',
  ]) {
    const without = json.replace(/, "\w+": null/u, '');
    assert.notEqual(without, json);
    assert.deepEqual(texts(json), texts(without));
  }
});

test('treats a value of another type as missing, also beside a legacy name', () => {
  for (const wrong of ['""', '3', '[]']) {
    const { body } = parseRequest(`{"language": "fr", "language_config": ${wrong}}`);
    const texts = describeEffect(body, findServiceKnowledge('gladia')).map(({ text }) => text);
    assert.deepEqual(texts, ['Language: fr', 'Old names, if Gladia still accepts them: language']);
  }
});

test('names the destinations of results first, so that they are visible if the line is truncated', () => {
  const json = '{"callback": true, "callback_config": {"url": "https://hooks.example.com"}, "diarization": true}';
  assert.deepEqual(topics(json), ['callback', 'language', 'speakers']);
});

test('treats wrong types as missing', () => {
  const parts = describeEffect(parseRequest('{"language_config": [], "diarization": "yes", "subtitles": 1}').body);
  assert.deepEqual(
    parts.map(({ text }) => text),
    ['Language: detected'],
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
