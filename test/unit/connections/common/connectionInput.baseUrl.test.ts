import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkBaseUrl, originOf } from '../../../../src/connections/common/connectionInput.ts';
import { assertLinear } from '../../../support/hostile/linearTime.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const normalised: readonly (readonly [written: string, normal: string])[] = [
  ['https://api.example.com', 'https://api.example.com'],
  ['  https://api.example.com/ \n', 'https://api.example.com'],
  ['https://api.example.com///', 'https://api.example.com'],
  ['HTTPS://API.Example.COM', 'https://api.example.com'],
  ['https://api.example.com:443', 'https://api.example.com'],
  ['https://api.example.com:8443/', 'https://api.example.com:8443'],
  ['https://gateway.example.com/speech/eu/', 'https://gateway.example.com/speech/eu'],
  ['https://gateway.example.com/a/../b', 'https://gateway.example.com/b'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ['https://BÜCHER.example/日本', 'https://xn--bcher-kva.example/%E6%97%A5%E6%9C%AC'],
  ['https://[2001:0DB8:0:0::1]:8080', 'https://[2001:db8::1]:8080'],
  ['http://localhost:3000/', 'http://localhost:3000'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
  ['http://127.1:80', 'http://127.0.0.1'],
  ['http://[::1]:3000', 'http://[::1]:3000'],
];

const refused: readonly (readonly [written: string, sentence: RegExp])[] = [
  ['', /Enter the address/],
  ['   ', /Enter the address/],
  ['api.example.com', /Start with https:\/\//],
  ['localhost:3000', /Start with https:\/\/ \(http:\/\/ for a service on this computer\)/],
  ['//api.example.com', /Start with https:\/\//],
  ['mailto:someone@example.com', /Start with https:\/\//],
  ['https:api.example.com', /Start with https:\/\//],
  ['https://', /not a URL/],
  ['https://exa mple.com', /not a URL/],
  ['https://api.example.com:99999', /not a URL/],
  ['https://[::1', /not a URL/],
  ['https://[fe80::1%25eth0]', /not a URL/],
  ['file:///etc/passwd', /file:\/\/ is not the address/],
  ['ftp://example.com', /ftp:\/\/ is not the address/],
  ['ws://localhost:3000', /ws:\/\/ is not the address/],
  ['javascript://example.com/%0aalert(1)', /is not the address/],
  ['https://user:secret@api.example.com', /user name and password/],
  ['https://user@api.example.com', /user name and password/],
  ['https://api.example.com#jobs', /from # on/],
  ['https://api.example.com/#', /from # on/],
  ['https://api.example.com?limit=1', /from \? on/],
  ['https://api.example.com/?', /from \? on/],
  ['http://api.example.com', /Only a service on this computer/],
  ['http://localhost.example.com', /Only a service on this computer/],
  ['http://127.0.0.1.example.com', /Only a service on this computer/],
  ['http://service.localhost', /Only a service on this computer/],
  ['http://192.168.1.5', /Only a service on this computer/],
  ['http://127.200.3.4', /Only a service on this computer/],
  ['http://127.0.0.2:3000', /Only a service on this computer/],
  ['http://127.1.1', /Only a service on this computer/],
  ['http://localhost.:3000', /Only a service on this computer/],
  ['http://[::ffff:127.0.0.1]', /Only a service on this computer/],
  ['http://0.0.0.0:3000', /Only a service on this computer/],
  ['http://[::ffff:10.0.0.1]', /Only a service on this computer/],
];

describe('Base URL', () => {
  for (const [written, normal] of normalised) {
    it(`accepts ${JSON.stringify(written)} as ${normal}`, () => {
      assert.deepEqual(checkBaseUrl(written), { type: 'good', text: normal });
    });
  }

  for (const [written, sentence] of refused) {
    it(`rejects ${JSON.stringify(written)} and describes how to write it`, () => {
      const checked = checkBaseUrl(written);
      assert(checked.type === 'bad', `taken as ${JSON.stringify(checked)}`);
      assert.match(checked.problem, sentence);
    });
  }

  it('never repeats a password in its message', () => {
    const checked = checkBaseUrl('https://user:hunter2@api.example.com');
    assert(checked.type === 'bad' && !checked.problem.includes('hunter2'));
  });

  it('reads a hostile path in linear time', () => {
    assertLinear((text) => checkBaseUrl(`https://api.example.com/${text}`));
  });

  it('keeps a normal form unchanged, and accepts only https or this machine', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), fc.string()), (written) => {
        const once = checkBaseUrl(written);
        if (once.type === 'bad') return;
        assert.deepEqual(checkBaseUrl(once.text), once);
        assert.doesNotMatch(once.text, /\/$|[?#]/);
        assert.match(once.text, /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\]))/);
      }),
      { numRuns: propertyRuns },
    );
  });
});

describe('Origin of a base URL', () => {
  it('is scheme, host and port', () => {
    assert.equal(originOf('https://api.example.com/speech'), 'https://api.example.com');
    assert.equal(originOf('http://127.0.0.1:8080/speech'), 'http://127.0.0.1:8080');
  });
  it('is empty for a text that is not a URL', () => {
    assert.equal(originOf('api.example.com'), '');
  });
});
