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

/** A common mistake, the code of its finding, and the members after Fix All; undefined if Fix All changes nothing. */
type Mistake = readonly [title: string, members: string, code: string, fixed?: string];

/** Mistakes in parts that the interface does not specify: only found for a known service, and never errors. */
const aboutService: readonly Mistake[] = [
  [
    'the number of speakers under a short name',
    '"diarization": true, "diarization_config": {"speakers": 2}',
    'service/foreign-name',
    '"diarization": true, "diarization_config": {"number_of_speakers": 2}',
  ],
  [
    'a number of speakers in quotes outside its object',
    '"speakers_expected": "2"',
    'service/foreign-name',
    '"diarization": true, "diarization_config": {"number_of_speakers": 2}',
  ],
  ['language detection under the name of another service', '"language_detection": true', 'service/foreign-name', ''],
  [
    'a former name in camel case',
    '"enableCodeSwitching": true, "codeSwitchingConfig": {"languages": ["en", "fr"]}',
    'service/legacy-name',
    '"language_config": {"code_switching": true, "languages": ["en", "fr"]}',
  ],
  ['a former name in camel case without a successor', '"contextPrompt": "A meeting"', 'service/legacy-name', ''],
  ['capitals', '"Language": "fr"', 'service/legacy-name', '"language_config": {"languages": ["fr"]}'],
  [
    'prompts under their former name',
    '"custom_prompts": true, "custom_prompts_config": {"prompts": ["Sum up"]}',
    'service/legacy-name',
    '"audio_to_llm": true, "audio_to_llm_config": {"prompts": ["Sum up"]}',
  ],
  [
    'auto among the languages',
    '"language_config": {"languages": ["auto"]}',
    'service/language-code',
    '"language_config": {"languages": []}',
  ],
  [
    'an empty language',
    '"language_config": {"languages": ["en", ""]}',
    'service/language-code',
    '"language_config": {"languages": ["en"]}',
  ],
  [
    'a language in capitals',
    '"language_config": {"languages": ["EN"]}',
    'service/language-code',
    '"language_config": {"languages": ["en"]}',
  ],
  [
    'a script after the language',
    '"language_config": {"languages": ["zh-Hans"]}',
    'service/language-code',
    '"language_config": {"languages": ["zh"]}',
  ],
  [
    'languages by uncommon names',
    '"language_config": {"languages": ["Mandarin", "Farsi", "Brazilian Portuguese"]}',
    'service/language-code',
    '"language_config": {"languages": ["zh", "fa", "pt"]}',
  ],
  [
    'a region in brackets',
    '"language_config": {"languages": ["Spanish (Mexico)"]}',
    'service/language-code',
    '"language_config": {"languages": ["es"]}',
  ],
  [
    'a target with its region',
    '"translation": true, "translation_config": {"target_languages": ["en-US"]}',
    'service/language-code',
    '"translation": true, "translation_config": {"target_languages": ["en"]}',
  ],
  [
    'targets in one string',
    '"translation": true, "translation_config": {"target_languages": "fr, de"}',
    'schema/known-type',
    '"translation": true, "translation_config": {"target_languages": ["fr", "de"]}',
  ],
  [
    'one target under a singular name',
    '"translation": true, "translation_config": {"target_language": "fr"}',
    'service/foreign-name',
    '"translation": true, "translation_config": {"target_languages": ["fr"]}',
  ],
  [
    'a source language of a translation',
    '"translation": true, "translation_config": {"source_language": "en", "target_languages": ["fr"]}',
    'service/foreign-name',
    '"translation": true, "translation_config": {"target_languages": ["fr"]}',
  ],
  [
    'subtitles with shortened names',
    '"subtitles": true, "subtitles_config": {"max_characters_per_row": 42, "max_rows": 2, "max_duration": 5}',
    'service/foreign-name',
    '"subtitles": true, "subtitles_config": {"maximum_characters_per_row": 42, "maximum_rows_per_caption": 2, "maximum_duration": 5}',
  ],
  [
    'captions of half a second',
    '"subtitles": true, "subtitles_config": {"maximum_duration": 0.5}',
    'service/range',
    '"subtitles": true, "subtitles_config": {"maximum_duration": 1}',
  ],
  [
    'an invalid style',
    '"subtitles": true, "subtitles_config": {"style": "Compliance"}',
    'service/value',
    '"subtitles": true, "subtitles_config": {"style": "compliance"}',
  ],
  [
    'the type of a summary under the name of another service',
    '"summarization": true, "summary_type": "bullet_points"',
    'service/foreign-name',
    '"summarization": true, "summarization_config": {"type": "bullet_points"}',
  ],
  [
    'a single prompt',
    '"audio_to_llm": true, "audio_to_llm_config": {"prompt": "Who decided what, and why?"}',
    'service/foreign-name',
    '"audio_to_llm": true, "audio_to_llm_config": {"prompts": ["Who decided what, and why?"]}',
  ],
  [
    'lists of prompts in a list',
    '"audio_to_llm": true, "audio_to_llm_config": {"prompts": [["Sum up"]]}',
    'schema/known-type',
    '"audio_to_llm": true, "audio_to_llm_config": {"prompts": ["Sum up"]}',
  ],
  [
    'kinds of personal information by other names',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["PERSON", "EMAIL", "SOCIAL_SECURITY_NUMBER", "hipaa"]}',
    'service/value',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["NAME", "EMAIL_ADDRESS", "SSN", "HIPAA_SAFE_HARBOR"]}',
  ],
  [
    'kinds of personal information in one string of a list',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["NAME, SSN"]}',
    'service/several-in-one',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["NAME", "SSN"]}',
  ],
  [
    'the mode of redaction in lower case under another name',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["GDPR"], "mode": "mask"}',
    'service/foreign-name',
    '"pii_redaction": true, "pii_redaction_config": {"entity_types": ["GDPR"], "processed_text_type": "MASK"}',
  ],
  [
    'the method of a callback in lower case',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a", "method": "post"}',
    'service/value',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a", "method": "POST"}',
  ],
  [
    'a callback without its scheme',
    '"callback": true, "callback_config": {"url": "hooks.example.com/a"}',
    'service/callback-address',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}',
  ],
  [
    'the URL of a callback in place of its settings',
    '"callback": true, "callback_config": "https://hooks.example.com/a"',
    'schema/known-type',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}',
  ],
  [
    'the URL of a callback in place of its switch',
    '"callback": "https://hooks.example.com/a"',
    'schema/known-type',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}',
  ],
  [
    'the URL of a callback under another name',
    '"callback": true, "callback_config": {"endpoint": "https://hooks.example.com/a"}',
    'service/foreign-name',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}',
  ],
  [
    'switches of a live callback',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a", "receive_final_transcripts": true}',
    'service/live-only',
    '"callback": true, "callback_config": {"url": "https://hooks.example.com/a"}',
  ],
  [
    'terms under another name',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"words": ["Helm"]}',
    'service/foreign-name',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Helm"]}',
  ],
  [
    'vocabulary entries in the format of another service',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": [{"word": "Helm", "sounds_like": ["elm"], "boost": 5}]}',
    'service/foreign-name',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": [{"value": "Helm", "pronunciations": ["elm"]}]}',
  ],
  [
    'an intensity in percent',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Helm"], "default_intensity": 50}',
    'service/range',
    '"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["Helm"], "default_intensity": 0.5}',
  ],
  [
    'a dictionary of single words',
    '"custom_spelling": true, "custom_spelling_config": {"spelling_dictionary": {"SQL": "sequel"}}',
    'schema/known-type',
    '"custom_spelling": true, "custom_spelling_config": {"spelling_dictionary": {"SQL": ["sequel"]}}',
  ],
  [
    'a dictionary as a list of pairs',
    '"custom_spelling": [{"from": ["sequel"], "to": "SQL"}]',
    'schema/known-type',
    '"custom_spelling": true, "custom_spelling_config": {"spelling_dictionary": {"SQL": ["sequel"]}}',
  ],
  [
    'metadata as a string',
    '"custom_metadata": "{\\"show\\": 1}"',
    'schema/known-type',
    '"custom_metadata": { "show": 1 }',
  ],
  ['metadata that is not an object, as a string', '"custom_metadata": "[1]"', 'schema/known-type'],
  ['metadata of 2,001 characters', `"custom_metadata": {"n": "${'x'.repeat(1993)}"}`, 'service/too-long'],
  ['a pasted response', '"id": "1", "result_url": "https://api.example.com/v2/x"', 'service/foreign-name', ''],
  [
    'a pasted job',
    '"id": "1", "request_params": {"diarization": true}, "status": "done"',
    'service/foreign-name',
    '"diarization": true',
  ],
  [
    'options in a wrapper',
    '"options": {"diarization": true, "sentences": false}',
    'service/foreign-name',
    '"diarization": true, "sentences": false',
  ],
  ['the API key', '"x-gladia-key": "0000"', 'service/foreign-name', ''],
  [
    'settings of a feature without settings',
    '"named_entity_recognition_config": {"types": ["PERSON"]}',
    'service/foreign-name',
    '',
  ],
];

/** Mistakes in the audio URL or in parts that the interface specifies: found for every service. */
const aboutInterface: readonly Mistake[] = [
  [
    'no speakers',
    '"diarization": true, "diarization_config": {"number_of_speakers": 0}',
    'diarization/impossible-count',
  ],
  ['no rows', '"subtitles": true, "subtitles_config": {"maximum_rows_per_caption": 0}', 'subtitles/impossible-size'],
  [
    'a format in capitals',
    '"subtitles": true, "subtitles_config": {"formats": ["SRT"]}',
    'schema/value',
    '"subtitles": true, "subtitles_config": {"formats": ["srt"]}',
  ],
  [
    'a duplicate format, as a file extension',
    '"subtitles": true, "subtitles_config": {"formats": ["srt", ".SRT"]}',
    'schema/value',
    '"subtitles": true, "subtitles_config": {"formats": ["srt"]}',
  ],
  [
    'a format by its full name',
    '"subtitles": true, "subtitles_config": {"formats": ["WebVTT"]}',
    'schema/value',
    '"subtitles": true, "subtitles_config": {"formats": ["vtt"]}',
  ],
  ['an invalid format', '"subtitles": true, "subtitles_config": {"formats": ["txt"]}', 'schema/value'],
  ['a switch twice', '"diarization": true, "diarization": false', 'json/duplicate-key'],
  ['a config that is a letter off', '"diarisation_config": {"max_speakers": 2}', 'fields/misspelt'],
];

const addresses: readonly (readonly [title: string, address: string, code: string])[] = [
  ['a bucket', 's3://bucket/a.mp3', 'audio-url/not-http'],
  ['a placeholder', 'YOUR_AUDIO_URL', 'audio-url/not-http'],
  ['audio in a data URL', 'data:audio/mpeg;base64,SUQz', 'audio-url/not-http'],
  ['a folder of a drive', 'https://drive.google.com/drive/folders/1AbC', 'audio-url/page-link'],
  ['a recording of a meeting', 'https://us02web.zoom.us/rec/share/abc', 'audio-url/page-link'],
  ['an episode of a podcast', 'https://open.spotify.com/episode/1', 'audio-url/page-link'],
  ['an address of the office', 'https://nas.office.lan/a.mp3', 'audio-url/private-address'],
];

test('there are at least forty further mistakes', () => assert.ok(aboutService.length + aboutInterface.length >= 40));

for (const [title, members, code, fixed] of aboutService) {
  test(`finds ${title}, without an error if the service is unknown`, () => {
    const request = parseRequest(`{${url}, ${members}}`);
    assert.deepEqual(request.problems, []);
    const found = check(request, 'gladia').map((finding) => `${finding.severity} ${finding.code}`);
    assert.ok(found.includes(`warning ${code}`), found.join(', '));
    for (const service of ['auto', 'none'] as const) {
      const shown = check(request, service).filter((finding) => finding.severity === 'error');
      assert.deepEqual(shown, [], service);
    }
    if (fixed === undefined) return;
    const { text } = fixAll(request, (each) => check(each, 'gladia'), chooseFix);
    assert.deepEqual(JSON.parse(text), JSON.parse(`{${[url, fixed].filter(Boolean).join(', ')}}`));
    const left = check(parseRequest(text), 'gladia').filter(({ severity }) => severity === 'warning');
    assert.deepEqual(left, []);
  });
}

for (const [title, members, code, fixed] of aboutInterface) {
  test(`finds ${title} once, for every service`, () => {
    const request = parseRequest(`{${url}, ${members}}`);
    for (const service of ['gladia', 'auto', 'none'] as const) {
      const shown = check(request, service).filter(({ severity }) => severity === 'warning');
      assert.deepEqual(
        shown.map((finding) => finding.code),
        [code],
        service,
      );
      if (fixed === undefined) continue;
      const { text } = fixAll(request, (each) => check(each, service), chooseFix);
      assert.deepEqual(JSON.parse(text), JSON.parse(`{${url}, ${fixed}}`));
    }
  });
}

test('offers no fix if the intended value is unclear', () => {
  for (const members of [
    '"custom_metadata": "[1]"',
    '"custom_metadata": "{a: 1}"',
    '"custom_metadata": "show 1"',
    `"custom_metadata": ${JSON.stringify('{"a":'.repeat(300) + '1' + '}'.repeat(300))}`,
    '"subtitles": true, "subtitles_config": {"formats": ["txt"]}',
  ]) {
    const shown = check(parseRequest(`{${url}, ${members}}`), 'gladia');
    assert.deepEqual(
      shown.map(({ fixes }) => fixes),
      [undefined],
      members,
    );
  }
});

for (const [title, address, code] of addresses) {
  test(`finds ${title} for audio`, () => {
    const shown = check(parseRequest(JSON.stringify({ audio_url: address })), 'none');
    assert.deepEqual(
      shown.filter(({ severity }) => severity === 'warning').map((finding) => finding.code),
      [code],
    );
  });
}
