import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { readErrorBody } from '../../../../src/service/http/errorBody.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const asItIs = (text: string): string => text;

suite('readErrorBody', () => {
  const flat = {
    statusCode: 400,
    message: 'Invalid parameter(s)',
    request_id: 'G-1',
    validation_errors: ['limit must be at least 1', 'offset must be at least 0'],
  };
  const rows: readonly (readonly [
    body: unknown,
    message: string | undefined,
    fieldErrors?: readonly string[],
    id?: string,
  ])[] = [
    [flat, 'Invalid parameter(s)', ['limit must be at least 1', 'offset must be at least 0'], 'G-1'],
    [{ error: { message: 'no', code: 'bad', request_id: 'G-2' } }, 'no', [], 'G-2'],
    [{ error: 'Bad Request', message: ['a is wrong', 'b is wrong'] }, 'Bad Request', ['a is wrong', 'b is wrong']],
    [{ error: 'invalid_request' }, 'invalid_request'],
    [{ title: 'Bad', detail: 'The url is missing' }, 'The url is missing'],
    [
      { detail: [{ loc: ['body', 'url', 0], msg: 'field required', type: 'missing' }] },
      'body.url.0: field required',
      ['body.url.0: field required'],
    ],
    [{ errors: { audio_url: ['is required', 'is no URL'] } }, 'audio_url: is required', ['audio_url: is required']],
    [{ errors: [{ field: 'a', message: 'b' }, { path: 'c' }, {}, 7] }, 'a: b', ['a: b', 'c']],
    [['one', { message: 'two' }], 'one', ['one', 'two']],
    ['just text', 'just text'],
    [{ message: '<b>Sorry</b>,\n not   now' }, '<b>Sorry</b>, not now'],
    [{ message: 'min_speakers must be <= max_speakers' }, 'min_speakers must be <= max_speakers'],
    [
      { validation_errors: ['intensity must be < 0.6 and > 0.4 (was 0.9)'] },
      'intensity must be < 0.6 and > 0.4 (was 0.9)',
      ['intensity must be < 0.6 and > 0.4 (was 0.9)'],
    ],
    [{ message: '' }, undefined],
    [{}, undefined],
    [[], undefined],
    [null, undefined],
    [42, undefined],
  ];
  for (const [body, message, fieldErrors = [], requestId] of rows) {
    const text = JSON.stringify(body);
    test(`reads ${text}`, () => assert.deepEqual(readErrorBody(text, asItIs), { message, fieldErrors, requestId }));
  }

  test('reads text and HTML', () => {
    assert.equal(readErrorBody('Payload Too Large', asItIs).message, 'Payload Too Large');
    assert.equal(readErrorBody('<html><body><h1>502</h1>\n<hr>nginx</body></html>', asItIs).message, '502 nginx');
    assert.equal(readErrorBody('', asItIs).message, undefined);
  });

  test('keeps to a line each and to twenty complaints', () => {
    const { fieldErrors } = readErrorBody(
      JSON.stringify({ errors: Array<string>(500).fill('x'.repeat(10_000)) }),
      asItIs,
    );
    assert.equal(fieldErrors.length, 20);
    assert.ok(fieldErrors.every((each) => each.length <= 120));
  });

  test('never throws, and tells only short lines', () => {
    const names = ['message', 'error', 'errors', 'detail', 'loc', 'msg', 'validation_errors', 'request_id'];
    const body = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.string(),
        fc.integer(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(body, (value) => {
        const { message = '', fieldErrors } = readErrorBody(JSON.stringify(value), asItIs);
        assert.ok([message, ...fieldErrors].every((each) => typeof each === 'string' && each.length < 300));
      }),
      { numRuns: propertyRuns },
    );
  });
});
