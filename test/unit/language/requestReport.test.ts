import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { effectOf } from '../../../src/language/requestReport.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { relaxedRequestText } from './requestTexts.ts';

test('describes the effect of the recovered part while a request is being written', () => {
  const texts = (text: string) => effectOf(parseRequest(text)).map((each) => each.text);
  assert.deepEqual(texts('{ "diarization": true, "translation_con'), [
    'Syntax errors: this may not be all',
    'Language: detected',
    'Speakers on one channel: separated',
  ]);
  assert.deepEqual(texts(''), []);
});

test('any beginning of a request has a description of its effect, or none', () => {
  fc.assert(
    fc.property(relaxedRequestText, fc.nat(), (text, length) =>
      effectOf(parseRequest(text.slice(0, length % (text.length + 1)))).every((each) => each.text !== ''),
    ),
    { numRuns: propertyRuns },
  );
});
