import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleBaseUrl } from '../../../src/known/knownService.ts';
import { findServiceKnowledge, statusOfErrorCode } from '../../../src/known/serviceKnowledge.ts';

test('a service applies if it is selected by name or its origin is that of the base URL', () => {
  for (const [choice, baseUrl, applied] of [
    ['gladia', undefined, true],
    ['gladia', 'https://other.example', true],
    ['auto', 'https://api.gladia.io', true],
    ['auto', 'https://api.gladia.io/base', true],
    ['auto', 'https://api.gladia.io.other.example', false],
    ['auto', 'http://api.gladia.io', false],
    ['auto', 'https://other.example/https://api.gladia.io', false],
    ['auto', undefined, false],
    [undefined, undefined, false],
  ] as const) {
    const knowledge = findServiceKnowledge(choice, baseUrl);
    assert.deepEqual([knowledge?.service.id, knowledge?.isApplied], ['gladia', applied], `${choice} ${baseUrl}`);
  }
});

test('no known service applies if the choice is none, regardless of the base URL', () => {
  assert.equal(findServiceKnowledge('none', 'https://api.gladia.io'), undefined);
});

test('the error codes of a service are HTTP statuses if it is known to use them, and those of the sample service', () => {
  const status = (baseUrl: string): number | undefined => statusOfErrorCode(404, findServiceKnowledge('auto', baseUrl));
  assert.deepEqual(['https://api.gladia.io', sampleBaseUrl, 'https://other.example'].map(status), [
    404,
    404,
    undefined,
  ]);
});
