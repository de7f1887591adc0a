import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { PlaceSelection } from '../../../../../src/features/board/common/placeSelection.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

it('a selection of ranges is equivalent to a set of places', () => {
  const step = fc.oneof(
    fc.record({ type: fc.constant('add' as const), from: fc.nat(30), length: fc.nat(8) }),
    fc.record({ type: fc.constant('remove' as const), place: fc.nat(40) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let selection = new PlaceSelection();
      const truth = new Set<number>();
      for (const each of steps) {
        if (each.type === 'add') {
          selection = selection.with({ from: each.from, to: each.from + each.length });
          for (let place = each.from; place < each.from + each.length; place++) truth.add(place);
        } else {
          selection = selection.without(each.place);
          truth.delete(each.place);
        }
      }
      assert.equal(selection.count, truth.size);
      for (let place = 0; place < 45; place++) assert.equal(selection.has(place), truth.has(place));
      for (const [index, { from }] of selection.ranges.entries()) {
        assert.ok(index === 0 || from > (selection.ranges[index - 1]?.to ?? 0), 'ranges do not touch');
      }
    }),
    { numRuns: propertyRuns },
  );
});
