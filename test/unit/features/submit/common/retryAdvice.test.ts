import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adviseRetry, describeCause, findLastingCause } from '../../../../../src/features/submit/common/retryAdvice.ts';

const nowMs = Date.parse('2026-11-20T12:00:00Z');
const body = { audio_url: 'https://media.example.com/a.mp3' };

function advice(status: number | undefined, label?: string): string {
  const { text, path } = adviseRetry(body, { status, label }, nowMs);
  return path === undefined ? text : `${path.join('.')}: ${text}`;
}

for (const [code, begin] of [
  [400, 'The service may not accept one of the settings'],
  [403, 'audio_url: The service may not have been able to fetch the audio'],
  [404, 'audio_url: The service may not have found the audio at its address'],
  [408, 'The service may have been too busy'],
  [413, 'audio_url: The audio may be too long or too large'],
  [415, 'audio_url: The service may not support this audio'],
  [422, 'The service may not accept one of the settings'],
  [429, 'The service may have been too busy'],
  [500, 'The service itself may have failed'],
  [599, 'The meaning of the code is unknown'],
  [undefined, 'The meaning of the code is unknown'],
] as const) {
  test(`code ${code}, if it is an HTTP status, suggests: ${begin}`, () =>
    assert.ok(advice(code).startsWith(begin), advice(code)));
}

for (const [label, begin] of [
  ['Unsupported language', 'language_config: List the expected languages'],
  ['Langue non prise en charge', 'language_config: List the expected languages'],
  ['Invalid audio format', 'audio_url: The service may not support this audio'],
  ['Audio not found', 'audio_url: The service may not have found the audio at its address'],
  ['Lien introuvable', 'audio_url: The service may not have found the audio at its address'],
  ['File too large', 'audio_url: The audio may be too long or too large'],
  ['Durée excessive', 'audio_url: The audio may be too long or too large'],
  ['Rate limit', 'The service may have been too busy'],
  ['Invalid parameter', 'The service may not accept one of the settings'],
  ['Callback refused', 'callback_config: Check that the callback address responds'],
  ['Too many speakers', 'diarization_config: Remove the speaker hints'],
  ['Internal', 'The service itself may have failed'],
] as const) {
  test(`the label "${label}" takes precedence over the code: ${begin}`, () => {
    const said = advice(599, label).replace('Going by your label: ', '');
    assert.ok(said.startsWith(begin), said);
  });
}

test('advice that goes by a label says so', () => {
  const failure = { status: 403, label: 'audio refusé' };
  const own = 'Going by your label: The service may not have been able to fetch the audio';
  assert.ok(describeCause(failure)?.startsWith(own));
  assert.ok(findLastingCause(failure)?.startsWith(own));
  assert.ok(describeCause({ ...failure, label: 'ticket 4711' })?.startsWith('The service may not'));
});

test('a label without a known word leaves the advice to the code', () => {
  assert.equal(advice(415, 'Oops'), advice(415));
});

test('a current problem of the request takes precedence', () => {
  const failure = { status: 422, label: 'Invalid parameter' };
  const expired = {
    audio_url: 'https://b.s3.amazonaws.com/a?X-Amz-Date=20261120T110000Z&X-Amz-Expires=60&X-Amz-Signature=0',
  };
  assert.deepEqual(adviseRetry(expired, failure, nowMs).text, 'The link to the audio has expired: enter a new one.');
  assert.notEqual(adviseRetry(expired, failure, nowMs - 3_600_000).text, adviseRetry(expired, failure, nowMs).text);
  for (const none of [{}, { audio_url: ' ' }, { audio_url: 3 }]) {
    assert.deepEqual(adviseRetry(none, failure, nowMs).text, 'Enter the URL of the audio.');
  }
});
