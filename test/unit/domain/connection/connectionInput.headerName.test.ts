import assert from 'node:assert/strict';
import { validateHeaderName } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkHeaderName } from '../../../../src/domain/connection/connectionInput.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

describe('Name of the key header', () => {
  for (const [written, normal] of [
    ['x-service-key', 'x-service-key'],
    [' X-Gladia-Key ', 'x-gladia-key'],
    ['authorization', 'authorization'],
    ['x_key.v2~!', 'x_key.v2~!'],
  ] as const) {
    it(`takes ${JSON.stringify(written)} as ${normal}`, () => {
      assert.deepEqual(checkHeaderName(written), { type: 'good', text: normal });
    });
  }

  for (const [written, sentence] of [
    ['', /Enter the name/],
    ['x service key', /one word/],
    ['x-service-key:', /one word/],
    ['x-key\r\nhost', /one word/],
    ['x-clé', /one word/],
    [':authority', /one word/],
    ['Host', /another meaning/],
    ['content-type', /another meaning/],
    ['Content-Length', /another meaning/],
    ['transfer-encoding', /another meaning/],
    ['Connection', /another meaning/],
    ['proxy-authorization', /another meaning/],
    ['cookie', /another meaning/],
    ['User-Agent', /another meaning/],
  ] as const) {
    it(`refuses ${JSON.stringify(written)}`, () => {
      const checked = checkHeaderName(written);
      assert(checked.type === 'bad', `taken as ${JSON.stringify(checked)}`);
      assert.match(checked.problem, sentence);
    });
  }

  it('lets nothing through that HTTP forbids', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (written) => {
        const checked = checkHeaderName(written);
        if (checked.type === 'good') validateHeaderName(checked.text);
      }),
      { numRuns: propertyRuns },
    );
  });
});
