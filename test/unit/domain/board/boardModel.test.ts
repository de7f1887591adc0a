import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { BoardModel } from '../../../../src/domain/board/boardModel.ts';
import { canAsk } from '../../../../src/domain/board/findingQuestions.ts';
import { usualLayout } from '../../../../src/domain/board/boardProtocol.ts';
import { type BoardConditions, type FacetCondition } from '../../../../src/domain/board/boardView.ts';
import { formatElapsed } from '../../../../src/domain/board/boardText.ts';
import { findContradiction, type FilterTime } from '../../../../src/domain/filter/jobFilter.ts';
import type { JsonObject, JsonValue } from '../../../../src/domain/json/json.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { boardJobs, columnsOf, jobOf, type PlantedIncident } from './boardJobs.ts';

const locale = { language: 'en', timeZone: 'UTC' };
const words = { locale, errorLabels: { 503: 'Overloaded' } };
const count = 3000;
const atMs = Date.UTC(2026, 9, 8);
const planted: PlantedIncident = {
  onsetMs: Date.UTC(2026, 9, 4),
  endMs: undefined,
  key: 'customer',
  value: 'cobalt',
  failing: 0.6,
};

function model(): BoardModel {
  const columns = columnsOf(boardJobs({ seed: 11, count, planted }), ['name', 'customer']);
  const data = { columns, strata: [{ read: count, total: count }], stratumOf: () => 0 };
  return new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'last', hours: 168 }, atMs);
}

const failed = { key: 'status', value: 'error', isExcluded: false };

describe('The model of a board', () => {
  it('shows rows, facets and pulse of the same jobs', () => {
    const shown = model().show({ from: 0, to: 50 }, words);
    assert.equal(shown.rows, count);
    assert.equal(shown.slice.rows.length, 50);
    const ofPulse = shown.pulse.bins.flatMap(({ byStatus }) => byStatus).reduce((sum, each) => sum + each, 0);
    assert.equal(ofPulse + shown.pulse.elsewhere, count);
    for (const { key, values, further } of shown.facets) {
      const sum = values.reduce((all, { figure }) => all + figure.count, 0);
      assert.ok(further > 0 || sum === count, key);
    }
    const codes = shown.facets.find(({ key }) => key === 'error_code')?.values.map(({ label }) => label);
    assert.ok(codes?.includes('503 Overloaded') && codes.includes('none'));
  });

  it('names the jobs first, as the list does, and writes times that can be compared down their column', () => {
    const shown = model().show({ from: 0, to: 3 }, words);
    assert.deepEqual([shown.columns[0]?.key, shown.keys[0]], ['label', 'label']);
    assert.deepEqual(shown.numeric, ['processing_time']);
    const places = ['label', 'processing_time'].map((key) => shown.columns.findIndex((each) => each.key === key));
    for (const { cells } of shown.slice.rows) {
      const [label, took] = places.map((place) => cells[place] ?? '');
      assert.ok(['acme', 'borealis', 'cobalt', 'dahlia', 'ember', 'fjord', 'garnet', 'harbour'].includes(label ?? ''));
      assert.match(took ?? '', /^[01]:\d\d$/u);
    }
    assert.deepEqual([200, 59_600, 3_599_400, 3_661_000, 90_061_000].map(formatElapsed), [
      '<0:01',
      '1:00',
      '59:59',
      '1:01:01',
      '25:01:01',
    ]);
  });

  it('shows the same however it was narrowed down before', () => {
    const acme = { key: 'custom_metadata.customer', value: 'acme', isExcluded: false };
    const range = { fromMs: planted.onsetMs, toMs: atMs };
    const board = model();
    for (const conditions of [
      { facets: [acme], range: undefined },
      { facets: [acme, failed], range: undefined },
      { facets: [failed], range },
      { facets: [{ ...failed, isExcluded: true }, acme], range },
      { facets: [], range: undefined },
    ]) {
      board.narrow(conditions);
      const anew = model();
      anew.narrow(conditions);
      assert.deepEqual(board.show({ from: 0, to: 20 }, words), anew.show({ from: 0, to: 20 }, words));
    }
  });

  it('narrows rows by a brushed range, and keeps the pulse around it', () => {
    const board = model();
    const before = board.show({ from: 0, to: 1 }, words);
    const bin = before.pulse.bins[40];
    assert.ok(bin);
    board.narrow({ facets: [failed], range: bin });
    const shown = board.show({ from: 0, to: 1 }, words);
    const inBin = shown.pulse.bins[40]?.byStatus[1];
    assert.equal(shown.rows, inBin);
    assert.ok(shown.pulse.bins.some(({ byStatus }, index) => index !== 40 && (byStatus[1] ?? 0) > 0));
    board.narrow({ facets: [failed], range: undefined });
    const whole = board.show({ from: 0, to: 1 }, words);
    assert.deepEqual(shown.pulse, whole.pulse);
    assert.notDeepEqual(shown.times, whole.times);
  });

  it('bounds what a page may ask for', () => {
    const board = model();
    assert.equal(board.slice({ from: 0, to: 1e9 }, words).rows.length, 400);
    assert.deepEqual(board.slice({ from: 1e9, to: 2e9 }, words).rows, []);
    assert.equal(
      board.rowsAt([
        { from: 0, to: 1e9 },
        { from: 0, to: 10 },
      ]).length,
      count,
    );
  });

  it('explains failures whatever the outcome they are narrowed down by, a range and a selection', () => {
    const board = model();
    board.narrow({ facets: [failed, { key: 'error_code', value: '503', isExcluded: false }], range: undefined });
    const failures = board.explain('failures', []);
    assert.equal(failures.differences[0]?.value, 'cobalt');
    assert.equal(failures.differences[0].basis, 'counted');
    const { fromMs = Infinity, toMs = 0 } = failures.onset?.between ?? {};
    assert.ok(fromMs <= planted.onsetMs && planted.onsetMs <= toMs);
    const selection = model().explain('selection', [{ from: 0, to: 5 }]);
    assert.deepEqual(selection.differences, []);
    board.narrow({ facets: [], range: { fromMs: planted.onsetMs, toMs: atMs } });
    const range = board.explain('range', []);
    assert.deepEqual(range.differences[0] && [range.differences[0].key, range.differences[0].value], [
      'error_code',
      '503',
    ]);
  });

  it('says what was only read where there may be more jobs, and of no time after the latest job', () => {
    const jobs = Array.from({ length: 400 }, (_, index) =>
      jobOf({
        id: `job-${index}`,
        status: index < 150 && index % 3 === 0 ? 'error' : 'done',
        created_at: new Date(atMs - (index + 1) * 600_000).toISOString(),
        custom_metadata: { customer: index < 150 && index % 3 === 0 ? 'acme' : `c${index % 5}` },
      }),
    );
    const latestMs = atMs - 600_000;
    const explained = (time: FilterTime, readAtMs: number, mayBeMore: boolean) => {
      const strata = [{ read: jobs.length, total: jobs.length }];
      const data = { columns: columnsOf(jobs), strata, stratumOf: () => 0, mayBeMore };
      const { onset, differences, isPart } = new BoardModel(
        data,
        usualLayout,
        { facets: [], range: undefined },
        time,
        readAtMs,
      ).explain('failures', []);
      return [differences[0]?.basis, isPart, onset?.endBetween, onset?.latestMs];
    };
    const week = { type: 'last', hours: 168 } as const;
    assert.deepEqual(explained(week, atMs, false), ['counted', false, undefined, latestMs]);
    assert.deepEqual(explained(week, atMs, true), ['read', true, undefined, latestMs]);
    const past = { type: 'range', after: undefined, before: new Date(atMs).toISOString() } as const;
    assert.deepEqual(explained(past, atMs + 86_400_000, false), ['counted', false, undefined, latestMs]);
  });

  it('does not call an incident over because the newest jobs go on', () => {
    const jobs = boardJobs({ seed: 9, count: 2000, planted });
    const isOver = (unfinished: number): boolean => {
      const columns = columnsOf(
        jobs.map((job, serial) =>
          serial < unfinished ? jobOf({ ...(JSON.parse(job.raw) as JsonObject), status: 'processing' }) : job,
        ),
      );
      const data = { columns, strata: [{ read: jobs.length, total: jobs.length }], stratumOf: () => 0 };
      const board = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
      const { onset, compared } = board.explain('failures', []);
      assert.equal(compared, jobs.length - unfinished);
      assert.ok(onset);
      return onset.endBetween !== undefined;
    };
    assert.deepEqual([0, 50, 400].map(isOver), [false, false, false]);
  });

  it('says whether it explains all failures, or some of them', () => {
    const isNarrowed = (conditions: BoardConditions): boolean => {
      const board = model();
      board.narrow(conditions);
      return board.explain('failures', []).isNarrowed;
    };
    const facet = (key: string, value: string): FacetCondition => ({ key, value, isExcluded: false });
    const range = { fromMs: planted.onsetMs, toMs: atMs };
    assert.equal(isNarrowed({ facets: [], range: undefined }), false);
    const ofAll = [facet('status', 'error'), facet('custom_metadata.customer', 'cobalt')];
    assert.equal(isNarrowed({ facets: ofAll, range: undefined }), false);
    assert.equal(isNarrowed({ facets: [facet('error_code', '503')], range: undefined }), true);
    assert.equal(isNarrowed({ facets: [], range }), true);
  });

  it('names the error code that most failures of a stretch have, unless only some failures are explained', () => {
    const made = model();
    const { common, inside } = made.explain('failures', []).onset ?? {};
    assert.equal(common?.code, '503');
    assert.ok(common.hits > (inside?.hits ?? Infinity) / 2 && common.hits <= (inside?.hits ?? 0));
    made.narrow({ facets: [{ key: 'error_code', value: '503', isExcluded: false }], range: undefined });
    const narrowed = made.explain('failures', []).onset;
    assert.ok(narrowed !== undefined && narrowed.common === undefined);
  });

  it('explains one error code where all failures show no beginning, and names it among what a filter leaves out', () => {
    // Half of all jobs fail with code 500, then as many with 422 instead.
    const jobs = Array.from({ length: 400 }, (_, serial) =>
      jobOf({
        id: `${serial}`,
        kind: 'pre-recorded',
        status: serial % 2 === 0 ? 'error' : 'done',
        created_at: new Date(atMs - (400 - serial) * 60_000).toISOString(),
        custom_metadata: { customer: serial >= 360 && serial % 2 === 0 ? 'acme' : `c${serial % 7}` },
        ...(serial % 2 === 0 && { error_code: serial < 360 ? 500 : 422 }),
      }),
    );
    // As a sample, whose findings can be confirmed by counting.
    const data = { columns: columnsOf(jobs), strata: [{ read: 400, total: 800 }], stratumOf: () => 0 };
    const time: FilterTime = { type: 'last', hours: 24 };
    const made = new BoardModel(data, usualLayout, { facets: [], range: undefined }, time, atMs);
    const found = made.explain('failures', []);
    assert.deepEqual([found.group, found.code, found.onset?.inside.hits], [200, '422', 20]);
    assert.deepEqual([found.differences[0]?.key, found.differences[0]?.value], ['custom_metadata.customer', 'acme']);
    assert.deepEqual(found.unasked, [{ key: 'error_code', value: '422', isExcluded: false }]);
    assert.equal(found.confirmRequests, undefined);
    assert.equal(made.questionsOf(found, undefined), undefined, 'a service cannot be asked for a code');
    made.narrow({ facets: [{ key: 'error_code', value: '422', isExcluded: false }], range: undefined });
    const narrowed = made.explain('failures', []);
    assert.equal(narrowed.code, undefined);
    assert.equal(found.onset?.common, undefined, 'its code is named already');
    assert.deepEqual(narrowed.onset, found.onset, 'it is the answer that those of the code would have');
    assert.deepEqual(narrowed.differences, found.differences);
  });

  it('property: a service is asked for a value only where that is one value, and tells just the jobs counted here', () => {
    const value = fc.constantFrom<JsonValue>(
      1,
      '1',
      true,
      'true',
      'a',
      ' a',
      ['a'],
      [],
      '',
      null,
      { a: 1 },
      1e21,
      '1e+21',
    );
    let [asked, refused] = [0, 0];
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 12 }), (values) => {
        const jobs = values.map((each, at) => jobOf({ id: `j${at}`, custom_metadata: { key: each } }));
        const data = {
          columns: columnsOf(jobs),
          strata: [{ read: jobs.length, total: jobs.length }],
          stratumOf: () => 0,
        };
        const board = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
        for (const text of new Set(data.columns.column('custom_metadata.key')?.values.slice(1))) {
          const condition = { key: 'custom_metadata.key', value: text, isExcluded: false };
          board.narrow({ facets: [condition], range: undefined });
          const { canFilter, matching } = board.show({ from: 0, to: 1 }, words);
          const { customMetadata } = board.paramsOf([condition]);
          assert.equal(customMetadata !== undefined, canFilter);
          const isTold = (each: JsonValue): boolean => isDeepStrictEqual(each, customMetadata?.['key']);
          if (canFilter) assert.equal(values.filter(isTold).length, matching.count);
          if (canFilter) asked++;
          else refused++;
        }
      }),
      { numRuns: propertyRuns },
    );
    assert.ok(asked > 10 && refused > 10, `${asked} asked, ${refused} refused`);
  });

  it('property: what a service is asked for leaves out none of the jobs that are shown', () => {
    const jobs = boardJobs({ seed: 23, count: 300, planted, failing: 0.2 });
    const data = { columns: columnsOf(jobs), strata: [{ read: jobs.length, total: jobs.length }], stratumOf: () => 0 };
    const values = {
      status: ['error', 'done', 'paused'],
      'custom_metadata.customer': ['acme', 'cobalt', undefined],
      'custom_metadata.region': ['north', 'south'],
      kind: ['live'],
    };
    const conditionOf = ([key, some]: readonly [string, readonly (string | undefined)[]]) =>
      fc.record({
        key: fc.constant(key),
        value: fc.constantFrom(...some),
        isExcluded: fc.constantFrom(false, false, true),
      });
    const condition = fc.oneof(
      ...Object.entries(values).map((each) => ({
        // A service is asked for one customer only.
        weight: each[0] === 'custom_metadata.customer' ? 4 : 1,
        arbitrary: conditionOf(each),
      })),
    );
    let several = 0;
    fc.assert(
      fc.property(fc.array(condition, { maxLength: 4 }), (facets) => {
        const board = new BoardModel(data, usualLayout, { facets, range: undefined }, { type: 'any' }, atMs);
        const { rows, canFilter } = board.show({ from: 0, to: 1 }, words);
        const params = board.paramsOf(facets);
        assert.equal(canFilter, Object.keys(params).length > 0);
        const asked = jobs.filter((job) => findContradiction(job, params) === undefined).length;
        assert.ok(asked >= rows, `${asked} asked for, ${rows} shown`);
        if (board.unasked(facets).length === 0) assert.equal(asked, rows);
        const customers = facets.filter(({ key, isExcluded }) => key === 'custom_metadata.customer' && !isExcluded);
        if (new Set(customers.map(({ value }) => value)).size > 1) several++;
      }),
      { numRuns: propertyRuns },
    );
    assert.ok(several > 0, 'none with two customers');
  });

  it('names the conditions that a filter of the jobs view leaves out, and those of a finding', () => {
    const jobs = boardJobs({ seed: 29, count: 200, planted, failing: 0.2 });
    const data = { columns: columnsOf(jobs), strata: [{ read: jobs.length, total: jobs.length }], stratumOf: () => 0 };
    const board = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
    const be = (key: string, value: string, isExcluded = false): FacetCondition => ({ key, value, isExcluded });
    const customer = (value: string, isExcluded = false) => be('custom_metadata.customer', value, isExcluded);
    const failed = be('status', 'error');
    const live = be('kind', 'live');
    const shown = (...facets: readonly FacetCondition[]) => {
      board.narrow({ facets, range: undefined });
      const { canFilter, unasked } = board.show({ from: 0, to: 1 }, words);
      return { canFilter, unasked };
    };
    assert.deepEqual(shown(), { canFilter: false, unasked: [] });
    assert.deepEqual(shown(failed, customer('acme')), { canFilter: true, unasked: [] });
    assert.deepEqual(shown(failed, live), { canFilter: true, unasked: [live] });
    assert.deepEqual(shown(live, be('status', 'done', true)), {
      canFilter: false,
      unasked: board.view.conditions.facets,
    });
    const several = [customer('acme'), customer('cobalt')];
    assert.deepEqual(shown(failed, ...several), { canFilter: true, unasked: several });
    // Asked for one customer, a service sends none of another.
    assert.deepEqual(shown(customer('acme'), customer('cobalt', true)), { canFilter: true, unasked: [] });
    assert.deepEqual(shown(customer('acme'), customer('acme', true)).unasked, [customer('acme', true)]);

    const notDone = be('status', 'done', true);
    shown(notDone, live);
    assert.deepEqual(board.explain('failures', []).unasked, [live]);
    assert.deepEqual(board.explain('selection', [{ from: 0, to: 9 }]).unasked, [notDone, live]);
  });

  it('says which conditions a service can be asked for', () => {
    const condition = (key: string, value: string | undefined, isExcluded = false) =>
      canAsk({ key, value, isExcluded });
    assert.ok(condition('status', 'error') && condition('custom_metadata.customer', 'acme'));
    assert.ok(!condition('status', 'paused') && !condition('status', 'error', true));
    assert.ok(!condition('custom_metadata.room.floor', '3') && !condition('custom_metadata.customer', undefined));
    assert.ok(!condition('kind', 'live') && !condition('custom_metadata.note', 'cut…'));
  });
});
