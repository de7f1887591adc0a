import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digest } from '../../../../src/service/ports.ts';
import { AudioHash } from '../../../../src/service/submit/audioHash.ts';

const url = 'https://audio.example.com/a.wav';

test('a plain digest of version 0.1.0 is still known', () => {
  assert.equal(new AudioHash('key').isOf(digest(url), url), true);
});
