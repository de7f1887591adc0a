import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  choiceSetting,
  dictionarySetting,
  booleanSetting,
  integerSetting,
  listSetting,
  textSetting,
  zeroOrIntegerSetting,
} from '../../../../src/base/decode/settingShape.ts';

describe('A setting', () => {
  it('may be a whole number within bounds', () => {
    const { read } = integerSetting(5, 3600);
    for (const value of [5, 15, 3600]) assert.deepEqual(read(value), { value, problems: [] });
    for (const value of [4, 3601, 5.5, NaN, '15', null, undefined, [15]]) {
      assert.deepEqual(read(value), { value: undefined, problems: ['It must be a whole number from 5 to 3600.'] });
    }
  });

  it('may be a whole number without a maximum', () => {
    const { read } = integerSetting(1);
    for (const value of [1, 1_000_000]) assert.deepEqual(read(value), { value, problems: [] });
    for (const value of [0, 1.5, Infinity, '1'])
      assert.deepEqual(read(value), { value: undefined, problems: ['It must be a whole number of at least 1.'] });
  });

  it('may be 0 or a whole number within bounds', () => {
    const { read } = zeroOrIntegerSetting(5, 3600);
    for (const value of [0, 5, 3600]) assert.deepEqual(read(value), { value, problems: [] });
    for (const value of [-1, 1, 4, 3601, '0', false])
      assert.deepEqual(read(value), {
        value: undefined,
        problems: ['It must be 0 or a whole number from 5 to 3600.'],
      });
  });

  it('may be true or false', () => {
    assert.deepEqual(booleanSetting.read(false), { value: false, problems: [] });
    assert.deepEqual(booleanSetting.read('false').problems, ['It must be true or false.']);
  });

  it('may be one of several words', () => {
    const { read } = choiceSetting('status', 'none');
    assert.equal(read('none').value, 'none');
    for (const value of ['None', '', 0, null]) {
      assert.deepEqual(read(value), { value: undefined, problems: ['It must be one of: status, none.'] });
    }
  });

  it('may be a string that matches a pattern', () => {
    const { read } = textSetting('^[a-z]{0,3}$');
    assert.equal(read('').value, '');
    assert.deepEqual(read('abcd').problems, ['It must match ^[a-z]{0,3}$.']);
    assert.deepEqual(read(7).problems, ['It must be a string.']);
  });

  it('may be a list, from which invalid entries are dropped', () => {
    const { read } = listSetting(textSetting());
    assert.deepEqual(read(['a', 1, 'b']), { value: ['a', 'b'], problems: ['Entry 2: It must be a string.'] });
    assert.deepEqual(read('a'), { value: undefined, problems: ['It must be a list.'] });
  });

  it('may be an object, from which invalid entries are dropped', () => {
    const { read } = dictionarySetting(choiceSetting('off', 'hint'));
    const { value, problems } = read({ a: 'off', b: 'loud', __proto__x: 'hint' });
    assert.deepEqual(
      [...(value ?? [])],
      [
        ['a', 'off'],
        ['__proto__x', 'hint'],
      ],
    );
    assert.deepEqual(problems, ['b: It must be one of: off, hint.']);
    assert.deepEqual(read([]).problems, ['It must be an object.']);
  });
});
