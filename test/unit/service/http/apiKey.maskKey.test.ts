import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Failure } from '../../../../src/domain/failure.ts';
import { maskKeyInFailure, maskKey } from '../../../../src/service/http/apiKey.ts';

const key = 'a+b/c "d"\\';

suite('maskKey', () => {
  for (const form of [
    key,
    JSON.stringify({ key }),
    `?k=${encodeURIComponent(key)}`,
    `?${new URLSearchParams({ k: key }).toString()}`,
  ]) {
    test(`blots the key out of ${form}`, () => {
      const text = maskKey(`before ${form} after ${form}`, key);
      assert.ok(text.includes('•••') && !/a\+b|a%2Bb/.test(text), text);
    });
  }

  const forms: readonly (readonly [name: string, form: string])[] = [
    ['slashes', String.raw`a+b\/c \"d\"\\`],
    ['code units', String.raw`a\u002Bb\u002fc \u0022d\u0022\u005C`],
    ['part of a URL', 'a%2bb/c "d"%5C'],
    ['entities', 'a&#43;b&#x2F;c &quot;d&quot;\\'],
  ];
  for (const [name, form] of forms) {
    test(`blots it out where it is written with ${name}`, () =>
      assert.equal(maskKey(`50% of <${form}> & more`, key), '50% of <•••> & more'));
  }

  test('leaves alone what looks escaped and is no key', () => {
    const text = String.raw`\u002B%41%FF&lt;&#99999999;&#x7fffffff;&#1114112;%4`;
    assert.equal(maskKey(text, key), text);
    assert.equal(maskKey(`${text} ${key}`, key), `${text} •••`);
  });
});

test('a failure is told without the key, and otherwise the same', () => {
  const facts = { status: 400, retryAtMs: 7 };
  const told = { serviceMessage: `bad ${key}`, fieldErrors: [`x: ${key}`], requestId: key, cause: key };
  const failure = maskKeyInFailure(new Failure('rejected', { ...facts, ...told }), key);
  assert.equal(failure.code, 'rejected');
  assert.deepEqual(failure.facts, {
    ...facts,
    serviceMessage: 'bad •••',
    fieldErrors: ['x: •••'],
    requestId: '•••',
    cause: '•••',
  });
  assert.ok(!failure.message.includes(key));
  assert.deepEqual(maskKeyInFailure(new Failure('timeout', facts), key).facts, facts);
});
