import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSwitch } from '../../../../../src/domain/request/known/conversions.ts';

test('what other services write for on and off is read, and nothing else', () => {
  for (const on of [true, 1, '1', 'true', ' Yes', 'ON']) assert.equal(readSwitch(on), true, String(on));
  for (const off of [false, 0, '0', 'False', 'no', 'off ', '']) assert.equal(readSwitch(off), false, String(off));
  for (const other of [null, 2, -1, 'maybe', 'trues', [], {}]) assert.equal(readSwitch(other), undefined);
});
