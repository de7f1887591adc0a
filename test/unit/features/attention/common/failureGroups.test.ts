import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { dayMs } from '../../../../../src/base/time.ts';
import { groupFailures, groupInSteps } from '../../../../../src/features/attention/common/failureGroups.ts';
import { jobKey } from '../../../../../src/jobs/common/job.ts';
import { listedJob } from '../../../../support/builders/listedJob.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { assertQuick, maxBlockMs } from '../../../../support/hostile/quickSteps.ts';

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
  });

  it('keeps groups without times in the order of their codes', () => {
    const undated = (id: string, code: number) =>
      listedJob({ id, status: 'error', error_code: code, created_at: null, completed_at: null });
    const groups = groupFailures([undated('a', 500), undated('b', 422), undated('c', 400)]);
    assert.deepEqual(
      groups.map(({ code, lastAtMs }) => [code, lastAtMs]),
      [
        [400, undefined],
        [422, undefined],
        [500, undefined],
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
      [422, 'acme', 4],
      [422, undefined, 4],
      [500, undefined, 8],
    ]);
  });

  /** 312 failures of twelve customers with four codes over a day, before an incident of another customer. */
  const at = (id: string, code: number, metadata: Record<string, string | number>, atMs: number) =>
    listedJob({
      id,
      status: 'error',
      error_code: code,
      custom_metadata: metadata,
      created_at: new Date(atMs - 60_000).toISOString(),
      completed_at: new Date(atMs).toISOString(),
    });
  const startMs = Date.UTC(2026, 10, 20, 17, 2);
  const ordinary = Array.from({ length: 312 }, (_, index) =>
    at(
      `o${index}`,
      [400, 422, 500, 503][index % 4] ?? 0,
      { region: 'eu', customer: `c${index % 12}`, ticket: index },
      startMs - dayMs + (index * dayMs) / 313,
    ),
  );
  const incident = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      at(`i${index}`, 422, { region: 'eu', customer: 'Aurora Health', ticket: -index }, startMs + index * 30_000),
    );
  const noise = [at('n1', 500, { customer: 'c1' }, startMs + 60_000), at('n2', 400, {}, startMs + 90_000)];

  it('finds since when a customer fails, and how many failures were of this group before', () => {
    const [first] = groupFailures([...ordinary, ...incident(24), ...noise]);
    assert.deepEqual(first?.pair, { key: 'customer', value: 'Aurora Health' });
    assert.deepEqual(first?.rise, {
      sinceMs: startMs,
      fromMs: startMs - dayMs,
      since: { hits: 24, of: 26 },
      before: { hits: 0, of: 312 },
    });
  });

  it('names the customer within the first failures, although most failures with the code are others', () => {
    const [first, ...rest] = groupFailures([...ordinary, ...incident(6), ...noise]);
    assert.deepEqual([first?.code, first?.pair?.value, first?.jobs.length], [422, 'Aurora Health', 6]);
    const others = rest.find(({ code }) => code === 422);
    assert.deepEqual(others?.without, [{ key: 'customer', value: 'Aurora Health' }]);
    assert.equal(others?.jobs.length, 78);
    assert.ok(rest.every(({ rise }) => rise === undefined));
  });

  it('does not name a value that all failures have, nor a code that fails as before', () => {
    assert.ok(groupFailures(ordinary).every(({ pair, rise }) => pair === undefined && rise === undefined));
    const coded = Array.from({ length: 20 }, (_, index) =>
      at(`x${index}`, 599, { region: 'eu', ticket: `x${index}` }, startMs + index * 1000),
    );
    const [first] = groupFailures([...ordinary, ...coded]);
    assert.deepEqual([first?.code, first?.pair, first?.rise?.since.hits], [599, undefined, 20]);
  });

  it('comes in the order of what is new: the latest rise, then the code that failed for the first time', () => {
    const older = Array.from({ length: 9 }, (_, index) =>
      at(`p${index}`, 502, { customer: 'Kite' }, startMs - 3_600_000 + index * 1000),
    );
    const single = at('single', 418, {}, startMs - 60_000);
    const codes = groupFailures([single, ...older, ...incident(24), ...ordinary]).map(({ code, pair }) => [
      code,
      pair?.value,
    ]);
    assert.deepEqual(codes.slice(0, 3), [
      [422, 'Aurora Health'],
      [502, 'Kite'],
      [418, undefined],
    ]);
  });

  it('keeps the order of groups that are not new while the oldest failures fall out of what is read', () => {
    const orders = [0, 1, 2, 3, 4, 5].map((read) =>
      JSON.stringify(groupFailures(ordinary.slice(read, 200 + read)).map(({ code }) => code)),
    );
    assert.deepEqual([...new Set(orders)], ['[400,422,500,503]']);
  });

  it('sorts groups that are not new by the numbers of their codes, those without one last', () => {
    const codes = [null, 1000, 42, 500];
    const jobs = codes.map((error_code, index) =>
      listedJob({ id: `${index}`, status: 'error', error_code, created_at: null, completed_at: null }),
    );
    assert.deepEqual(
      groupFailures(jobs).map(({ code }) => code),
      [42, 500, 1000, undefined],
    );
  });

  it('keeps groups by name, whatever else their failures share', () => {
    const names = [{ code: 422, pair: { key: 'customer', value: 'c1' } }];
    const groups = groupFailures([...ordinary, ...incident(24)], [], names);
    const kept = groups.find(({ pair }) => pair?.value === 'c1');
    assert.ok(kept !== undefined && kept.jobs.length > 0);
    assert.ok(groups.some(({ pair }) => pair?.value === 'Aurora Health'));
  });

  it('property: the numbers of a rise are those of the failures with a known time', () => {
    let rises = 0;
    const job = fc.record({
      code: fc.constantFrom(422, 422, 500),
      customer: fc.constantFrom('a', 'b', 'c'),
      minute: fc.option(fc.nat(200), { freq: 9 }),
      burst: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(job, { maxLength: 120, size: 'max' }), fc.nat(3), (drawn, handledEvery) => {
        const jobs = drawn.map(({ code, customer, minute, burst }, index) => {
          const minutes = burst ? 150 + (index % 50) : minute;
          return minutes === null
            ? listedJob({ id: `${index}`, status: 'error', error_code: code, created_at: null, completed_at: null })
            : at(`${index}`, burst ? 422 : code, { customer: burst ? 'a' : customer }, startMs + minutes * 60_000);
        });
        const left = jobs.filter((_, index) => handledEvery === 0 || index % (handledEvery + 1) !== 0);
        const dated = jobs.filter(({ createdAtMs }) => createdAtMs !== undefined);
        for (const { code, pair, without, rise } of groupFailures(left, jobs)) {
          if (rise === undefined) continue;
          rises++;
          const value = ({ raw }: (typeof jobs)[number]): unknown =>
            (JSON.parse(raw) as { custom_metadata?: { customer?: string } }).custom_metadata?.customer;
          const isIn = (each: (typeof jobs)[number]): boolean =>
            each.errorCode === code &&
            (pair === undefined || value(each) === pair.value) &&
            without.every((other) => value(each) !== other.value);
          const isSince = ({ completedAtMs = 0 }: (typeof jobs)[number]): boolean => completedAtMs >= rise.sinceMs;
          const share = (of: typeof jobs) => ({ hits: of.filter(isIn).length, of: of.length });
          assert.deepEqual(rise.since, share(dated.filter(isSince)));
          assert.deepEqual(rise.before, share(dated.filter((each) => !isSince(each))));
          assert.ok(rise.since.hits * rise.before.of > rise.before.hits * rise.since.of);
        }
      }),
      { numRuns: propertyRuns },
    );
    assert.ok(rises > 0);
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
      assert.equal(groupFailures(jobs.slice(0, 900), jobs).length, codes);
      assertQuick({ [`${codes} codes`]: () => groupInSteps(jobs.slice(0, 900), jobs) }, maxBlockMs);
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
