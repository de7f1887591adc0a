import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parsePlacedJson } from '../../../../../src/domain/request/json/placedJson.ts';
import { parsePlainJson } from '../../../../../src/domain/request/json/plainJson.ts';
import { jsonText } from '../../../../unit/domain/request/jsonTexts.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

test('finds the same places the quick way as by the visitor, which is taken for anything odd', () => {
  fc.assert(
    fc.property(jsonText, (text) => {
      const careful = parsePlacedJson(`${text} //`);
      assert.equal(careful.extras.length, 1);
      const quick = parsePlainJson(text, 0);
      assert.deepEqual(quick?.places.cells, careful.places.cells);
      assert.deepEqual(quick?.value, careful.value);
    }),
    { numRuns: propertyRuns },
  );
});
