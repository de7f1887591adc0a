import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { KeyMask } from '../../../../src/service/http/keyMask.ts';

suite('the forms of a key', () => {
  const long = 'Sk_live-9f8E7d6C5b4A39281706+/x';
  const keyMask = new KeyMask(long);
  const escapedAll = long.replace(/[^]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const percentAll = long.replace(/[^]/g, (each) => `%${each.charCodeAt(0).toString(16)}`);
  const written: Readonly<Record<string, string>> = {
    'percent signs, twice': encodeURIComponent(percentAll),
    'JSON in JSON': JSON.stringify(escapedAll).slice(1, -1),
    'eight characters of it': long.slice(5, 13),
    'all but its beginning': long.slice(3),
  };
  for (const [name, form] of Object.entries(written)) {
    test(`${name} are masked`, () => {
      assert.equal(keyMask.apply(`[${form}]`), '[•••]');
      assert.ok(keyMask.holds(`x${form}x`));
    });
  }

  for (const [name, form] of Object.entries({
    'with blanks': long.split('').join(' '),
    'with invisible characters': long.split('').join('\u200b'),
    'over two lines': `${long.slice(0, 10)}\n${long.slice(10)}`,
    'in full width': long.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
    'in hexadecimal with colons': Buffer.from(long)
      .toString('hex')
      .replace(/..(?=.)/g, '$&:'),
    'in base64 of base64': Buffer.from(Buffer.from(long).toString('base64')).toString('base64'),
  })) {
    test(`nothing is told of a text that has it ${name}`, () => {
      const shown = keyMask.apply(`no: ${form}!`);
      assert.ok(['•••', 'no: •••!'].includes(shown) || !/[\w/]{3}/.test(shown.replace('no: ', '')), shown);
    });
  }
});
