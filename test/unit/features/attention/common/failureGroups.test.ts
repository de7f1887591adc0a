import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { groupFailures, groupInSteps } from '../../../../../src/features/attention/common/failureGroups.ts';
import { jobKey } from '../../../../../src/jobs/common/job.ts';
import { listedJob } from '../../../../support/builders/listedJob.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const failed = (id: string, code: number | null, metadata = {}, minute = 0) =>
  listedJob({
    id,
    status: 'error',
    error_code: code,
    custom_metadata: metadata,
    created_at: new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString(),
    completed_at: new Date(Date.UTC(2026, 10, 20, 10, minute + 3)).toISOString(),
  });

describe('groupFailures', () => {
  it('groups by code, the most frequent first, with times and shares', () => {
    const jobs = [failed('a', 422, {}, 5), failed('b', 500, {}, 1), failed('c', 422, {}, 2), failed('d', null)];
    const groups = groupFailures(jobs);
    assert.deepEqual(
      groups.map(({ code, jobs: same, share }) => [code, same.map(({ id }) => id), share]),
      [
        [422, ['a', 'c'], 0.5],
        [500, ['b'], 0.25],
        [undefined, ['d'], 0.25],
      ],
    );
    assert.equal(groups[0]?.firstAtMs, Date.UTC(2026, 10, 20, 10, 5));
    assert.equal(groups[0]?.lastAtMs, Date.UTC(2026, 10, 20, 10, 8));
    assert.equal(groups[0]?.medianMs, 180_000);
  });

  it('keeps groups of equal size without times in the order of their failures', () => {
    const undated = (id: string, code: number) =>
      listedJob({ id, status: 'error', error_code: code, created_at: null, completed_at: null });
    const groups = groupFailures([undated('a', 500), undated('b', 422), undated('c', 400)]);
    assert.deepEqual(
      groups.map(({ code, lastAtMs }) => [code, lastAtMs]),
      [
        [500, undefined],
        [422, undefined],
        [400, undefined],
      ],
    );
  });

  it('splits off the customer whose jobs fail with a code, and not a value that all jobs have', () => {
    const acme = ['1', '2', '3', '4'].map((id) => failed(id, 422, { customer: 'acme', region: 'eu', ticket: id }));
    const others = ['5', '6', '7', '8'].map((id) => failed(id, 500, { customer: `c${id}`, region: 'eu', ticket: id }));
    const [first] = groupFailures([...acme, failed('9', 422, { customer: 'blue', region: 'eu' }), ...others]).filter(
      ({ pair }) => pair !== undefined,
    );
    assert.deepEqual(first?.pair, { key: 'customer', value: 'acme' });
    assert.deepEqual(first?.jobs.map(({ id }) => id).toSorted(), ['1', '2', '3', '4']);
  });

  it('does not split if nothing stands out', () => {
    const jobs = ['1', '2', '3', '4'].map((id) => failed(id, 422, { region: 'eu', ticket: id }));
    assert.deepEqual(
      groupFailures(jobs).map(({ pair, jobs: same }) => [pair, same.length]),
      [[undefined, 4]],
    );
  });

  it('does not split by a value of less than half of the jobs with a code, however distinctive', () => {
    const some = ['1', '2', '3', '4'].map((id) => failed(id, 422, { customer: 'acme' }));
    const max = ['5', '6', '7', '8', '9'].map((id) => failed(id, 422));
    const others = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((id) => failed(id, 500));
    const split = (jobs: Parameters<typeof groupFailures>[0]) =>
      groupFailures(jobs).map(({ code, pair, jobs: same }) => [code, pair?.value, same.length]);
    assert.deepEqual(split([...some, ...max, ...others]), [
      [422, undefined, 9],
      [500, undefined, 8],
    ]);
    assert.deepEqual(split([...some, ...max.slice(1), ...others]), [
      [500, undefined, 8],
      [422, 'acme', 4],
      [422, undefined, 4],
    ]);
  });

  it('puts the next failure of a handled group into a group with the same name', () => {
    const acme = ['1', '2', '3', '4'].map((id) => failed(id, 422, { customer: 'acme' }));
    const others = ['5', '6', '7', '8'].map((id) => failed(id, 500, { customer: `c${id}` }));
    const rest = failed('9', 422, { customer: 'blue' });
    const next = failed('next', 422, { customer: 'acme' });
    const named = (given: Parameters<typeof groupFailures>[0], read?: typeof given) =>
      groupFailures(given, read)
        .map(({ code, pair, jobs }) => `${code} ${pair?.value ?? '-'} ${jobs.length}`)
        .toSorted();
    assert.deepEqual(named([...acme, rest, ...others]), ['422 - 1', '422 acme 4', '500 - 4']);
    assert.deepEqual(named([next, rest, ...others]), ['422 - 2', '500 - 4'], 'alone it stands out by nothing');
    assert.deepEqual(named([next, rest, ...others], [...acme, rest, next, ...others]), [
      '422 - 1',
      '422 acme 1',
      '500 - 4',
    ]);
    assert.deepEqual(named([rest], [...acme, rest, ...others]), ['422 - 1'], 'what was handled has no group');
    const blue = ['10', '11', '12'].map((id) => failed(id, 422, { customer: 'blue' }));
    assert.deepEqual(
      named([...blue, next, ...others], [...acme, ...blue, next, ...others]),
      ['422 acme 1', '422 blue 3', '500 - 4'],
      'what stands out now goes first',
    );
  });

  it('groups a thousand failures with two hundred metadata keys each in short steps', () => {
    for (const codes of [2, 50]) {
      const jobs = Array.from({ length: 1000 }, (_, at) => {
        const metadata: Record<string, string> = {};
        for (let key = 0; key < 199; key++) metadata[`key ${key}`] = `value ${at * (key % 7)} of ${key}`;
        return failed(`j${at}`, at % codes, { customer: at % codes === 1 ? 'acme' : 'blue', ...metadata });
      });
      const steps = groupInSteps(jobs.slice(0, 900), jobs);
      let longestMs = 0;
      let step;
      do {
        const before = process.cpuUsage();
        step = steps.next();
        const { user, system } = process.cpuUsage(before);
        longestMs = Math.max(longestMs, (user + system) / 1000);
      } while (step.done !== true);
      assert.equal(step.value.length, codes);
      assert.ok(longestMs < 200, `${longestMs} ms for ${codes} codes`);
    }
  });

  it('puts every failure into exactly one group, with its own code', () => {
    const item = fc.record({
      id: fc.stringMatching(/^[a-f]{1,2}$/),
      code: fc.constantFrom(null, 1, 2, 422),
      metadata: fc.dictionary(fc.constantFrom('customer', 'region', '__proto__'), fc.constantFrom('a', 'b', 'c', '')),
    });
    fc.assert(
      fc.property(fc.array(item, { maxLength: 40 }), fc.array(item, { maxLength: 20 }), (items, handled) => {
        const jobOf = ({ id, code, metadata }: (typeof items)[number]) => failed(id, code, metadata);
        const jobs = items.map(jobOf);
        const groups = groupFailures(jobs, [...handled.map(jobOf), ...jobs]);
        const grouped = groups.flatMap((group) => group.jobs.map(jobKey));
        assert.equal(new Set(grouped).size, grouped.length);
        assert.deepEqual(new Set(grouped), new Set(jobs.map(jobKey)));
        assert(groups.every(({ code, jobs: same }) => same.every(({ errorCode }) => errorCode === code)));
        assert.equal(new Set(groups.map(({ id }) => id)).size, groups.length);
      }),
      { numRuns: propertyRuns },
    );
  });
});
