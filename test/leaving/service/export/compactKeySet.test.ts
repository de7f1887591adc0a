import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CompactKeySet } from '../../../../src/service/export/compactKeySet.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const kinds = fc.constantFrom('pre-recorded', 'live', '', 'batch');
const ids = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => id.replaceAll('-', '')),
  fc.constantFrom('00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001', 'j7', '7'),
  fc.string(),
);
const keys = fc.tuple(kinds, ids).map(([kind, id]) => `${kind}/${id}`);

test('holds what was added and nothing else', () => {
  fc.assert(
    fc.property(fc.array(keys), fc.array(keys), (added, asked) => {
      const set = new CompactKeySet();
      const model = new Set<string>();
      for (const key of added) {
        assert.equal(set.has(key), model.has(key));
        set.add(key);
        model.add(key);
      }
      assert.equal(set.size, model.size);
      for (const key of [...added, ...asked]) assert.equal(set.has(key), model.has(key), key);
    }),
    { numRuns: propertyRuns },
  );
});

test('a million ids that differ in a few bits stay apart, in some 40 MB outside the heap', () => {
  const set = new CompactKeySet();
  const key = (index: number): string => `live/00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
  const before = process.memoryUsage().arrayBuffers;
  for (let index = 0; index < 1_000_000; index++) set.add(key(index));
  assert.equal(set.size, 1_000_000);
  for (let index = 0; index < 1_000_000; index += 997) {
    assert.ok(set.has(key(index)));
    assert.ok(!set.has(key(index + 1_000_000)));
  }
  const tablesBytes = 2 ** 21 * 16;
  assert.ok(process.memoryUsage().arrayBuffers - before < 3 * tablesBytes);
});
