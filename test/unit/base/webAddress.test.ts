import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { mapStrings } from '../../../src/base/json/jsonText.ts';
import { findAddresses, labelAddress, maskAddresses, parseUrl } from '../../../src/base/webAddress.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

const hostsIn = (text: string): readonly (string | undefined)[] =>
  findAddresses(text).map((address) => labelAddress(address)?.host);

test('a host of any length is parsed or rejected without an exception', () => {
  for (const letters of ['a', 'A', 'aB.', 'é', 'xn--', '1.', '%41']) {
    for (const length of [63, 255, 16_384, 16_390, 100_000]) {
      const address = `https://${letters.repeat(length / letters.length)}/a.mp3`;
      assert.equal(labelAddress(address)?.host, parseUrl(address)?.host, `${length} of ${letters}`);
    }
  }
  assert.equal(parseUrl(`https://${'A'.repeat(16_390)}/`), undefined);
  assert.equal(parseUrl('https://A.example/')?.host, 'a.example');
});

suite('findAddresses', () => {
  test('finds the real host of an address, whatever is before the @', () => {
    for (const sign of ['"', ' ', '<', '>', "'", '|', '\u00a0', '"https:', ' "<', '\\t', ' x:y ']) {
      const address = `https://good.example${sign}@evil.example/in`;
      if (!URL.canParse(address) || new URL(address).host !== 'evil.example') continue;
      assert.ok(hostsIn(address).includes('evil.example'), address);
      assert.ok(hostsIn(`see ${address} there`).includes('evil.example'), address);
    }
  });

  test('finds the host of every text that a URL parser accepts', () => {
    const piece = fc.constantFrom(
      'https:',
      'HTTP://',
      '//',
      '@',
      '"',
      ' ',
      '<',
      "'",
      '|',
      'a.example',
      'b.example',
      '/',
      '?',
      '#',
      ':',
      '\\',
      '%41',
      'x',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
        const text = `https://${pieces.join('')}`;
        const label = labelAddress(text);
        if (label !== undefined)
          assert.ok(hostsIn(text).includes(label.host), `${text}: ${findAddresses(text).join(', ')}`);
      }),
      { numRuns: propertyRuns },
    );
  });

  test('takes linear time for hostile texts', () => {
    const ms = (text: string): number => {
      const before = process.threadCpuUsage().user;
      findAddresses(text);
      return (process.threadCpuUsage().user - before) / 1000;
    };
    for (const attack of ['https:', 'https:"', 'https://"@', 'https://a"']) {
      // Ten times the text: quadratic work would take a hundred times as long.
      ms(attack.repeat(2000));
      const few = ms(attack.repeat(2000));
      assert.ok(ms(attack.repeat(20_000)) < 40 * Math.max(few, 5), attack);
    }
  });
});

suite('maskAddresses', () => {
  for (const [text, masked] of [
    ['wss://live.example/v2/live?token=s3cret', 'wss://live.example/v2/live?…'],
    ['https://media.example/My Call.wav?sig=s3cret', 'https://media.example/My Call.wav?…'],
    ['see https://media.example/My Call.wav?sig=s3cret, please', 'see https://media.example/My Call.wav?… please'],
    ['https://user:a"s3cret@h.example/x?s3cret', 'https://h.example/x?…'],
    ["https://h.example/it's.wav#s3cret", "https://h.example/it's.wav#…"],
    ['at wss://u:s3cret@live.example/v2?token=s3cret now', 'at wss://live.example/v2?… now'],
    ['ftp://user:s3cret@h.example/', 'ftp://h.example/'],
    ['s3://s3cret@bucket/key', 's3://bucket/key'],
    ['//h.example/a?s3cret', '//h.example/a?…'],
    ['HTTPS:\\\\h.example\\in?s3cret', 'HTTPS:\\\\h.example\\in?…'],
    ['https:user@h.example', 'https:h.example'],
    ['{"a":"https:\\/\\/u:s3cret@h.example\\/?s3cret"}', '{"a":"https:\\/\\/h.example\\/?…"}'],
    ['hooks.example/in?token=s3cret', 'hooks.example/in?…'],
    ['u:s3cret@hooks.example/in?a&token=s3cret', 'hooks.example/in?…'],
    ['/in?token=s3cret', '/in?…'],
    ['is it 3 > 2? &a=b', 'is it 3 > 2? &a=b'],
    ['https%3A%2F%2Fh.example%2Fx%3Fsig%3Ds3cret', 'https://h.example/x?…'],
    ['https%253A%252F%252Fh.example%252Fx%253Fsig%253Ds3cret', 'https://h.example/x?…'],
    ['at https%3A%2F%2Fu%3As3cret%40h.example now', 'at https://h.example now'],
    ['https://h.example/r/https://u:s3cret@o.example', 'https://h.example/r/…'],
    ['https://h.example/r/https%3A%2F%2Fo.example%3Fsig%3Ds3cret', 'https://h.example/r/https://o.example?…'],
    ['https://user%3As3cret%40h.example/', 'https://h.example/'],
    ['https://h.example/x%3Fsig=s3cret', 'https://h.example/x?…'],
    ['https://h.example/x;jsessionid=s3cret', 'https://h.example/x;…'],
    ['https://u:p/s3cret@h.example/', 'https://…'],
    ['see https://u:p"s3cret@h.example/ now', 'see https://… now'],
    ['see //u:s3cret@h.example/x', 'see //h.example/x'],
    ['see //h.example/x?sig=s3cret', 'see //h.example/x?…'],
    ['see h.example/x?sig=s3cret', 'see h.example/x?…'],
    ['user:s3cret@h.example', 'h.example'],
    ['<img src="//h.example/?sig=s3cret">', '<img src="//h.example/?…">'],
    ['https&#58;//h.example/?sig=s3cret', 'https://h.example/?…'],
    ['https&colon;&sol;&sol;h.example&quest;sig=s3cret', 'https://h.example?…'],
    ['someone@h.example', 'someone@h.example'],
    ['https://h.example:8443/@someone/My%20Call.wav', 'https://h.example:8443/@someone/My%20Call.wav'],
    ['50%25 of A&amp;B, at 12:30', '50%25 of A&amp;B, at 12:30'],
    ['no address: http and ? and @', 'no address: http and ? and @'],
  ] as const) {
    test(`makes ${masked} of ${text}`, () => assert.equal(maskAddresses(text), masked));
  }

  test('masks addresses within JSON, whatever their escapes, and changes nothing else', () => {
    const json = String.raw`{"\u0068ttps://u:s3cret@h.example": "\u0068ttps:\/\/h.example\u003fs3cret", "n": 1.50, "t": "\u0041"}`;
    assert.equal(
      mapStrings(json, maskAddresses),
      String.raw`{"https://h.example": "https://h.example?…", "n": 1.50, "t": "\u0041"}`,
    );
  });
});
