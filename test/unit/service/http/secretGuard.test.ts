import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Failure } from '../../../../src/domain/failure.ts';
import { failureWithoutKey, withoutKey } from '../../../../src/service/http/secretGuard.ts';

const key = 'a+b/c "d"\\';

suite('withoutKey', () => {
  for (const form of [
    key,
    JSON.stringify({ key }),
    `?k=${encodeURIComponent(key)}`,
    `?${new URLSearchParams({ k: key }).toString()}`,
  ]) {
    test(`blots the key out of ${form}`, () => {
      const text = withoutKey(`before ${form} after ${form}`, key);
      assert.ok(text.includes('•••') && !/a\+b|a%2Bb/.test(text), text);
    });
  }
});

test('a failure is told without the key, and otherwise the same', () => {
  const facts = { status: 400, retryAtMs: 7 };
  const told = { serviceMessage: `bad ${key}`, fieldErrors: [`x: ${key}`], requestId: key, cause: key };
  const failure = failureWithoutKey(new Failure('rejected', { ...facts, ...told }), key);
  assert.equal(failure.code, 'rejected');
  assert.deepEqual(failure.facts, {
    ...facts,
    serviceMessage: 'bad •••',
    fieldErrors: ['x: •••'],
    requestId: '•••',
    cause: '•••',
  });
  assert.ok(!failure.message.includes(key));
  assert.deepEqual(failureWithoutKey(new Failure('timeout', facts), key).facts, facts);
});
