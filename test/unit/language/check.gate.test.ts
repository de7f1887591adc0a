import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { gateRequest } from '../../../src/language/check.ts';
import { maxEditorLength } from '../../../src/language/request/requestFile.ts';
import { editedText } from './jsonTexts.ts';
import { withChanges } from './withChanges.ts';
import { relaxedRequestText } from './requestTexts.ts';
import { schemaErrors } from './schemaCheck.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

const gate = (text: string) => gateRequest(text, schemaErrors, { nowMs: 0 });
const url = '"audio_url": "https://media.example.com/a.mp3"';

test('passes valid requests, with every number as written', () => {
  const text = `{${url}, "custom_metadata": {"id": 12345678901234567890, "one": 1.0, "big": 1e400}}`;
  const result = gate(text);
  assert.ok(result.type === 'ok');
  assert.equal(result.body, text);
  assert.deepEqual(result.warnings, []);
});

test('removes byte order mark, comments and trailing commas from the body', () => {
  const result = gate(`\uFEFF{${url}, // where\r\n"diarization_config": {"min_speakers": 2,},}`);
  assert.ok(result.type === 'ok');
  assert.equal(result.body, `{${url}, \r\n"diarization_config": {"min_speakers": 2}}`);
  assert.deepEqual(
    result.warnings.map(({ code }) => code),
    ['json/not-strict', 'switches/config-without-switch', 'json/not-strict'],
  );
});

test('blocks a very long text without reading it, and says what to do', () => {
  for (const text of [`{${url}, "note": "${'a'.repeat(maxEditorLength)}"}`, '/'.repeat(maxEditorLength + 1)]) {
    const before = process.threadCpuUsage();
    const result = gate(text);
    assert.ok(process.threadCpuUsage(before).user < 50_000, 'microseconds');
    assert.ok(result.type === 'blocked');
    assert.deepEqual(
      result.findings.map(({ code }) => code),
      ['json/too-long'],
    );
    assert.match(result.findings[0]?.message ?? '', /characters\. .+ shorten it/u);
  }
});

test('blocks only syntax errors and wrong types', () => {
  const blocked: readonly (readonly [string, string])[] = [
    ['', 'json/syntax'],
    ['{', 'json/syntax'],
    [`{${url}} {}`, 'json/syntax'],
    ['['.repeat(100_000), 'json/syntax'],
    ['[]', 'schema/type'],
    ['null', 'schema/type'],
    ['{"audio_url": 1}', 'schema/type'],
    [`{${url}, "diarization_config": {"min_speakers": 1.5}}`, 'schema/type'],
    [`{${url}, "custom_vocabulary_config": {"vocabulary": [1]}}`, 'schema/type'],
    [`{${url}, "custom_vocabulary_config": {"vocabulary": [{"value": null}]}}`, 'schema/type'],
    [`{${url}, "language_config": {"languages": [null]}}`, 'schema/type'],
  ];
  for (const [text, code] of blocked) {
    const result = gate(text);
    assert.ok(result.type === 'blocked', text);
    assert.equal(result.findings[0]?.code, code, text);
  }
});

test('does not block null in optional fields, or wrong types of fields outside the contract', () => {
  for (const [members, finding] of [
    ['"diarization": null', 'warning fields/null'],
    ['"language_config": {"languages": null}', 'warning fields/null'],
    ['"custom_metadata": 3', 'info schema/known-type'],
    ['"callback_config": {"url": ["https://a.example/"]}', 'info schema/known-type'],
  ] as const) {
    const result = gate(`{${url}, ${members}}`);
    assert.ok(result.type === 'ok', members);
    const shown = result.warnings.map(({ code, severity }) => `${severity} ${code}`);
    assert.ok(shown.includes(finding), `${members}: ${shown.join(', ')}`);
  }
});

test('blocks a number, a list or an object in place of a switch, and offers the intended edit', () => {
  for (const [members, fixed] of [
    ['"diarization": "true"', '"diarization": true'],
    ['"diarization": 2', '"diarization": true, "diarization_config": { "number_of_speakers": 2 }'],
    [
      '"custom_vocabulary": ["a", "b"]',
      '"custom_vocabulary": true, "custom_vocabulary_config": { "vocabulary": ["a", "b"] }',
    ],
    ['"language_config": ["en"]', '"language_config": { "languages": ["en"] }'],
    ['"language_config": {"languages": "en, fr"}', '"language_config": {"languages": ["en", "fr"]}'],
    ['"subtitles": {"formats": ["srt"]}', '"subtitles": true, "subtitles_config": { "formats": ["srt"] }'],
    ['"translation": "fr"', '"translation": true, "translation_config": { "target_languages": ["fr"] }'],
  ] as const) {
    const result = gate(`{${url}, ${members}}`);
    assert.ok(result.type === 'blocked', members);
    const changes = result.findings[0]?.fixes?.[0]?.changes ?? [];
    assert.equal(withChanges(result.file, changes), `{${url}, ${fixed}}`);
  }
});

test('offers no edit that would lose the value in place of a switch if the settings already exist', () => {
  for (const [members, fixes] of [
    ['"custom_vocabulary": ["a"], "custom_vocabulary_config": {"vocabulary": ["b"]}', 0],
    ['"diarization": 2, "diarization_config": {"number_of_speakers": 3}', 0],
    ['"custom_vocabulary": ["a"], "custom_vocabulary_config": {"default_intensity": 0.5}', 1],
  ] as const) {
    const result = gate(`{${url}, ${members}}`);
    assert.ok(result.type === 'blocked', members);
    assert.equal(result.findings[0]?.fixes?.length ?? 0, fixes, members);
  }
});

test('passes requests with other problems, and warns', () => {
  const result = gate(
    '{"audio_url": "s3://b/a", "subtitles_config": {"formats": ["txt"]}, "flavour": 1, "flavour": 2, "custom_vocabulary_config": {"vocabulary": [{}]}}',
  );
  assert.ok(result.type === 'ok');
  assert.deepEqual(
    result.warnings.map(({ code, severity }) => `${severity} ${code}`),
    [
      'warning audio-url/not-http',
      'hint switches/config-without-switch',
      'warning schema/value',
      'warning json/duplicate-key',
      'hint fields/unknown',
      'warning switches/config-without-switch',
      'warning schema/required',
    ],
  );
});

test('passes a body that is valid JSON with the same meaning as the text', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        relaxedRequestText,
        editedText(relaxedRequestText).map(([, text]) => text),
      ),
      (text) => {
        const result = gate(text);
        if (result.type === 'ok') assert.deepEqual(JSON.parse(result.body), result.request);
        else assert.notEqual(result.findings.length, 0);
      },
    ),
    { numRuns: propertyRuns },
  );
});

test('names UTF-16 that was read as UTF-8, in one finding', () => {
  for (const encode of [
    (text: string) => text.replaceAll(/./gsu, '\0$&'),
    (text: string) => text.replaceAll(/./gsu, '$&\0'),
  ]) {
    const result = gate(encode(`{${url}}\n`));
    assert.deepEqual(
      [result.type, ...(result.type === 'blocked' ? result.findings.map(({ message }) => message) : [])],
      ['blocked', 'This file is in UTF-16 without a byte order mark. Save it as UTF-8.'],
    );
  }
});
