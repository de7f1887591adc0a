import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Undecodable } from '../../../../src/base/decode/decoder.ts';
import { jobStatuses } from '../../../../src/jobs/common/job.ts';
import { noFilter, type FilterTime, type JobFilter } from '../../../../src/jobs/common/jobFilter.ts';
import { decodeStoredFilter, encodeStoredFilter } from '../../../../src/jobs/common/storedFilter.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const dates = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true });
const times: fc.Arbitrary<FilterTime> = fc.oneof(
  fc.constant({ type: 'any' } as const),
  fc.boolean().map((utc) => ({ type: 'today', utc }) as const),
  dates.map((date) => ({ type: 'day', day: date.toISOString().slice(0, 10) }) as const),
  fc.integer({ min: 1, max: 8784 }).map((hours) => ({ type: 'last', hours }) as const),
  fc
    .uniqueArray(dates, { minLength: 2, maxLength: 2, selector: Number })
    .map((pair) => pair.toSorted((a, b) => Number(a) - Number(b)).map((date) => date.toISOString()))
    .chain(([after, before]) =>
      fc.constantFrom(
        { type: 'range', after, before } as const,
        { type: 'range', after, before: undefined } as const,
        { type: 'range', after: undefined, before } as const,
      ),
    ),
);
const filters: fc.Arbitrary<JobFilter> = fc.record(
  {
    statuses: fc.subarray([...jobStatuses]),
    time: times,
    metadata: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { noNullPrototype: true }),
  },
  { noNullPrototype: true },
);

test('a filter is read back exactly as it was stored', () => {
  fc.assert(
    fc.property(filters, (filter) => {
      // The editor stores JSON.
      const stored: unknown = JSON.parse(JSON.stringify(encodeStoredFilter(filter)));
      assert.deepEqual(decodeStoredFilter(stored), filter);
    }),
    { numRuns: propertyRuns },
  );
});

const good = { version: 1, ...noFilter };

for (const [name, stored] of Object.entries({
  'another version': { ...good, version: 2 },
  'no version': { ...noFilter },
  'a text': 'done',
  'a list': [],
  null: null,
  'an unknown status': { ...good, statuses: ['finished'] },
  'statuses that are not an array': { ...good, statuses: 'done' },
  'a metadata filter that is not an object': { ...good, metadata: ['customer'] },
  'a metadata filter that is a text': { ...good, metadata: 'customer=x' },
  'a day that does not exist': { ...good, time: { type: 'day', day: '2026-02-30' } },
  'a start that does not exist': { ...good, time: { type: 'range', after: '2026-02-30T00:00:00.000Z' } },
  'a start without zone': { ...good, time: { type: 'range', after: '2026-02-20T00:00:00' } },
  'an inverted range': {
    ...good,
    time: { type: 'range', after: '2026-11-20T00:00:00.000Z', before: '2026-11-19T00:00:00.000Z' },
  },
  'a range that ends where it begins': {
    ...good,
    time: { type: 'range', after: '2026-11-20T00:00:00.000Z', before: '2026-11-20T00:00:00.000Z' },
  },
  'a range without ends': { ...good, time: { type: 'range' } },
  'hours out of bounds': { ...good, time: { type: 'last', hours: -1 } },
  'an unknown kind of time': { ...good, time: { type: 'tomorrow' } },
})) {
  test(`${name} is not read as a filter`, () => {
    assert.ok(decodeStoredFilter(stored) instanceof Undecodable);
  });
}
