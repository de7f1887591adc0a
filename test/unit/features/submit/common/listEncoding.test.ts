import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUtf16 } from '../../../../../src/features/submit/common/listEncoding.ts';

test('UTF-16 without a byte order mark is found, and no other encoding', () => {
  const little = Buffer.from('audio,titre\nhttps://audio.example/1.wav,第一\n', 'utf16le');
  const big = Buffer.from(little).swap16();
  assert.equal(findUtf16(little), 'utf-16le');
  assert.equal(findUtf16(big), 'utf-16be');
  for (const text of ['', 'a', 'https://audio.example/1.wav', '\0\0', '\0a\0'])
    assert.equal(findUtf16(Buffer.from(text)), undefined);
  assert.equal(findUtf16(Buffer.alloc(100)), undefined);
  assert.equal(findUtf16(Buffer.concat([Buffer.from('https://a.example/\0'), Buffer.alloc(3)])), undefined);
});
