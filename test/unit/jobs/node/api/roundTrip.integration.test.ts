import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { jobKinds, jobStatuses } from '../../../../../src/jobs/common/job.ts';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import type { ListParams } from '../../../../../src/jobs/common/listParams.ts';
import { matchesMetadata, sampleQuery } from '../../../../../src/sample/sampleQuery.ts';
import { encodeListQuery, type QueryStyles } from '../../../../../src/jobs/node/api/listQuery.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const styles = fc.record<QueryStyles>({
  arrayFormat: fc.constantFrom('repeat', 'comma', 'brackets'),
  metadataFormat: fc.constantFrom('json', 'brackets'),
});
const instants = fc.date({ min: new Date('1970-01-01'), max: new Date('2999-12-31'), noInvalidDate: true });
const metadataKeys = fc.string({ unit: 'grapheme', minLength: 1 }).filter((key) => !/[[\]]/.test(key));
const flatValues = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean());
const flatMetadata = fc.dictionary(metadataKeys, flatValues, { maxKeys: 4, noNullPrototype: true });
const anyMetadata = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4, noNullPrototype: true });

suite('query styles', () => {
  test('the sample service reads every query as it was meant', () => {
    const asked = fc.record(
      {
        offset: fc.nat(),
        limit: fc.integer({ min: 1, max: 10_000 }),
        beforeDate: instants.map((each) => each.toISOString()),
        afterDate: instants.map((each) => each.toISOString()),
        statuses: fc.uniqueArray(fc.constantFrom(...jobStatuses), { minLength: 1 }),
        kinds: fc.uniqueArray(fc.constantFrom(...jobKinds), { minLength: 1 }),
        customMetadata: flatMetadata,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(asked, styles, (params: ListParams, style) => {
        const { filter, statuses, offset, limit } = sampleQuery(encodeListQuery(params, style), undefined);
        assert.equal(offset, params.offset ?? 0);
        assert.equal(limit, params.limit ?? 20);
        assert.deepEqual(statuses, params.statuses ?? []);
        assert.deepEqual(filter.kinds, params.kinds ?? jobKinds);
        assert.equal(filter.createdBefore, params.beforeDate === undefined ? Infinity : Date.parse(params.beforeDate));
        assert.equal(filter.createdFrom, params.afterDate === undefined ? -Infinity : Date.parse(params.afterDate) + 1);
        assert.deepEqual(textsOf(filter.metadata), textsOf([params.customMetadata ?? {}]));
      }),
      { numRuns: propertyRuns },
    );
  });

  test('metadata of any depth survives in JSON style', () => {
    fc.assert(
      fc.property(anyMetadata, (metadata) => {
        const customMetadata = JSON.parse(JSON.stringify(metadata)) as JsonObject;
        const query = encodeListQuery({ customMetadata }, { arrayFormat: 'repeat', metadataFormat: 'json' });
        assert.ok(matchesMetadata(customMetadata, sampleQuery(query, 'live').filter.metadata));
        assert.deepEqual(
          sampleQuery(query, 'live').filter.metadata,
          Object.keys(customMetadata).length === 0 ? [] : [customMetadata],
        );
      }),
      { numRuns: propertyRuns },
    );
  });
});

/** Keys and values as text: brackets cannot distinguish 1 from "1", nor can the service that compares them. */
function textsOf(objects: readonly object[]): ReadonlyMap<string, string> {
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return new Map(objects.flatMap((each) => Object.entries(each).map(([key, value]) => [key, text(value)])));
}
