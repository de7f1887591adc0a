import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { BoundedMap } from '../../../src/base/boundedMap.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

test('keeps the keys that were set last, each with its last value, up to the max size', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(fc.nat(9)), (maxSize, keys) => {
      const map = new BoundedMap<number, number>(maxSize);
      for (const [at, key] of keys.entries()) {
        map.set(key, at);
        assert.ok(map.size <= maxSize);
      }
      const newestFirst = [...new Set(keys.toReversed())];
      for (const [place, key] of newestFirst.entries()) {
        assert.equal(map.get(key), place < maxSize ? keys.lastIndexOf(key) : undefined);
        assert.equal(map.has(key), place < maxSize);
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('deletes one entry or all', () => {
  const map = new BoundedMap<string, number>(3);
  for (const [at, key] of ['a', 'b', 'c'].entries()) map.set(key, at);
  map.delete('b');
  assert.deepEqual([map.get('a'), map.get('b'), map.get('c')], [0, undefined, 2]);
  map.clear();
  assert.equal(map.size, 0);
});
