import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { visit } from 'jsonc-parser';
import { checkRequest } from '../../../src/language/check.ts';
import type { Finding } from '../../../src/language/request/finding.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { fixSafely } from '../../../src/language/quickFixes.ts';
import { parseRequest, type RequestFile } from '../../../src/language/request/requestFile.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { schemaErrors } from './schemaCheck.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const checks = [undefined, findServiceKnowledge('auto'), findServiceKnowledge('gladia')].map(
  (knowledge) =>
    (request: RequestFile): readonly Finding[] =>
      checkRequest(request, schemaErrors, { nowMs, knowledge }),
);
const fixed = (text: string): string => fixSafely(parseRequest(text), { check: checks[0] ?? (() => []) }).text;

/** A member as text, whose name is known, misspelt, from another interface, or from another place. */
const member = (names: readonly string[], values: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.constantFrom(...values))
    .map(([name, value]) => `${JSON.stringify(name)}: ${value}`);
const object = (member: fc.Arbitrary<string>) =>
  fc.array(member, { maxLength: 4 }).map((members) => `{${members.join(', ')}}`);
const list = (element: fc.Arbitrary<string>) =>
  fc.array(element, { maxLength: 3 }).map((elements) => `[${elements.join(', ')}]`);

const languageList = list(fc.constantFrom('"en"', '"fr"', '"en fr"', '"en-fr"', '"auto"', '"EN"', '""'));
const languageNames = ['languages', 'langages', 'language'];
const switchMember = member(['code_switching', 'code_swiching'], ['true', 'false', 'null']);
const languageMember = fc.oneof(
  switchMember,
  fc.tuple(fc.constantFrom(...languageNames), languageList).map(([name, value]) => `"${name}": ${value}`),
);
const speakerMember = member(
  ['min_speakers', 'max_speakers', 'number_of_speakers', 'min_speaker', 'maxSpeakers'],
  ['1', '2', '3', 'null', '"2"', 'true'],
);
const term = fc.oneof(
  fc.constantFrom('""', '" "', '"Nguyen"', 'null'),
  object(
    fc.oneof(
      member(['value', 'vaule', 'word'], ['""', '"Nguyen"', '"Okafor"', 'null']),
      member(['intensity', 'boost', 'pronunciations'], ['0.5', '["Win"]', 'null']),
    ),
  ),
);
const requestMember = fc.oneof(
  fc.constant('"audio_url": " https:\\/\\/media.example.com/a.mp3 "'),
  // A page that shows the file: only the user knows if the link to the file is the same.
  fc.constant('"audio_url": "https://www.dropbox.com/s/abc/a.mp3?dl=0"'),
  member(['diarization', 'subtitles', 'custom_vocabulary', 'sentences'], ['true', 'false', 'null']),
  fc.oneof(object(languageMember), fc.constant('null')).map((value) => `"language_config": ${value}`),
  languageList.map((value) => `"languages": ${value}`),
  fc
    .tuple(fc.constantFrom('diarization_config', 'diarizaton_config'), object(speakerMember))
    .map(([name, value]) => `"${name}": ${value}`),
  member(['min_speakers', 'diarization_num_speakers'], ['2', '4']),
  list(term).map((value) => `"custom_vocabulary_config": {"vocabulary": ${value}}`),
  list(fc.constantFrom('"srt"', '"vtt"')).map((value) => `"subtitles_config": {"formats": ${value}}`),
);
const requestText = object(requestMember);

suite('safe fixes', () => {
  test('remove only empty values, repetitions, and values that the request itself makes ineffective', () => {
    let timesChanged = 0;
    fc.assert(
      fc.property(requestText, fc.constantFrom(...checks), (text, check) => {
        const after = fixSafely(parseRequest(text), { check }).text;
        if (after === text) return;
        timesChanged++;
        const { leaves, names, isRepeated } = readLeaves(text);
        assert.ok(!isRepeated, `a name was there twice: ${text} became ${after}`);
        const left = readLeaves(after).leaves;
        const isKnown = (config: string) =>
          [...names].every((name) => knownNames.has(name) || !(name.startsWith(`${config}.`) || !name.includes('.')));
        for (const [path, values] of leaves) {
          const now = new Set(left.get(path));
          const lost = values.filter((value) => !now.has(value) && !isNothing(value));
          const isAllowed =
            lost.length === 0 ||
            (path === 'audio_url' && now.has(values[0]?.replaceAll(/(?<=^") | (?="$)/gu, '') ?? '')) ||
            (path === 'language_config.code_switching' &&
              isKnown('language_config') &&
              ['"en"', '"fr"'].includes(leaves.get('language_config.languages')?.join() ?? ''));
          assert.ok(isAllowed, `${path}: ${lost.join()} was lost: ${text} became ${after}`);
        }
      }),
      { numRuns: propertyRuns },
    );
    assert.ok(timesChanged > propertyRuns / 10, `only ${timesChanged} were changed`);
  });

  for (const vocabulary of [
    '["", {"value": "", "vaule": "Nguyen"}]',
    '["", {"value": " ", "word": "Nguyen"}]',
    '["", {"value": "", "pronunciations": ["Win"], "intensity": 0.5}]',
  ])
    test(`keep an entry with more than an empty term: ${vocabulary}`, () => {
      const text = (terms: string) => `{"custom_vocabulary_config": {"vocabulary": ${terms}}}`;
      assert.equal(fixed(text(vocabulary)), text(vocabulary.replace('"", ', '')));
    });

  for (const text of [
    '{"diarization": false, "diarization": null}',
    '{"language_config": {"languages": ["en"]}, "language_config": null}',
    '{"custom_vocabulary_config": {"vocabulary": [{"value": "Nguyen", "value": ""}]}}',
    '{"subtitles_config": {"formats": ["srt", "srt"]}, "custom_metadata": {"a": 1, "a": 2}}',
  ])
    test(`change nothing if a name occurs twice: ${text}`, () => assert.equal(fixed(text), text));

  for (const config of [
    '{"languages": ["en fr"], "code_switching": true}',
    '{"languages": ["en/fr"], "code_switching": true}',
    '{"languages": ["auto"], "code_switching": true}',
    '{"languages": ["en", "en"], "code_switching": true}',
    '{"languages": ["en"], "langages": ["fr"], "code_switching": true}',
    '{"languages": ["en"], "code_switching": true}, "language": "fr"',
    '{"languages": ["en"], "code_switching": true}, "language_configs": {"languages": ["en", "fr"]}',
  ])
    test(`keep code_switching if several languages may be intended: ${config}`, () => {
      const text = `{"language_config": ${config}}`;
      assert.equal(fixed(text), text);
    });

  test('keep every speaker hint, regardless of the others', () => {
    const counts = ['0', '1', '2', '3', 'true', '"2"'];
    for (const min of counts) {
      for (const max of counts) {
        for (const exact of counts) {
          const text = `{"diarization_config": {"min_speakers": ${min}, "max_speakers": ${max}, "number_of_speakers": ${exact}}}`;
          assert.equal(fixed(text), text);
        }
      }
    }
  });

  test('remove a duplicate format', () => {
    const text = (formats: string) => `{"subtitles": true, "subtitles_config": {"formats": [${formats}]}}`;
    assert.equal(fixed(text('"srt", "vtt", "srt"')), text('"srt", "vtt"'));
  });

  test('remove spaces around an address and keep its escapes', () => {
    assert.equal(
      fixed('{"audio_url": " https:\\/\\/a.example\\u002fb.mp3\t "}'.replace('\t', ' ')),
      '{"audio_url": "https:\\/\\/a.example\\u002fb.mp3"}',
    );
  });
});

const knownNames = new Set([
  'audio_url',
  'diarization',
  'subtitles',
  'custom_vocabulary',
  'sentences',
  'language_config',
  'language_config.languages',
  'language_config.code_switching',
  'diarization_config',
  'diarization_config.min_speakers',
  'diarization_config.max_speakers',
  'diarization_config.number_of_speakers',
  'custom_vocabulary_config',
  'subtitles_config',
]);

function isNothing(value: string): boolean {
  return value === 'null' || /^"\s*"$/u.test(value);
}

interface Leaves {
  /** Texts of all values that are neither objects nor lists, by dotted path; elements of a list share a path. */
  readonly leaves: ReadonlyMap<string, readonly string[]>;
  /** Dotted paths of all members. */
  readonly names: ReadonlySet<string>;
  /** True if an object has a duplicate name. */
  readonly isRepeated: boolean;
}

/** Reads a request without the tested code. */
function readLeaves(text: string): Leaves {
  const leaves = new Map<string, string[]>();
  const names = new Set<string>();
  let isRepeated = false;
  const around: Set<string>[] = [];
  const dotted = (path: readonly (string | number)[]) => path.filter((each) => typeof each === 'string').join('.');
  visit(text, {
    onObjectBegin: () => void around.push(new Set()),
    onObjectEnd: () => void around.pop(),
    onObjectProperty: (name, _offset, _length, _line, _character, path) => {
      isRepeated ||= around.at(-1)?.has(name) === true;
      around.at(-1)?.add(name);
      names.add(dotted([...path(), name]));
    },
    onLiteralValue: (value, _offset, _length, _line, _character, path) => {
      const at = dotted(path());
      leaves.set(at, [...(leaves.get(at) ?? []), JSON.stringify(value)]);
    },
  });
  return { leaves, names, isRepeated };
}
