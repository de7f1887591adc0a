import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkRequest } from '../../../src/language/check.ts';
import type { Change, Finding, Fix, Severity } from '../../../src/language/request/finding.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { withChanges } from './withChanges.ts';
import { chooseFix, fixAll, chooseSafeFix } from '../../../src/language/edits.ts';
import { applyEdits } from '../../../src/language/json/textEdit.ts';
import { parseRequest, type RequestFile } from '../../../src/language/request/requestFile.ts';
import { effectOf } from '../../../src/language/requestReport.ts';
import { plainRequestText, relaxedRequestText } from './requestTexts.ts';
import { schemaErrors } from './schemaCheck.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const check = (request: RequestFile): readonly Finding[] => checkRequest(request, schemaErrors, { nowMs });
/** Service knowledge of the checks: none, for information only, and applied. */
const services = [undefined, findServiceKnowledge('auto'), findServiceKnowledge('gladia')] as const;
const checks = services.map(
  (knowledge) => (request: RequestFile) => checkRequest(request, schemaErrors, { nowMs, knowledge }),
);

/** A misspelt deprecated name, with a value that is invalid for its successor. */
const misspeltLegacy = '{"callback-url":"solaria-1"}';

test('a fix produces valid JSON, makes its changes, removes its finding and adds none that is more severe', () => {
  fc.assert(
    fc.property(plainRequestText, fc.constantFrom(...checks), (text, check) => {
      const request = parseRequest(text);
      const findings = check(request);
      for (const finding of findings) {
        for (const fix of finding.fixes ?? []) {
          const fixedText = withChanges(request, fix.changes);
          assert.deepEqual(JSON.parse(fixedText), changed(JSON.parse(text), fix.changes), fixedText);
          const after = check(parseRequest(fixedText));
          assert.ok(isGone(finding, fix, findings, after), `${finding.code} is still there: ${fixedText}`);
          // A choice enables something, which may cause further findings.
          for (const { code, severity } of fix.isChoice === true ? [] : moreOf(findings, after)) {
            assert.ok(!isWorse(severity, finding.severity), `${finding.code} laid bare ${code}: ${fixedText}`);
          }
        }
      }
    }),
    { examples: checks.map((each) => [misspeltLegacy, each]), numRuns: propertyRuns },
  );
});

test('a fix keeps texts with comments and trailing commas valid', () => {
  fc.assert(
    fc.property(relaxedRequestText, fc.constantFrom(...checks), (text, check) => {
      const request = parseRequest(text);
      for (const fix of check(request).flatMap(({ fixes = [] }) => fixes)) {
        const fixed = parseRequest(withChanges(request, fix.changes));
        assert.deepEqual(fixed.problems, [], fixed.text);
        assert.deepEqual(fixed.value, changed(structuredClone(request.value), fix.changes), fixed.text);
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('Fix All leaves no finding with a fix, and safe fixes leave no finding with a safe fix', () => {
  fc.assert(
    fc.property(relaxedRequestText, fc.constantFrom(...checks), (text, check) => {
      for (const choose of [chooseFix, chooseSafeFix]) {
        const { text: fixedText, edits } = fixAll(parseRequest(text), check, choose);
        assert.equal(applyEdits(text, edits), fixedText);
        const fixed = parseRequest(fixedText);
        assert.deepEqual(fixed.problems, []);
        assert.deepEqual(check(fixed).filter(choose), [], fixed.text);
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('Fix All keeps values under misspelt names, and creates no duplicate names', () => {
  const switches = {
    diarization: ['diarisation', 'diarizaton', 'Diarization'],
    summarization: ['sumarization', 'summarisation'],
    translation: ['translaton', 'trans_lation'],
    subtitles: ['subtitle', 'subtittles'],
    custom_vocabulary: ['custom_vocabulry', 'customVocabulary'],
  } as const;
  const settings = {
    diarization: { min_speakers: 2 },
    summarization: { type: 'general' },
    translation: { target_languages: ['fr'] },
    subtitles: { formats: ['srt'] },
    custom_vocabulary: { vocabulary: ['Nguyen'] },
  } as const;
  const names = Object.keys(switches) as (keyof typeof switches)[];
  const member = fc.constantFrom(...names).chain((name) =>
    fc.record({
      name: fc.constant(name),
      written: fc.constantFrom(...switches[name]),
      isOn: fc.boolean(),
      settings: fc.constantFrom('none', 'before', 'after'),
    }),
  );
  const members = fc.uniqueArray(member, { selector: ({ name }) => name, minLength: 1 });
  let misspelt = 0;
  fc.assert(
    fc.property(members, fc.constantFrom(...checks), (given, check) => {
      const text = JSON.stringify(
        Object.fromEntries([
          ['audio_url', 'https://media.example.com/a.mp3'],
          ...given.flatMap(({ name, written, isOn, settings: where }) => {
            const config = [`${name}_config`, settings[name]] as const;
            return [
              ...(where === 'before' ? [config] : []),
              [written, isOn] as const,
              ...(where === 'after' ? [config] : []),
            ];
          }),
        ]),
      );
      const { text: fixedText } = fixAll(parseRequest(text), check, chooseFix);
      const fixed = JSON.parse(fixedText) as Record<string, unknown>;
      const written = parseRequest(fixedText).root?.children.length;
      assert.equal(written, Object.keys(fixed).length, `a name is there twice: ${fixedText}`);
      for (const { name, isOn, written: wrong } of given) {
        if (Object.hasOwn(fixed, wrong)) continue;
        misspelt++;
        assert.equal(fixed[name], isOn, `${name} of ${text}: ${fixedText}`);
      }
    }),
    { numRuns: propertyRuns },
  );
  assert.ok(misspelt > propertyRuns, `${misspelt} names were put right`);
});

test('Fix All does not choose between two contradictory bounds', () => {
  const body = { diarization: true, diarization_config: { min_speakers: 5, max_speakers: 2 } };
  const text = JSON.stringify({ audio_url: 'https://media.example.com/a.mp3', ...body });
  for (const check of checks) assert.equal(fixAll(parseRequest(text), check, chooseFix).text, text);
});

test('Fix All applies ten thousand fixes at once', () => {
  const vocabulary = Array.from({ length: 10_000 }, (_, index) => ({ value: `term ${index}`, intensity: 0.9 }));
  const body = {
    audio_url: 'https://media.example.com/a',
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary },
  };
  const { text } = fixAll(parseRequest(JSON.stringify(body, null, 2)), check, chooseFix);
  assert.ok(!text.includes('0.9'));
});

test('Fix All appends no member to an object while it removes its last member', () => {
  const knowledge = findServiceKnowledge('gladia');
  const checkKnown = (request: RequestFile) => checkRequest(request, schemaErrors, { nowMs, knowledge });
  const text = '{"realtime-processing": {"number_of_speakers": -1, "min_speakers": -1}}';
  const fixed = parseRequest(fixAll(parseRequest(text), checkKnown, chooseFix).text);
  assert.deepEqual(fixed.problems, []);
  assert.deepEqual(fixed.body, { diarization: true, diarization_config: {} });
});

test('Fix All changes nothing in a text with syntax errors', () => {
  const text = '{"language_config": {"languages": ["en", "en"]}, "';
  assert.deepEqual(fixAll(parseRequest(text), check, chooseFix), { text, edits: [] });
});

test('a safe fix keeps the meaning of the request', () => {
  const text =
    '{"language_config": {"languages": ["en", "en", "fr"]}, "custom_vocabulary_config": {"default_intensity": 2}}';
  assert.equal(
    fixAll(parseRequest(text), check, chooseSafeFix).text,
    '{"language_config": {"languages": ["en", "fr"]}, "custom_vocabulary_config": {"default_intensity": 2}}',
  );
});

/** Requests with the findings that have safe fixes. */
const safelyFixable: [string, undefined][] = [
  [
    '{"audio_url": " https://a.example/a ", "diarization": null, "language_config": {"languages": ["en", "en"]}}',
    undefined,
  ],
  ['{"language_config": {"languages": ["en"], "code_switching": true}}', undefined],
  ['{"subtitles": true, "subtitles_config": {"formats": ["srt", "srt"]}}', undefined],
  ['{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": ["a", "a", ""]}}', undefined],
];

test('a safe fix does not change the described effect, including nulls and legacy names', () => {
  const odd = fc.constantFrom<unknown>(null, true, false);
  const oldNames = fc.record(
    {
      diarization: odd,
      toggle_diarization: odd,
      diarization_config: fc.constantFrom(null, {}, { max_speakers: null }, { max_speakers: 2 }),
      diarization_max_speakers: fc.constant(3),
      language_config: fc.record(
        { languages: fc.constantFrom(['en', 'fr', 'en'], ['en'], [''], ['en, fr']), code_switching: odd },
        { requiredKeys: [] },
      ),
      enable_code_switching: odd,
      subtitles: odd,
      output_format: fc.constant('srt'),
    },
    { requiredKeys: [] },
  );
  const oldText = oldNames.map((body) => JSON.stringify(body));
  /** Codes of all rules with safe fixes. */
  const safelyFixed = new Set<string>();
  fc.assert(
    fc.property(fc.oneof(oldText, plainRequestText), fc.constantFrom(...services), (text, knowledge) => {
      const request = parseRequest(text);
      const again = (each: RequestFile) => checkRequest(each, schemaErrors, { nowMs, knowledge });
      const fixed = parseRequest(fixAll(request, again, chooseSafeFix).text);
      // The caveat may change: it lists the legacy names.
      const said = (each: RequestFile) => effectOf(each, knowledge).filter(({ topic }) => topic !== 'caveat');
      assert.deepEqual(said(fixed), said(request), fixed.text);
      for (const { code, fixes } of again(request)) if (fixes?.some(({ safe }) => safe) === true) safelyFixed.add(code);
    }),
    { numRuns: propertyRuns, examples: safelyFixable },
  );
  assert.deepEqual([...safelyFixed].sort(), [
    'audio-url/spaces',
    'fields/null',
    'languages/duplicate',
    'languages/single-ignores-code-switching',
    'subtitles/duplicate-format',
    'vocabulary/duplicate-term',
    'vocabulary/empty-term',
  ]);
});

test('a language in two spellings, and the only one where code_switching is on, stay', () => {
  for (const languages of [
    '{"languages": ["fr", "FR"], "code_switching": true}',
    '{"languages": ["EN", "en", "fr"]}',
    '{"languages": ["fr", "fr"], "code_switching": true}',
  ]) {
    const text = `{"language_config": ${languages}}`;
    for (const choose of [chooseSafeFix, chooseFix]) assert.equal(fixAll(parseRequest(text), check, choose).text, text);
  }
});

test('a safe fix removes a duplicate term only if both entries are equal', () => {
  const withTerms = (terms: string) =>
    `{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": [${terms}]}}`;
  for (const [terms, left] of [
    ['"Nguyen", "Nguyen"', '"Nguyen"'],
    ['"Nguyen", "nguyen"', '"Nguyen", "nguyen"'],
    ['{"value": "a", "intensity": 0.5}, "a"', '{"value": "a", "intensity": 0.5}, "a"'],
  ] as const) {
    assert.equal(fixAll(parseRequest(withTerms(terms)), check, chooseSafeFix).text, withTerms(left));
  }
});

test('a fix removes the finding about a duplicate member', () => {
  const text = '{"language_config": {"languages": ["en"], "code_switching": true, "code_switching": true}}';
  const request = parseRequest(text);
  const fixed = check(request).flatMap(({ fixes = [] }) => fixes.map(({ changes }) => withChanges(request, changes)));
  assert.deepEqual(fixed, ['{"language_config": {"languages": ["en"]}}']);
});

test('a number in quotes becomes the number with the same digits', () => {
  for (const [written, fixed] of [
    ['"1.50"', '1.50'],
    ['"0,50"', '0.50'],
    ['" 0.50 s"', '0.50'],
    ['"5e-1"', '5e-1'],
    ['".50"', '0.5'],
    ['"50%"', '0.5'],
    ['"0.500000000000000"', undefined],
    ['"1.5.0"', undefined],
  ] as const) {
    const request = parseRequest(`{"custom_vocabulary_config": {"default_intensity": ${written}}}`);
    const finding = check(request).find(({ code }) => code === 'schema/type');
    const texts = finding?.fixes?.map(({ changes }) => withChanges(request, changes)) ?? [];
    const expected = fixed && `{"custom_vocabulary_config": {"default_intensity": ${fixed}}}`;
    assert.deepEqual(texts, expected === undefined ? [] : [expected]);
  }
  const whole = parseRequest('{"diarization": true, "diarization_config": {"min_speakers": "2.0"}}');
  const [fix] = check(whole).flatMap(({ fixes = [] }) => fixes);
  assert.equal(fix?.title, 'Change to 2');
});

test('Fix All keeps explicit switches and contradictory settings', () => {
  for (const [text, code] of [
    ['{"subtitles": false, "subtitles_config": {"formats": ["srt"]}}', 'switches/config-without-switch'],
    ['{"custom_vocabulary": true}', 'switches/switch-without-config'],
    ['{"custom_vocabulary": true, "custom_vocabulary_config": {"vocabulary": []}}', 'vocabulary/nothing-to-replace'],
    ['{"language_config": {"code_switching": true}}', 'languages/code-switching-without-languages'],
    [
      '{"diarization": true, "diarization_config": {"number_of_speakers": 3, "max_speakers": 2}}',
      'diarization/contradiction',
    ],
  ] as const) {
    const finding = check(parseRequest(text)).find((each) => each.code === code);
    assert.ok(
      finding?.fixes?.every(({ isChoice }) => isChoice),
      code,
    );
    assert.equal(fixAll(parseRequest(text), check, chooseFix).text, text);
  }
  // What is switched on may be billed, and what is removed was written: only the vocabulary is to be sent with its switch.
  for (const name of ['translation', 'summarization', 'audio_to_llm', 'pii_redaction', 'diarization', 'subtitles']) {
    const text = `{"${name}_config": {"a": 1}}`;
    for (const each of checks) assert.equal(fixAll(parseRequest(text), each, chooseFix).text, text);
  }
  const vocabulary = '"custom_vocabulary_config": {"vocabulary": ["a"]}';
  for (const each of checks) {
    const fixed = fixAll(parseRequest(`{${vocabulary}}`), each, chooseFix).text;
    assert.equal(fixed, `{"custom_vocabulary": true, ${vocabulary}}`);
  }
});

test('a fix keeps a number that JavaScript cannot represent as written, or changes nothing', () => {
  const [, , gladia = check] = checks;
  const metadata = '{"id": 9007199254740993, "price": 1.50}';
  for (const [text, fixed] of [
    [`{"metadata": ${metadata}}`, `{"custom_metadata": ${metadata}}`],
    [`{"custom_metadata": ${metadata}, "diarize" : 1}`, `{"custom_metadata": ${metadata}, "diarization" : true}`],
    [`{"options": {"custom_metadata": ${metadata}}}`, undefined],
    [
      '{"custom_vocabulary": [{"value": "a", "intensity": 0.50}]}',
      '{"custom_vocabulary": true, "custom_vocabulary_config": { "vocabulary": [{ "value": "a", "intensity": 0.50 }] }}',
    ],
    ['{"options": {"custom_metadata": {"n": 1e3}}}', '{"custom_metadata": { "n": 1e3 }}'],
    [`{"custom_metadata": ${JSON.stringify(metadata)}}`, undefined],
  ] as const) {
    assert.equal(fixAll(parseRequest(text), gladia, chooseFix).text, fixed ?? text);
  }
});

function isWorse(one: Severity, other: Severity): boolean {
  const fromWorst: readonly Severity[] = ['error', 'warning', 'info', 'hint'];
  return fromWorst.indexOf(one) < fromWorst.indexOf(other);
}

/** True if a finding is gone. Compares the number of findings if a fix removes an element, because others take its index. */
function isGone(finding: Finding, fix: Fix, before: readonly Finding[], after: readonly Finding[]): boolean {
  const same = (list: readonly Finding[]) => list.filter(({ code }) => code === finding.code);
  if (fix.changes.some(({ type }) => type === 'remove')) return same(after).length < same(before).length;
  return same(after).every(({ place }) => JSON.stringify(place) !== JSON.stringify(finding.place));
}

/** Returns the findings whose number has increased, by code and severity. */
function moreOf(before: readonly Finding[], after: readonly Finding[]): readonly Finding[] {
  const count = (list: readonly Finding[], like: Finding) =>
    list.filter(({ code, severity }) => code === like.code && severity === like.severity).length;
  return after.filter((finding) => count(after, finding) > count(before, finding));
}

/** Applies changes to a value without text edits. */
function changed(value: unknown, changes: readonly Change[]): unknown {
  const gone = Symbol('removed');
  for (const change of changes) {
    const parent = change.path
      .slice(0, -1)
      .reduce<never>((within, segment) => within[segment], value as never) as Record<string, unknown>;
    const last = change.path.at(-1) as string;
    switch (change.type) {
      case 'replace':
        parent[last] = change.value;
        break;
      case 'remove':
        parent[last] = gone;
        break;
      case 'rename':
        define(parent, change.name, parent[last]);
        parent[last] = gone;
        break;
      case 'insertBefore':
        define(parent, change.name, change.value);
        break;
      case 'append': {
        const object = (change.path.length === 0 ? value : parent[last]) as Record<string, unknown>;
        define(object, change.name, change.value);
        break;
      }
      case 'replaceMember':
        parent[last] = gone;
        for (const [name, member] of Object.entries(change.members)) define(parent, name, member);
        break;
      case 'expand':
        parent[last] = new Several(change.values);
        break;
    }
  }
  return without(value, gone);
}

/** Defines a member, because assigning to `__proto__` would set the prototype. */
function define(object: object, name: string, value: unknown): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Several elements that replace one element. */
class Several {
  readonly values: readonly unknown[];

  constructor(values: readonly unknown[]) {
    this.values = values;
  }
}

function without(value: unknown, gone: symbol): unknown {
  if (Array.isArray(value)) {
    return value
      .flatMap((each: unknown) => (each instanceof Several ? each.values : [each]))
      .filter((each) => each !== gone)
      .map((each) => without(each, gone));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === gone ? [] : [[name, without(member, gone)]])),
  );
}

test('an object of too many settings is neither moved nor removed by Fix All', () => {
  const settings = Array.from({ length: 101 }, (_, index) => `"k${index}": 1`).join(', ');
  for (const member of [
    `"params": {${settings}}`,
    `"transcription_config": {${settings}}`,
    `"code_switching_config": {${settings}}`,
    `"code_switching_config": ${JSON.stringify(`{${settings}}`)}`,
    `"custom_prompts_config": {${settings}}`,
    `"audio_to_llm": true, "custom_prompts_config": {${settings}}`,
    `"subtitles": {${settings}}`,
  ]) {
    const text = `{"audio_url": "https://a.example/a.mp3", ${member}}`;
    for (const check of checks) assert.equal(fixAll(parseRequest(text), check, chooseFix).text, text);
  }
});
