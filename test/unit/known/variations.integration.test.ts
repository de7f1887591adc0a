import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRequest } from '../../../src/language/check.ts';
import { chooseFix, fixAll } from '../../../src/language/edits.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import type { ServiceChoice } from '../../../src/known/knownService.ts';
import { parseRequest, type RequestFile } from '../../../src/language/request/requestFile.ts';
import { schemaErrors } from '../language/schemaCheck.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const url = '"audio_url": "https://media.example.com/a.mp3"';

function check(request: RequestFile, service: ServiceChoice) {
  return checkRequest(request, schemaErrors, { nowMs, knowledge: findServiceKnowledge(service) });
}

const diarization = '"diarization": true';
const french = '"language_config": {"languages": ["fr"]}';
const translation = '"translation": true, "translation_config": {"target_languages": ["fr"]}';
const subtitles = '"subtitles": true, "subtitles_config": {"formats": ["srt"]}';
const vocabulary = '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Helm"]}';
const callback = '"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}';
const prompts = '"audio_to_llm": true, "audio_to_llm_config": {"prompts": ["Sum up"]}';

/** Mistakes by topic, with their text after Fix All, which has no findings. */
const variations: readonly (readonly [written: string, fixed: string])[] = [
  // Legacy names inside objects, in other spellings, with unusual values.
  ['"language": {"code": "fr"}', french],
  ['"language_config": {"code_switching_config": {"languages": ["fr"]}}', french],
  ['"code_switching_config": ["fr"]', french],
  ['"language_config": {"language_behavior": "manual", "languages": ["fr"]}', french],
  ['"language_config": {"context_prompt": "A call", "languages": ["fr"]}', french],
  ['"toggle_diarization": "true"', diarization],
  ['"enable_subtitles": false', '"subtitles": false'],
  ['"diarizationEnabled": 1', diarization],
  // Settings in place of a switch or an object.
  ['"custom_vocabulary": {"words": ["Helm"]}', vocabulary],
  ['"translation": {"target_language": "fr"}', translation],
  ['"translation": {"enabled": true, "target_languages": ["fr"]}', translation],
  [
    '"summarization": {"enabled": false, "type": "concise"}',
    '"summarization": false, "summarization_config": {"type": "concise"}',
  ],
  ['"subtitles": {"format": "SRT"}', subtitles],
  ['"diarization": {"speakers": 2}', '"diarization": true, "diarization_config": {"number_of_speakers": 2}'],
  [
    '"diarization": true, "diarization_config": 2',
    '"diarization": true, "diarization_config": {"number_of_speakers": 2}',
  ],
  ['"summarization": ["concise"]', '"summarization": true, "summarization_config": {"type": "concise"}'],
  ['"callback": ["https://hooks.example.com/a"]', callback],
  ['"callback": true, "callback_config": ["https://hooks.example.com/a"]', callback],
  ['"audio_to_llm": {"prompt": "Sum up"}', prompts],
  ['"audio_to_llm": true, "audio_to_llm_config": {"prompts": [{"prompt": "Sum up"}]}', prompts],
  [
    '"custom_spelling": true, "custom_spelling_config": [{"from": "sequel", "to": "SQL"}]',
    '"custom_spelling": true, "custom_spelling_config": {"spelling_dictionary": {"SQL": ["sequel"]}}',
  ],
  ['"language_config": {"languages": [{"code": "fr"}]}', french],
  ['"language_config": {"languages": "[\\"fr\\"]"}', french],
  ['"language_config": "{\\"languages\\": [\\"fr\\"]}"', french],
  ['"language_config": {"languages": ["fr", null]}', french],
  // Numbers as strings.
  [
    '"custom_vocabulary_config": {"vocabulary": ["Helm"], "default_intensity": "50%"}, "custom_vocabulary": true',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Helm"], "default_intensity": 0.5}',
  ],
  [
    '"custom_vocabulary_config": {"vocabulary": ["Helm"], "default_intensity": "0,5"}, "custom_vocabulary": true',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Helm"], "default_intensity": 0.5}',
  ],
  [
    '"subtitles": true, "subtitles_config": {"formats": ["srt"], "maximum_duration": "5s"}',
    '"subtitles": true, "subtitles_config": {"formats": ["srt"], "maximum_duration": 5}',
  ],
  [
    '"diarization": true, "diarization_config": {"number_of_speakers": "auto"}',
    '"diarization": true, "diarization_config": {}',
  ],
  ['"custom_metadata": ""', ''],
  // Several values in one string.
  ['"language_config": {"languages": ["en/fr"]}', '"language_config": {"languages": ["en", "fr"]}'],
  ['"language_config": {"languages": ["English and French"]}', '"language_config": {"languages": ["en", "fr"]}'],
  ['"language_config": {"languages": "french & german"}', '"language_config": {"languages": ["fr", "de"]}'],
  [
    '"subtitles": true, "subtitles_config": {"formats": ["SRT, webvtt"]}',
    '"subtitles": true, "subtitles_config": {"formats": ["srt", "vtt"]}',
  ],
  // Invalid values.
  [
    '"summarization": true, "summarization_config": {"type": "bullets"}',
    '"summarization": true, "summarization_config": {"type": "bullet_points"}',
  ],
  // URLs.
  ['"callback": true, "callback_config": {"url": "https://hooks.example.com/a "}', callback],
  ['"callback": true, "callback_config": {"url": "https:/hooks.example.com/a"}', callback],
  ['"callback": true, "callback_config": {"url": "htps://hooks.example.com/a"}', callback],
  ['"callback": true, "callback_config": {"url": "<https://hooks.example.com/a>"}', callback],
  // Pasted from responses.
  ['"filename": "a.mp3", "extension": "mp3", "size": 1, "audio_duration": 3, "number_of_channels": 1', ''],
  ['"result": {"metadata": {}}, "status": "done"', ''],
];

for (const [written, fixed] of variations) {
  test(`fixes ${written}`, () => {
    const request = parseRequest(`{${url}, ${written}}`);
    assert.deepEqual(request.problems, []);
    assert.notDeepEqual(check(request, 'gladia'), []);
    const { text } = fixAll(request, (each) => check(each, 'gladia'), chooseFix);
    assert.deepEqual(JSON.parse(text), JSON.parse(`{${[url, fixed].filter(Boolean).join(', ')}}`));
    const left = check(parseRequest(text), 'gladia').filter(({ severity }) => severity !== 'hint');
    assert.deepEqual(left, []);
    for (const service of ['auto', 'none'] as const) {
      const errors = check(request, service).filter(({ severity }) => severity === 'error');
      assert.ok(
        errors.every(({ code }) => code === 'schema/type'),
        'only types of the interface are errors',
      );
    }
  });
}

/** Values that are present but empty. */
for (const written of [
  '"audio_to_llm": true, "audio_to_llm_config": {"prompts": [""]}',
  '"custom_spelling": true, "custom_spelling_config": {"spelling_dictionary": {"SQL": []}}',
  '"callback": true, "callback_config": {"url": " "}',
]) {
  test(`reports a missing value in ${written}`, () => {
    const shown = check(parseRequest(`{${url}, ${written}}`), 'gladia').map(({ code }) => code);
    assert.deepEqual(shown, ['service/missing']);
  });
}

/** Values that only look like mistakes. */
for (const written of [
  '"custom_metadata": {"enable_diarization": true, "data": {"tags": ["a"]}, "size": 3}',
  '"custom_spelling": true, "custom_spelling_config": {"spelling_dictionary": {"tags": ["tax"], "data": ["daytar"]}}',
  '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["R&D", "CI/CD", "Marks and Spencer"]}',
]) {
  test(`reports nothing about ${written}`, () => {
    for (const service of ['gladia', 'auto', 'none'] as const) {
      assert.deepEqual(check(parseRequest(`{${url}, ${written}}`), service), []);
    }
  });
}
