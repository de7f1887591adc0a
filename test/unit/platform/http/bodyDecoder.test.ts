import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { BodyDecoder } from '../../../../src/platform/http/bodyDecoder.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

function decodeBody(chunks: readonly Uint8Array[], contentType?: string): string {
  const decoder = new BodyDecoder(contentType);
  for (const chunk of chunks) decoder.add(chunk);
  return decoder.end();
}

suite('BodyDecoder', () => {
  const utf8 = Buffer.from('é');
  const rows: readonly (readonly [name: string, body: Uint8Array, contentType: string | undefined, text: string])[] = [
    ['UTF-8 without a content type', utf8, undefined, 'é'],
    ['UTF-8 without a charset', utf8, 'application/json', 'é'],
    ['a declared charset', Buffer.from('é', 'latin1'), 'application/json; charset=ISO-8859-1', 'é'],
    ['a declared charset in quotes', Buffer.from('é', 'latin1'), 'text/plain;charset="latin1"; x=y', 'é'],
    ['UTF-16', Buffer.from('é', 'utf16le'), 'application/json; charset=utf-16le', 'é'],
    ['an unknown charset as UTF-8', utf8, 'application/json; charset=klingon', 'é'],
    ['bytes that are not UTF-8', Buffer.from([0x61, 0xff, 0x62]), undefined, 'a\uFFFDb'],
    ['a byte order mark, which it removes', Buffer.from('\uFEFFé'), undefined, 'é'],
    ['a byte order mark that contradicts the charset', Buffer.from('\uFEFFé'), 'application/json; charset=latin1', 'é'],
    ['a byte order mark of UTF-16', Buffer.from('\uFEFFé', 'utf16le'), undefined, 'é'],
    ['a byte order mark of UTF-16 in the other order', Buffer.from([0xfe, 0xff, 0x00, 0xe9]), undefined, 'é'],
    ['nothing but a byte order mark', Buffer.from([0xfe, 0xff]), undefined, ''],
    ['an empty body', Buffer.alloc(0), undefined, ''],
  ];
  for (const [name, body, contentType, text] of rows) {
    test(`reads ${name}`, () => assert.equal(decodeBody([body], contentType), text));
  }

  test('reads the same text for any chunks of a body', () => {
    /** How a body starts, and the charset that this says. Without a mark it starts with a letter, lest noise be one. */
    const starts = fc.constantFrom(
      { charset: 'utf-8', start: [0x78] },
      { charset: 'utf-8', start: [0xef, 0xbb, 0xbf] },
      { charset: 'utf-16be', start: [0xfe, 0xff] },
      { charset: 'utf-16le', start: [0xff, 0xfe] },
    );
    const chunks = fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 9 });
    fc.assert(
      fc.property(starts, fc.string({ unit: 'grapheme' }), chunks, ({ charset, start }, text, noise) => {
        const body = Buffer.concat([Buffer.from(start), Buffer.from(text), ...noise, Buffer.from(text)]);
        const bytes = [...body].map((byte) => Uint8Array.of(byte));
        assert.equal(decodeBody(bytes), new TextDecoder(charset).decode(body));
      }),
      { numRuns: propertyRuns },
    );
  });

  test('reads a text longer than a block, with characters across its end', () => {
    const text = `x${'é'.repeat(200_000)}`;
    const body = Buffer.from(text);
    for (const length of [1, 1000, 16 * 1024, 64 * 1024, body.byteLength]) {
      const count = Math.ceil(body.byteLength / length);
      const chunks = Array.from({ length: count }, (_, index) => body.subarray(index * length, (index + 1) * length));
      assert.equal(decodeBody(chunks), text, `chunks of ${length} bytes`);
    }
  });
});
