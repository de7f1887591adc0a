import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formVersion, record, text } from '../../../src/base/decode/decoder.ts';
import { readStored } from '../../../src/base/stateStore.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';

test('a stored value of a later version is set aside once, and never overwritten', async () => {
  const decode = record({ version: formVersion(1), name: text });
  const later = { version: 2, names: ['a'] };
  const memory = new JsonMemory({ layout: later });
  const lines: string[] = [];
  const read = () => readStored(memory, 'layout', decode, (line) => lines.push(line));
  assert.equal(read(), undefined);
  assert.equal(read(), undefined);
  await memory.update('layout', { version: 1, name: 'b' });
  assert.equal(read()?.name, 'b');
  assert.deepEqual(memory.get('layout.setAside'), [later]);
  assert.equal(lines.length, 1);
});
