import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { readErrorBody, type ErrorBody } from '../../../../src/platform/http/errorBody.ts';
import { KeyMask } from '../../../../src/platform/http/keyMask.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const keyMask = new KeyMask('sk-1234567890');
const read = (text: string, isCut = false): ErrorBody => readErrorBody({ text, isCut }, keyMask);

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
    test(`reads ${text}`, () => assert.deepEqual(read(text), { message, fieldErrors, requestId }));
  }

  test('reads text and HTML', () => {
    assert.equal(read('Payload Too Large').message, 'Payload Too Large');
    assert.equal(read('<html><body><h1>502</h1>\n<hr>nginx</body></html>').message, '502 nginx');
    assert.equal(read('').message, undefined);
  });

  test('limits errors to a line each and to twenty', () => {
    const { fieldErrors } = read(JSON.stringify({ errors: Array<string>(500).fill('x'.repeat(10_000)) }));
    assert.equal(fieldErrors.length, 20);
    assert.ok(fieldErrors.every((each) => each.length <= 120));
  });

  const before = '{"error":{"message":"'.length;
  for (const [name, text, cut, message, fieldErrors = []] of [
    ['in its message', '{"error":{"message":"too long a story"}}', before + 8, 'too long'],
    ['in an escape', '{"error":{"message":"caf\\u00e9"}}', before + 7, 'caf'],
    ['after its message', '{"message":"no","errors":["a","b"]}', 15, 'no'],
    ['in a name', '{"message":"no","errors":["a","b"]}', 20, 'no'],
    ['after a name', '{"message":"no","errors":["a","b"]}', 24, 'no'],
    ['after a colon', '{"message":"no","errors":["a","b"]}', 25, 'no'],
    ['in a list', '{"message":"no","errors":["a","b"]}', 29, 'no', ['a']],
    ['after a comma of a list', '{"message":"no","errors":["a","b"]}', 30, 'no', ['a']],
    ['after a comma of an object', '{"message":"no","errors":["a","b"]}', 16, 'no'],
  ] as const) {
    test(`reads the beginning of a body that is truncated ${name}`, () => {
      const shown = read(text.slice(0, cut) + ' '.repeat(0), true);
      // A truncated text may end with a part of the key, so its last characters are dropped.
      const wanted = name.startsWith('in its') || name.startsWith('in an') ? undefined : message;
      assert.deepEqual([shown.message, shown.fieldErrors], [wanted, fieldErrors]);
    });
  }

  test('shows the beginning of a long truncated message', () => {
    assert.match(read(`{"message":"${'too long '.repeat(100)}`, true).message ?? '', /^too long too long.*…$/);
  });

  test('limits a request ID to a short line', () => {
    const { requestId = '' } = read(JSON.stringify({ request_id: `G-7\n2026 [info] forged ${'x'.repeat(5000)}` }));
    assert.match(requestId, /^G-7 2026 .{100}.*…$/);
    assert.ok(requestId.length <= 120);
  });

  test('never throws, and returns only short lines', () => {
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
        const { message = '', fieldErrors } = read(JSON.stringify(value));
        assert.ok([message, ...fieldErrors].every((each) => typeof each === 'string' && each.length < 300));
      }),
      { numRuns: propertyRuns },
    );
  });
});
