import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readEnvironmentKey } from '../../../../src/connections/common/connection.ts';

const base = 'https://api.example.com/eu/';

describe('Key from the environment', () => {
  it('belongs to the origin of the base URL in the environment', () => {
    assert.deepEqual(readEnvironmentKey({ TRANSCRIPTION_API_KEY: ' sesame\n', TRANSCRIPTION_BASE_URL: base }), {
      origin: 'https://api.example.com',
      key: 'sesame',
    });
  });

  for (const [what, environment] of [
    ['no origin', { TRANSCRIPTION_API_KEY: 'sesame' }],
    ['a broken origin', { TRANSCRIPTION_API_KEY: 'sesame', TRANSCRIPTION_BASE_URL: 'api.example.com' }],
    ['an origin that is not http(s)', { TRANSCRIPTION_API_KEY: 'sesame', TRANSCRIPTION_BASE_URL: 'file:///etc' }],
    ['no key', { TRANSCRIPTION_BASE_URL: base }],
    ['an empty key', { TRANSCRIPTION_API_KEY: '', TRANSCRIPTION_BASE_URL: base }],
    ['a key over two lines', { TRANSCRIPTION_API_KEY: 'open\nsesame', TRANSCRIPTION_BASE_URL: base }],
  ] as const) {
    it(`is missing with ${what}`, () => assert.equal(readEnvironmentKey(environment), undefined));
  }
});
