import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRequest } from '../../../../../src/domain/request/check.ts';
import { chooseFix, fixAll } from '../../../../../src/domain/request/edits.ts';
import { findServiceKnowledge } from '../../../../../src/domain/request/known/serviceKnowledge.ts';
import type { ServiceChoice } from '../../../../../src/domain/request/known/knownService.ts';
import { parseRequest, type RequestFile } from '../../../../../src/domain/request/requestFile.ts';
import { schemaErrors } from '../../../../unit/domain/request/schemaCheck.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const url = '"audio_url": "https://media.example.com/a.mp3"';

function check(request: RequestFile, service: ServiceChoice) {
  return checkRequest(request, schemaErrors, { nowMs, knowledge: findServiceKnowledge(service) });
}

const french = '"language_config": {"languages": ["fr"]}';
const translation = '"translation": true, "translation_config": {"target_languages": ["fr"]}';
const subtitles = '"subtitles": true, "subtitles_config": {"formats": ["srt"]}';
const vocabulary = '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Helm"]}';
const callback = '"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}';
const redaction = '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["NAME"]}';

/** Names of other services, and their text after Fix all, which has no findings. */
const variations: readonly (readonly [written: string, fixed: string])[] = [
  ['"webhook": {"url": "https://hooks.example.com/a"}', callback],
  ['"notification_config": [{"url": "https://hooks.example.com/a"}]', callback],
  ['"translate": "fr"', translation],
  ['"translate_to": "French"', translation],
  ['"redact": ["person_name"]', redaction],
  ['"speechContexts": [{"phrases": ["Helm"]}]', vocabulary],
  [
    '"additional_vocab": [{"content": "Helm", "sounds_like": ["elm"]}]',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": [{"value": "Helm", "pronunciations": ["elm"]}]}',
  ],
  ['"captions": ["srt"]', subtitles],
  ['"speaker_options": {"max_speakers_expected": 3}', '"diarization": true, "diarization_config": {"max_speakers": 3}'],
  ['"transcription_config": {"language": "fr"}', french],
  ['"tags": ["a"], "utt_split": 0.8, "alternatives": 2', ''],
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
