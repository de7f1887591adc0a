import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { audioAddressOf, readAudioAddress } from '../../../../src/jobs/common/audioAddress.ts';
import { mayNameAudio } from '../../../../src/jobs/common/job.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

/** Returns the audio URL of a job with these fields. */
function addressOf(item: object, kind = 'pre-recorded'): string | undefined {
  return audioAddressOf({ raw: JSON.stringify(item), kind })?.href;
}
const ofSource = (source: unknown): string | undefined => addressOf({ file: { source } });

test('the audio URL is the source of the file, otherwise the URL of the echoed request', () => {
  const file = { source: 'https://a.example/a.mp3' };
  const request_params = { audio_url: 'http://b.example/b.mp3' };
  assert.equal(addressOf({ file, request_params }), 'https://a.example/a.mp3');
  assert.equal(addressOf({ file: { source: null }, request_params }), 'http://b.example/b.mp3');
  assert.equal(addressOf({ file: { source: 'ftp://a.example/a.mp3' }, request_params }), 'http://b.example/b.mp3');
  assert.equal(addressOf({ file }, 'live'), 'https://a.example/a.mp3');
  assert.equal(addressOf({ request_params }, 'live'), undefined);
});

test('a signature stays in the URL but not in its label', () => {
  const source = 'https://a.example:8443/My%20Call.wav?X-Sig=a%2Bb%2F%3D&x=1#t';
  assert.deepEqual(readAudioAddress({ file: { source } }, 'live'), {
    href: source,
    host: 'a.example:8443',
    label: 'a.example:8443/My%20Call.wav?…',
  });
});

test('only a plain http(s) URL counts as an audio URL', () => {
  for (const source of [
    '',
    'a.mp3',
    '//a.example/a.mp3',
    'https://',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'command:workbench.action.quit',
    'vscode://a/b',
    'data:audio/wav;base64,AA',
    'https://bank.example@evil.example/a.mp3',
    'https://:secret@evil.example/a.mp3',
    'https://bank.example%2f@evil.example/',
    `https://bank.example.${'a.'.repeat(200)}evil.example/`,
    `https://a.example/${'a'.repeat(8000)}`,
    7,
    ['https://a.example/'],
    { href: 'https://a.example/' },
  ]) {
    assert.equal(ofSource(source), undefined, JSON.stringify(source));
  }
  for (const item of [{}, { file: null }, { file: 'https://a.example/' }, { request_params: [] }]) {
    assert.equal(addressOf(item), undefined);
  }
});

test('the host is the one that a browser would connect to', () => {
  for (const [source, host] of [
    [String.raw`https://evil.example\@bank.example/a.mp3`, 'evil.example'],
    ['https:\\\\evil.example/a.mp3', 'evil.example'],
    ['HTTPS:evil.example/@bank.example', 'evil.example'],
    ['https://ev\til.exa\nmple/?bank.example', 'evil.example'],
    ['https://b\u0430nk.example/', 'xn--bnk-6cd.example'],
    ['http://0x7f.1/a.mp3', '127.0.0.1'],
  ] as const) {
    assert.equal(readAudioAddress({ file: { source } }, 'live')?.host, host, source);
  }
});

test('a row knows without parsing if an item has an audio URL', () => {
  const job = (item: object, kind = 'pre-recorded') => ({ raw: JSON.stringify(item, undefined, 1), kind });
  assert.equal(mayNameAudio(job({ file: { source: 'https://a.example/a.mp3' } }, 'live')), true);
  assert.equal(mayNameAudio(job({ request_params: { audio_url: 'HTTP://a.example/a.mp3' } })), true);
  assert.equal(mayNameAudio(job({ request_params: { audio_url: 'https://a.example/a.mp3' } }, 'live')), false);
  assert.equal(mayNameAudio(job({ file: { source: null, filename: 'https://a.example' } })), false);
});

test('property: every audio URL is http(s), in ASCII and without a user name', () => {
  const piece = fc.constantFrom(
    'https:',
    'http:',
    '//',
    '\\',
    '@',
    ':',
    'a.example',
    '/',
    '?',
    '#',
    ' ',
    'é',
    '%2f',
    '[',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((parts) => parts.join('')),
        fc.jsonValue(),
      ),
      (source) => {
        const audio = audioAddressOf({ raw: JSON.stringify({ file: { source } }), kind: 'live' });
        if (audio === undefined) return;
        assert.match(audio.href, /^https?:\/\/[\x21-\x7e]+$/);
        const { host, username, password } = new URL(audio.href);
        assert.deepEqual([host, username, password], [audio.host, '', '']);
      },
    ),
    { numRuns: propertyRuns },
  );
});
