import assert from 'node:assert/strict';
import { validateHeaderName } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkHeaderName } from '../../../../src/connections/common/connectionInput.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

describe('Name of the key header', () => {
  for (const [written, normal] of [
    ['x-service-key', 'x-service-key'],
    [' X-Gladia-Key ', 'x-gladia-key'],
    ['authorization', 'authorization'],
    ['x_key.v2~!', 'x_key.v2~!'],
    ['x-proxy-key', 'x-proxy-key'],
    ['x-forwarded', 'x-forwarded'],
    ['secret', 'secret'],
  ] as const) {
    it(`accepts ${JSON.stringify(written)} as ${normal}`, () => {
      assert.deepEqual(checkHeaderName(written), { type: 'good', text: normal });
    });
  }

  for (const [written, sentence] of [
    ['', /Enter the name/],
    ['x service key', /single word/],
    ['x-service-key:', /single word/],
    ['x-key\r\nhost', /single word/],
    ['x-clé', /single word/],
    [':authority', /single word/],
  ] as const) {
    it(`rejects ${JSON.stringify(written)}`, () => {
      const checked = checkHeaderName(written);
      assert(checked.type === 'bad', `taken as ${JSON.stringify(checked)}`);
      assert.match(checked.problem, sentence);
    });
  }

  // Repeated here, so that a name cannot be removed from the list by accident.
  for (const written of [
    'Accept',
    'Accept-Charset',
    'Accept-Encoding',
    'Accept-Language',
    'Allow',
    'Baggage',
    'Cache-Control',
    'Connection',
    'Content-Disposition',
    'Content-Encoding',
    'Content-Language',
    'Content-Length',
    'Content-Location',
    'Content-Range',
    'Content-Type',
    'Cookie',
    'Cookie2',
    'Date',
    'DNT',
    'Expect',
    'Forwarded',
    'From',
    'Host',
    'HTTP2-Settings',
    'Keep-Alive',
    'Last-Event-ID',
    'Link',
    'Location',
    'Max-Forwards',
    'Origin',
    'Pragma',
    'Prefer',
    'Range',
    'Referer',
    'Retry-After',
    'Server',
    'Set-Cookie',
    'Set-Cookie2',
    'TE',
    'Traceparent',
    'Tracestate',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Upgrade-Insecure-Requests',
    'User-Agent',
    'Via',
    'Warning',
    'WWW-Authenticate',
    'X-Correlation-ID',
    'X-Real-IP',
    'X-Request-ID',
    'Access-Control-Request-Headers',
    'If-Match',
    'If-None-Match',
    'If-Modified-Since',
    'Proxy-Authorization',
    'Proxy-Connection',
    'Sec-Fetch-Site',
    'X-Forwarded-For',
    'X-Forwarded-Host',
  ]) {
    it(`rejects ${written}, which has another meaning, in any case`, () => {
      for (const name of [written, written.toLowerCase(), ` ${written.toUpperCase()} `]) {
        const checked = checkHeaderName(name);
        assert(checked.type === 'bad', `taken as ${JSON.stringify(checked)}`);
        assert.match(checked.problem, /another meaning/);
      }
    });
  }

  it('accepts no name that HTTP forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (written) => {
        const checked = checkHeaderName(written);
        if (checked.type === 'good') validateHeaderName(checked.text);
      }),
      { numRuns: propertyRuns },
    );
  });
});
