import assert from 'node:assert/strict';
import { test } from 'node:test';
import { digest } from '../../../../../src/base/digest.ts';
import { AudioHash } from '../../../../../src/features/submit/node/audioHash.ts';
import { MemorySecrets } from '../../../../support/states/memorySecrets.ts';

const url = 'https://audio.example.com/a.wav';

test('a hash depends on one key, is the same in all windows, and cannot be tested without the key', async () => {
  const secrets = new MemorySecrets();
  const first = await AudioHash.load(secrets);
  const second = await AudioHash.load(secrets);
  const stranger = await AudioHash.load(new MemorySecrets());
  assert.equal(first.of(url), second.of(url));
  assert.equal(second.isOf(first.of(url), url), true);
  assert.notEqual(first.of(url), digest(url));
  assert.notEqual(first.of(url), stranger.of(url));
  assert.equal(first.isOf(first.of(url), `${url}?`), false);
});

test('a window uses its own key if the secret store fails', async () => {
  const broken = { get: () => Promise.reject(new Error('locked')), store: () => Promise.resolve() };
  const hash = await AudioHash.load(broken);
  assert.equal(hash.isOf(hash.of(url), url), true);
});
