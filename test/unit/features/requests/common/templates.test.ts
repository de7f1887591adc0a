import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { checkRequest } from '../../../../../src/language/check.ts';
import { parseRequest } from '../../../../../src/language/request/requestFile.ts';
import { writeNewRequest, listTemplates } from '../../../../../src/features/requests/common/templates.ts';
import { schemaErrors } from '../../../language/schemaCheck.ts';

test('the picker has six templates', () => {
  assert.deepEqual(
    listTemplates().map(({ id }) => id),
    ['minimal', 'meeting', 'call-center', 'podcast', 'subtitles', 'multilingual'],
  );
});

test('a template lacks only the address, where the cursor is', () => {
  for (const isSample of [false, true])
    assert.equal(/Sample jobs/.test(JSON.stringify(listTemplates(isSample))), isSample);
  for (const { id, body } of listTemplates()) {
    const { text, cursor } = writeNewRequest(body);
    const codes = checkRequest(parseRequest(text), schemaErrors, { nowMs: 0 }).map(({ code }) => code);
    assert.deepEqual(codes, ['audio-url/missing'], id);
    const typed = `${text.slice(0, cursor)}https://media.example.com/a.mp3${text.slice(cursor)}`;
    assert.deepEqual(checkRequest(parseRequest(typed), schemaErrors, { nowMs: 0 }), [], id);
  }
});

test('the snippets of the editor are the templates: valid requests that lack only the address', () => {
  const snippets = JSON.parse(readFileSync('media/snippets/requests.json', 'utf8')) as Readonly<
    Record<string, Readonly<Record<'prefix' | 'description', string> & Record<'body' | 'include', readonly string[]>>>
  >;
  assert.deepEqual(
    Object.values(snippets).map(({ prefix }) => prefix),
    listTemplates().map(({ id }) => `transcription-${id}`),
  );
  for (const { prefix, body, include } of Object.values(snippets)) {
    assert.deepEqual(include, ['**/*.transcription.json']);
    const inserted = body.join('\n').replaceAll(/\\([$\\])|\$1/g, (_all, escaped: string | undefined) => escaped ?? '');
    const findings = checkRequest(parseRequest(inserted), schemaErrors, { nowMs: 0 });
    assert.deepEqual(
      findings.map(({ code }) => code),
      ['audio-url/missing'],
      prefix,
    );
  }
});
