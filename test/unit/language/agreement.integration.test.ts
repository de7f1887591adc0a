import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import fc from 'fast-check';
import type * as Service from 'vscode-json-languageservice';
import { checkRules } from '../../../src/language/check.ts';
import { parseRequest, placeRange } from '../../../src/language/request/requestFile.ts';
import { schemaCodes, findSchemaErrors } from '../../../src/language/request/jsonFindings.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { makeEditorSchema } from '../../../media/schemas/editorSchema.ts';
import { plainRequestText } from './requestTexts.ts';
import { schemaErrors, schemaFile } from './schemaCheck.ts';

const { getLanguageService, TextDocument } = createRequire(import.meta.url)(
  'vscode-json-languageservice',
) as typeof Service;

/** The schema that the build generates for the editor. */
const schema = makeEditorSchema(JSON.parse(readFileSync(schemaFile, 'utf8'))) as Service.JSONSchema;
const service = getLanguageService({});

/** Valid fields, invalid fields, and values that are easily confused. */
const handwritten: readonly unknown[] = [
  {},
  [],
  null,
  'text',
  { audio_url: null },
  { custom_vocabulary_config: { vocabulary: ['a', {}, { value: 1 }, 1, null, []] } },
  { subtitles_config: { formats: ['srt', 'vtt', 'SRT', null], style: 'anything', maximum_rows_per_caption: 1.5 } },
  { summarization_config: { type: 3 }, model: 'solaria-9', translation_config: { model: false } },
  { diarization_config: { number_of_speakers: -1, min_speakers: 1e3 } },
  { custom_spelling_config: { spelling_dictionary: { a: ['b'], c: 'd' } } },
  { custom_metadata: [], callback_url: 1, unknown: { anything: true } },
];
const generated = fc.sample(plainRequestText, { numRuns: 400, seed: 2026 });
const texts = [...handwritten.map((value) => JSON.stringify(value)), ...generated];

test('the corpus has valid and invalid documents', () => {
  const valid = texts.filter((text) => schemaErrors(JSON.parse(text)).length === 0).length;
  assert.ok(texts.length >= 300);
  assert.ok(valid > 50 && valid < texts.length - 50, `${valid} of ${texts.length} are valid`);
});

test('the compiled schema and the JSON service of the editor report the same missing members at the same places', async () => {
  for (const text of texts) {
    const request = parseRequest(text);
    const ours = findSchemaErrors(request, schemaErrors)
      .filter(({ code }) => code === schemaCodes.required)
      .map(({ place }) => placeRange(request, place).offset);
    const theirs = (await diagnose(text))
      .filter(({ message }) => message.startsWith('Missing property'))
      .map(({ offset }) => offset);
    const inOrder = (offsets: readonly number[]) => offsets.toSorted((a, b) => a - b);
    assert.deepEqual(inOrder(ours), inOrder(theirs), text);
  }
});

test('only the extension reports wrong types and values', async () => {
  for (const text of texts) {
    const said = (await diagnose(text)).filter(({ message }) => !message.startsWith('Missing property'));
    assert.deepEqual(said, [], text);
  }
});

test('rules do not repeat findings about types', () => {
  for (const text of texts) {
    const request = parseRequest(text);
    const said = new Set(
      findSchemaErrors(request, schemaErrors)
        .filter(({ code }) => isTypeCode(code))
        .map(({ place }) => placeRange(request, place).offset),
    );
    for (const { code, place } of checkRules(request, { nowMs: 0, knowledge: findServiceKnowledge('gladia') })) {
      if ('path' in place && place.part === 'value')
        assert.ok(!said.has(placeRange(request, place).offset), `${code}: ${text}`);
    }
  }
});

function isTypeCode(code: string): boolean {
  return code === schemaCodes.type || code === schemaCodes.knownType;
}

/** Returns the findings of the editor's JSON service, except deprecations: such values are valid. */
async function diagnose(text: string): Promise<readonly { readonly message: string; readonly offset: number }[]> {
  const document = TextDocument.create('file:///a.transcription.json', 'json', 1, text);
  const found = await service.doValidation(document, service.parseJSONDocument(document), {}, schema);
  return found
    .map(({ message, range }) => ({
      message: typeof message === 'string' ? message : message.value,
      offset: document.offsetAt(range.start),
    }))
    .filter(({ message }) => !message.startsWith('Deprecated'));
}
