import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkRequest, checkRules, findUnknownRuleCodes } from '../../../src/language/check.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { parseRequest, placeRange } from '../../../src/language/request/requestFile.ts';
import { editedText, morsel } from './jsonTexts.ts';
import { relaxedRequestText } from './requestTexts.ts';
import { schemaErrors } from './schemaCheck.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

const context = { nowMs: 0 };
const knowing = { nowMs: 0, knowledge: findServiceKnowledge('gladia') };

test('levels turn rules off, and lower or raise their severity', () => {
  const request = parseRequest(
    '{"audio_url": "s3://b/a", "subtitles_config": {"style": "x", "maximum_rows_per_caption": 3}, "flavour": 1}',
  );
  const levels = new Map([
    ['audio-url/not-http', 'info'],
    ['subtitles/rows', 'warning'],
    ['switches/config-without-switch', 'off'],
    ['fields/unknown', 'off'],
  ] as const);
  assert.deepEqual(
    checkRules(request, context, { levels }).map(({ code, severity }) => `${severity} ${code}`),
    ['info audio-url/not-http', 'warning subtitles/rows'],
  );
});

test('a limit stops the search for further findings of a rule', () => {
  const request = parseRequest('{"flavour": 1, "colour": 2, "taste": 3, "audio_url": "a"}');
  const codes = checkRules(request, context, { limit: 2 }).map(({ code }) => code);
  assert.deepEqual(codes, ['audio-url/not-http', 'fields/unknown', 'fields/unknown']);
});

test('findings that are not reported, because a feature is off, do not count', () => {
  const off = Array.from({ length: 1000 }, () => '{"value": "a", "language": "xx!"}');
  const request = parseRequest(
    `{"audio_url": "https://a.example/a.mp3", "custom_vocabulary": false, "custom_vocabulary_config": {"vocabulary": [${off.join()}]}, "translation": true, "translation_config": {"target_languages": ["zz!"]}}`,
  );
  const places = checkRules(request, knowing, { limit: 2 })
    .filter(({ code }) => code === 'service/language-code')
    .map(({ place }) => place);
  assert.deepEqual(places, [{ path: ['translation_config', 'target_languages', 0], part: 'value' }]);
});

test('contradictions in the settings of a feature that is off are not reported, whatever the level of the rule', () => {
  const text = (on: boolean): string =>
    `{"audio_url": "https://a.example/a.mp3", "translation": ${on}, "translation_config": {"target_languages": ["zz!"]}, "subtitles": ${on}, "subtitles_config": {"maximum_rows_per_caption": 3}}`;
  const levels = new Map([
    ['service/language-code', 'warning'],
    ['subtitles/rows', 'warning'],
  ] as const);
  const codes = (on: boolean): readonly string[] =>
    checkRules(parseRequest(text(on)), knowing, { levels }).map(({ code }) => code);
  for (const code of levels.keys()) {
    assert.ok(codes(true).includes(code));
    assert.ok(!codes(false).includes(code));
  }
});

test('returns the unknown rule codes in the setting', () => {
  const levels = new Map([
    ['audio-url/not-http', 'info'],
    ['audio-url/no-http', 'off'],
  ] as const);
  assert.deepEqual(findUnknownRuleCodes(levels), ['audio-url/no-http']);
});

test('reports no missing values while the text has syntax errors, but other findings', () => {
  const codes = checkRules(parseRequest('{"language_config": {"languages": ["en", "en"]}, "'), context).map(
    ({ code }) => code,
  );
  assert.deepEqual(codes, ['languages/duplicate']);
});

test('never throws, and all findings are within the text', () => {
  const text = fc.oneof(
    editedText(relaxedRequestText).map(([, after]) => after),
    fc.tuple(morsel, morsel).map((morsels) => morsels.join('')),
  );
  fc.assert(
    fc.property(text, (written) => {
      const request = parseRequest(written);
      for (const { place, related = [] } of checkRequest(request, schemaErrors, knowing)) {
        for (const each of [place, ...related.map((other) => other.place)]) {
          const { offset, length } = placeRange(request, each);
          assert.ok(offset >= 0 && length >= 0 && offset + length <= written.length);
        }
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('a container with an unclosed comment ends at the end of the text', () => {
  // Found by the property above with 100,000 runs.
  const after = '{"subtitles":{/*';
  const request = parseRequest(after);
  for (const { place } of checkRequest(request, schemaErrors, knowing)) {
    const { offset, length } = placeRange(request, place);
    assert.ok(offset + length <= after.length);
  }
});

test('reports every place in a large file with many problems', () => {
  const wrong = {
    manyTerms: {
      custom_vocabulary_config: { vocabulary: Array.from({ length: 4000 }, () => ({ valeu: 'a', intensity: 2 })) },
    },
    manyUnknown: Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`audio_url_${index}`, 1])),
    manyLanguages: { language_config: { languages: Array.from({ length: 8000 }, (_, index) => `x${index % 7}`) } },
  };
  const expected: Readonly<Record<string, number>> = { manyTerms: 12_002, manyUnknown: 12_001, manyLanguages: 15_995 };
  for (const [name, value] of Object.entries(wrong)) {
    const request = parseRequest(JSON.stringify(value));
    const places = checkRequest(request, schemaErrors, context).map(({ place }) => placeRange(request, place));
    assert.equal(places.length, expected[name], name);
  }
});
