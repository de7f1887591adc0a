import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LaneIndex } from '../../../src/sample/laneIndex.ts';
import { hash32, unmix32 } from '../../../src/sample/random.ts';
import { sampleId, serialOf } from '../../../src/sample/sampleId.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

test('rank and select agree with counting, before and after removals', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1, 511, 512, 513, 1024, 3000),
      fc.nat(),
      fc.array(fc.nat(3100), { maxLength: 30 }),
      fc.integer({ min: 0, max: 15 }),
      (length, salt, removals, mask) => {
        const lanes = Array.from({ length }, (_, cell) => hash32(cell ^ salt) & 3);
        const index = new LaneIndex(length, (cell) => lanes[cell] ?? 0);
        for (const cell of [...removals, ...removals]) index.remove(cell);
        const kept = lanes.flatMap((lane, cell) => (mask & (1 << lane) && !removals.includes(cell) ? [cell] : []));
        for (const rank of [0, 1, 255, 511, 512, kept.length - 1]) {
          if (rank < 0) continue;
          assert.equal(index.select(mask, rank), kept[rank] ?? length);
        }
        for (const cell of [0, 1, 300, 512, 1023, 1024, length, length + 7])
          assert.equal(index.rank(mask, cell), kept.filter((each) => each < cell).length);
      },
    ),
    { numRuns: propertyRuns },
  );
});

test('scattering is undone, and an id leads back to its serial number', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.integer({ min: 0, max: 2 ** 32 - 1 }), (serial, seed) => {
      assert.equal(unmix32(hash32(serial)), serial);
      assert.equal(serialOf(seed, sampleId(seed, serial)), serial);
    }),
    { numRuns: propertyRuns },
  );
  for (const id of ['', 'nobody', '00000000-0000-0000-0000-000000000000', `${sampleId(1, 5)}0`])
    assert.equal(serialOf(1, id), undefined);
});
