import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { makeRequestOfJob } from '../../../src/features/requests/common/requestFromJob.ts';
import { ruleCatalog } from '../../../src/language/check.ts';
import { understandPaste } from '../../../src/language/pasted.ts';
import { parseRequest, type RequestFile } from '../../../src/language/request/requestFile.ts';
import { maxLooseLength } from '../../../src/language/json/jsonTree.ts';
import { createRequestLanguage, maxEditorFindings } from '../../../src/language/requestLanguage.ts';
import { schemaErrors } from './schemaCheck.ts';

/** Maximum CPU time of each piece of work, in milliseconds: nothing may block an editor for longer. */
const maxMs = 200;

/** Garbage collection and compilation may slow down any attempt, but not each one. */
const attempts = 6;

const length = 200_000;
const fileLength = 2_000_000;

/** Texts that are slow to match, split, parse or quote. */
const kinds: Readonly<Record<string, (length: number) => string>> = {
  blanks: (length) => ' '.repeat(length),
  'a number, blanks and a letter': (length) => `1${' '.repeat(length - 2)}x`,
  quotes: (length) => '"'.repeat(length),
  backslashes: (length) => '\\'.repeat(length),
  commas: (length) => ','.repeat(length),
  'open brackets': (length) => '[{'.repeat(length / 2),
  letters: (length) => 'a'.repeat(length),
  'combining marks': (length) => `e${'\u0301'.repeat(length - 1)}`,
  emoji: (length) => '👩‍👩‍👧‍👦'.repeat(length / 11),
  'mixed line breaks': (length) => '\r\n\n\r \t'.repeat(length / 6),
  addresses: (length) => 'http'.repeat(length / 4),
  'percent signs': (length) => '%'.repeat(length),
  'digits and points': (length) => '1.,'.repeat(length / 3),
  slashes: (length) => '/*'.repeat(length / 2),
  'words for "and"': (length) => ' and'.repeat(length / 4),
  'rows and cells': (length) => '"a""\t\n'.repeat(length / 6),
};

/** Requests with a text in the place of a value of each type, of an address, and of a name. */
const places: Readonly<Record<string, (text: string) => unknown>> = {
  'the address': (text) => ({ audio_url: text }),
  'the path of an address': (text) => ({ audio_url: `https://media.example/${text}` }),
  'the query of an address': (text) => ({ audio_url: `https://media.example/a?expires=${text}&token=${text}` }),
  'the host of an address': (text) => ({ audio_url: `https://${text}.example/a` }),
  'the path of a share link': (text) => ({ audio_url: `https://drive.google.com/file/d/${text}` }),
  'a switch': (text) => ({ diarization: text }),
  'a whole number': (text) => ({ diarization_config: { number_of_speakers: text } }),
  'a number': (text) => ({ custom_vocabulary_config: { default_intensity: text } }),
  settings: (text) => ({ subtitles_config: text }),
  'a list': (text) => ({ language_config: { languages: text } }),
  'a language': (text) => ({ language_config: { languages: [text, 'en'], code_switching: true } }),
  'a target language': (text) => ({ translation: true, translation_config: { target_languages: [text] } }),
  'a term': (text) => ({
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: [text, { value: text, pronunciations: [text], language: text }] },
  }),
  'a dictionary': (text) => ({ custom_spelling_config: { spelling_dictionary: { a: text, [text]: ['a'] } } }),
  'a member of a set': (text) => ({
    subtitles_config: { formats: [text] },
    summarization_config: { type: text },
    pii_redaction_config: { entity_types: [text] },
  }),
  'a callback': (text) => ({ callback: true, callback_config: { url: text } }),
  'an old name': (text) => ({ language: text, language_behaviour: text, webhook_url: text }),
  metadata: (text) => ({ custom_metadata: { [text]: text } }),
  'the name of a field': (text) => ({ [text]: true, subtitles_config: { [text]: 1 } }),
};

const many = (count: number, make: (index: number) => unknown): readonly unknown[] =>
  Array.from({ length: count }, (_, index) => make(index));
const names = (count: number, value: unknown): unknown =>
  Object.fromEntries(many(count, (index) => [`name${index}`, value]) as readonly (readonly [string, unknown])[]);

/** Bodies of about two million characters that have as many values, findings or fixes as fit. */
const bodies: Readonly<Record<string, () => unknown>> = {
  terms: () => ({
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: many(140_000, (index) => `term ${index}`) },
  }),
  'terms with findings': () => ({
    custom_vocabulary_config: {
      vocabulary: many(20_000, (index) => ({
        value: `term ${index}`,
        pronunciations: ['a', 'b'],
        intensity: 0.9,
        language: 'xx',
      })),
    },
  }),
  'the same term': () => ({ custom_vocabulary_config: { vocabulary: many(500_000, () => 'a') } }),
  'empty terms': () => ({ custom_vocabulary_config: { vocabulary: many(600_000, () => ({})) } }),
  'numbers instead of terms': () => ({ custom_vocabulary_config: { vocabulary: many(900_000, () => 1) } }),
  languages: () => ({
    language_config: { languages: many(220_000, (index) => `x${index.toString(36)}`), code_switching: true },
  }),
  'the same language': () => ({ language_config: { languages: many(400_000, () => 'xx') } }),
  formats: () => ({ subtitles: true, subtitles_config: { formats: many(330_000, () => 'srt') } }),
  'unknown fields': () => names(140_000, 1),
  'fields that are null': () => ({ custom_vocabulary_config: { vocabulary: many(100_000, () => ({ value: null })) } }),
  metadata: () => ({ custom_metadata: names(100_000, 'value') }),
  'wrong spellings': () => ({
    custom_spelling: true,
    custom_spelling_config: { spelling_dictionary: names(120_000, 'a') },
  }),
  addresses: () => ({ hooks: many(90_000, (index) => `https://a${index}.b`) }),
};

/** Texts of about two million characters. */
const files: Readonly<Record<string, () => string>> = {
  ...Object.fromEntries(Object.entries(bodies).map(([name, make]) => [name, () => JSON.stringify(make())])),
  'one name': () => `{${'"a":1,'.repeat(fileLength / 6)}"a":1}`,
  'unclosed objects': () => `[${'{},'.repeat(fileLength / 3)}`,
  'unclosed objects that are read': () => `[${'{},'.repeat(maxLooseLength / 3 - 1)}`,
  'trailing commas': () => `[${'{"a":1,},'.repeat(fileLength / 9)}]`,
  comments: () => `{${'/**/'.repeat(fileLength / 4)}}`,
  minuses: () => '-'.repeat(fileLength),
  ...Object.fromEntries(Object.entries(kinds).map(([name, make]) => [name, () => make(fileLength)])),
};

const knowledge = findServiceKnowledge('gladia');
const context = { nowMs: Date.parse('2026-11-20T12:00:00Z'), knowledge };
const language = createRequestLanguage({
  schema: schemaErrors,
  now: () => context.nowMs,
  knowledge: () => knowledge,
  maxFindings: maxEditorFindings,
});

suite('within 200 ms of CPU time', () => {
  for (const [place, make] of Object.entries(places)) {
    test(`a hostile text as ${place}`, () => {
      for (const [kind, fill] of Object.entries(kinds))
        workOn(`${kind} as ${place}`, JSON.stringify(make(fill(length))));
    });
    test(`a job that was requested with a hostile text as ${place}`, () => {
      for (const [kind, fill] of Object.entries(kinds)) {
        const params = make(fill(length));
        for (const each of ['pre-recorded', 'live']) {
          const job = { raw: JSON.stringify({ kind: each, request_params: params, custom_metadata: params }) };
          inTime(`a request made from a ${each} job: ${kind} as ${place}`, () =>
            makeRequestOfJob(job, knowledge?.service),
          );
        }
      }
    });
  }

  test('a hostile text as the whole file', () => {
    for (const [kind, fill] of Object.entries(kinds)) workOn(kind, fill(length));
  });

  test('a hostile text that is pasted: rows, addresses, bodies', () => {
    const targets = ['{}', '{"audio_url": ""}', '{"custom_vocabulary_config": {"vocabulary": []}}'];
    for (const target of targets) {
      const request = parseRequest(target);
      const offset = Math.max(target.indexOf('""'), target.indexOf('[]'), 0) + 1;
      const paste = (pasted: string) => understandPaste(request, { offset, length: 0 }, pasted);
      for (const [kind, fill] of Object.entries(kinds)) {
        const text = fill(length);
        inTime(`${kind} pasted into ${target}`, () => paste(text));
        inTime(`addresses of ${kind} pasted into ${target}`, () =>
          paste(`https://a.example/\n${text}\nhttps://b.example/`),
        );
        inTime(`rows of ${kind} pasted into ${target}`, () => paste(`term\tweight\n${text}\t${text}\n"${text}"\t0.5`));
        for (const make of Object.values(places)) {
          inTime(`a body with ${kind} pasted into ${target}`, () => paste(JSON.stringify(make(text))));
        }
      }
    }
  });

  for (const [name, make] of Object.entries(files))
    test(`a file of two megabytes: ${name}`, () => workOn(name, make()));
});

test('a file that is too long to be checked while it is edited has one finding, without being read', () => {
  const text = JSON.stringify({ padding: 'a'.repeat(fileLength) });
  inTime('a long file', () => {
    const request = language.parseLive(text);
    assert.deepEqual(
      language.checkBeyondSyntax(request).map(({ code, severity }) => [code, severity]),
      [['json/too-long', 'info']],
    );
    assert.deepEqual(language.effect(request), []);
    assert.equal(language.hover(request, 100), undefined);
    assert.deepEqual(language.fix(request).edits, []);
  });
  assert.deepEqual(language.parseLive('{}'), language.parse('{}'));
});

test('a file of ten megabytes is checked on command in steps of at most 200 ms', () => {
  const vocabulary = many(90_000, (index) => ({ value: `term ${index}`, pronunciations: ['a', 'b'], intensity: 0.9 }));
  const text = JSON.stringify({ custom_vocabulary_config: { vocabulary } }, undefined, 1);
  assert.ok(text.length > 4 * fileLength);
  for (const [name, long, count] of [
    ['strict JSON', text, maxEditorFindings + 3],
    ['with a comment at the end', `${text}//`, 2],
    ['with a syntax error at the end', text.slice(0, -1), 2],
    ['of comments', `{${'/**/'.repeat(fileLength)}}`, 2],
    ['of commas', ','.repeat(5 * fileLength), 2],
    ['of numbers with a trailing comma', `[${'1,'.repeat(2 * fileLength)}]`, 2],
  ] as const) {
    let maxStepMs = Infinity;
    for (let attempt = 0; attempt < attempts && maxStepMs > maxMs; attempt++) {
      maxStepMs = 0;
      const steps = language.checkSteps(long);
      let step = steps.next();
      while (step.done !== true) {
        maxStepMs = Math.max(
          maxStepMs,
          measureMs(() => (step = steps.next())),
        );
      }
      assert.equal(step.value.findings.length, count, name);
    }
    assert.ok(maxStepMs <= maxMs, `a step of a text ${name} took ${Math.round(maxStepMs)} ms`);
  }
});

/** Asserts the maximum time of everything that an editor does with a file. */
function workOn(name: string, text: string): void {
  const request = parseRequest(text);
  inTime(`parsing: ${name}`, () => parseRequest(text));
  inTime(`types: ${name}`, () => schemaErrors(request.value));
  for (const { code, check } of isQuick(() => language.check(parseRequest(text))) ? [] : ruleCatalog) {
    const work = (uncached: RequestFile): void => {
      let left = maxEditorFindings;
      for (const _hit of check(uncached, context)) if (left-- === 0) break;
    };
    inTime(`${code}: ${name}`, work, () => fresh(request));
  }
  inTime(`the effect: ${name}`, () => language.effect(request));
  for (const offset of [0, 1, text.length >> 1, text.length]) {
    inTime(`a hover at ${offset}: ${name}`, () => language.hover(request, offset));
    inTime(`completion at ${offset}: ${name}`, () => language.complete(request, offset));
  }
  const findings = language.check(request);
  inTime(
    `safe fixes: ${name}`,
    (uncached) => language.fix(uncached),
    () => fresh(request),
  );
  const everything = { offset: 0, length: text.length };
  inTime(`offers: ${name}`, () => language.offerChanges(request, findings, everything));
  const offered = language.offerChanges(request, findings, everything);
  const titles = new Set<string>();
  for (const { title, finding, editsOf } of offered) {
    if (titles.has(finding?.code ?? title)) continue;
    titles.add(finding?.code ?? title);
    inTime(`${title}: ${name}`, editsOf, () => fresh(request));
  }
}

/** Returns a request whose facts are not cached. */
function fresh(request: RequestFile): RequestFile {
  return { ...request, body: { ...request.body } };
}

function isQuick(work: () => unknown): boolean {
  return measureMs(work) <= maxMs;
}

function inTime(name: string, work: () => unknown): void;
/** @param prepare makes the input, whose time does not count */
function inTime(name: string, work: (request: RequestFile) => unknown, prepare: () => RequestFile): void;
function inTime(name: string, work: (request: RequestFile) => unknown, prepare = () => parseRequest('{}')): void {
  let min = Infinity;
  for (let attempt = 0; attempt < attempts && min > maxMs; attempt++) {
    const request = prepare();
    min = Math.min(
      min,
      measureMs(() => work(request)),
    );
  }
  assert.ok(min <= maxMs, `${name} took ${Math.round(min)} ms`);
}

/** Measures CPU time: other work on the machine does not count. */
function measureMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
