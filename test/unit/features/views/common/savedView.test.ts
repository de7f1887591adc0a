import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { noFilter, type JobFilter } from '../../../../../src/jobs/common/jobFilter.ts';
import {
  savedViewsSetting,
  viewName,
  writtenName,
  writtenView,
} from '../../../../../src/features/views/common/savedView.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const { read } = savedViewsSetting();

const filters: fc.Arbitrary<JobFilter> = fc.record({
  statuses: fc.constantFrom<JobFilter['statuses']>([], ['error'], ['queued', 'done']),
  time: fc.constantFrom<JobFilter['time']>(
    { type: 'any' },
    { type: 'today', utc: true },
    { type: 'last', hours: 24 },
    { type: 'day', day: '2026-11-20' },
  ),
  metadata: fc.dictionary(
    fc.string().filter((key) => key !== '__proto__'),
    fc.oneof(fc.string(), fc.integer()),
    { maxKeys: 3 },
  ),
});

test('a view is read as it was written', () => {
  fc.assert(
    fc.property(fc.string(), filters, fc.boolean(), (typed, filter, isBadge) => {
      const name = viewName(typed);
      fc.pre(name !== undefined);
      const entry: unknown = JSON.parse(JSON.stringify(writtenView({ name, filter, isBadge })));
      const { value, problems } = read([entry]);
      assert.deepEqual([problems, value?.length, value?.[0]?.name, value?.[0]?.isBadge], [[], 1, name, isBadge]);
      assert.equal(JSON.stringify(value?.[0]?.filter), JSON.stringify(filter));
      assert.equal(writtenName(entry), name);
    }),
    { numRuns: propertyRuns },
  );
});

test('whatever a folder contains, only valid views with one-line names are read', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.anything(), fc.record({ name: fc.string(), filter: fc.anything() }))),
      (written) => {
        const { value = [], problems } = read(written);
        assert.equal(value.length + problems.filter((each) => !each.includes('badge')).length, written.length);
        for (const { name } of value) assert.ok(name !== '' && name.length <= 60 && !/[\n\r\u202e]/u.test(name));
        assert.equal(new Set(value.map(({ name }) => name)).size, value.length);
      },
    ),
    { numRuns: propertyRuns },
  );
});

test('names are unique, and one view is the badge', () => {
  const entry = (name: string, badge: boolean) => ({ name, badge, filter: {} });
  const { value, problems } = read([entry('a', true), entry('a', false), entry('b', true), { name: 'c', filter: 5 }]);
  assert.deepEqual(value, [
    { name: 'a', filter: noFilter, isBadge: true },
    { name: 'b', filter: noFilter, isBadge: false },
  ]);
  assert.equal(problems.length, 3);
});
