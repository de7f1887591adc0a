import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkApiKey } from '../../../../src/connections/common/connectionInput.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

describe('A pasted API key', () => {
  it('is trimmed', () => {
    assert.deepEqual(checkApiKey('\t 1a2b-3c4d_\n'), { type: 'good', text: '1a2b-3c4d_' });
  });

  it('may have the max length', () => {
    const longest = 's'.repeat(4096);
    assert.deepEqual(checkApiKey(` ${longest}\n`), { type: 'good', text: longest });
  });

  for (const [written, sentence] of [
    ['', /Enter the API key/],
    [' \n ', /Enter the API key/],
    ['half\nother-half', /several lines/],
    ['half\r\nx-injected: 1', /several lines/],
    ['Bearer sesame', /a space/],
    ['sesame\tsesame', /a space/],
    ['sesame\u00a0open', /a space/],
    ['sésame', /can't carry/],
    ['sesame\u200b', /can't carry/],
    ['sesame\u0007', /can't carry/],
    ['s'.repeat(4097), /too long/],
  ] as const) {
    it(`is rejected if it is ${JSON.stringify(written.slice(0, 20))}, without repeating it`, () => {
      const checked = checkApiKey(written);
      assert(checked.type === 'bad', 'taken');
      assert.match(checked.problem, sentence);
      assert.doesNotMatch(checked.problem, /sesame|sésame|half|Bearer|ssss/);
    });
  }

  it('never contains characters that HTTP forbids in headers', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (written) => {
        const checked = checkApiKey(written);
        if (checked.type === 'good') validateHeaderValue('x-service-key', checked.text);
      }),
      { numRuns: propertyRuns },
    );
  });
});
