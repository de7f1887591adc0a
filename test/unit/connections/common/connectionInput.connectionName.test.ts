import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { suggestConnectionName } from '../../../../src/connections/common/connectionDraft.ts';
import { checkConnectionName } from '../../../../src/connections/common/connectionInput.ts';

describe('Name of a connection', () => {
  it('is trimmed and composed', () => {
    assert.deepEqual(checkConnectionName('  Caf\u0065\u0301 ', []), { type: 'good', text: 'Café' });
  });

  for (const [written, sentence] of [
    ['  ', /Enter a name/],
    ['production', /connection named production already exists/],
    ['Sample', /sample service/],
    ['sample', /sample service/],
    ['two\nlines', /single line/],
    ['n'.repeat(101), /up to 100/],
  ] as const) {
    it(`is rejected if it is ${JSON.stringify(written.slice(0, 12))}`, () => {
      const checked = checkConnectionName(written, ['Production']);
      assert(checked.type === 'bad');
      assert.match(checked.problem, sentence);
    });
  }

  it('is suggested from the host, and unique', () => {
    assert.equal(suggestConnectionName('https://api.example.com/eu', []), 'api.example.com');
    assert.equal(suggestConnectionName('http://localhost:3000', []), 'localhost:3000');
    assert.equal(suggestConnectionName('https://a.example', ['A.example']), 'a.example (2)');
    assert.equal(suggestConnectionName('https://a.example', ['A.example', 'a.example (2)']), 'a.example (3)');
    assert.equal(suggestConnectionName('nothing', []), '');
  });
});
