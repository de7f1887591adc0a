import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { BoardModel } from '../../../../../src/features/board/common/boardModel.ts';
import type { BoardFinding } from '../../../../../src/features/board/common/boardProtocol.ts';
import { usualLayout } from '../../../../../src/features/board/common/boardStorage.ts';
import {
  sortRows,
  sortRowsInParts,
  type BoardConditions,
  type FacetCondition,
} from '../../../../../src/features/board/common/boardView.ts';

import { isSupported } from '../../../../../src/features/board/common/supportedConditions.ts';
import { findContradiction } from '../../../../../src/jobs/common/jobFilter.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import type { ListParams } from '../../../../../src/jobs/common/listParams.ts';
import type { JsonObject, JsonValue } from '../../../../../src/base/json/json.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { boardJobs, columnsOf, jobOf, type PlantedIncident } from './boardJobs.ts';
import { formatElapsed } from '../../../../../src/base/duration.ts';

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
  const data = { columns, size: count, isPart: false };
  return new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'last', hours: 168 }, atMs);
}

/** True if a service would list a job, assuming that it applies date conditions to the creation time, with inclusive bounds in UTC. */
function isWithinDates({ createdAtMs }: Job, { date, afterDate, beforeDate }: ListParams): boolean {
  if (createdAtMs === undefined) return true;
  return (
    (afterDate === undefined || createdAtMs >= Date.parse(afterDate)) &&
    (beforeDate === undefined || createdAtMs <= Date.parse(beforeDate)) &&
    (date === undefined || new Date(createdAtMs).toISOString().startsWith(date))
  );
}

const rest = (): Promise<void> => Promise.resolve();

const failed = { key: 'status', value: 'error', isExcluded: false };

describe('The model of a board', () => {
  it('shows rows, facets and pulse of the same jobs', () => {
    const shown = model().show({ from: 0, to: 50 }, words);
    assert.equal(shown.rows, count);
    assert.equal(shown.slice.rows.length, 50);
    const ofPulse = shown.pulse.bins.flatMap(({ byStatus }) => byStatus).reduce((sum, each) => sum + each, 0);
    assert.equal(ofPulse + shown.pulse.elsewhere, count);
    for (const { key, values, further } of shown.facets) {
      const sum = values.reduce((all, { count: own }) => all + own, 0);
      assert.ok(further > 0 || sum === count, key);
    }
    const codes = shown.facets.find(({ key }) => key === 'error_code')?.values.map(({ label }) => label);
    assert.ok(codes?.includes('503 Overloaded') && codes.includes('none'));
  });

  it('has labels like the jobs view in the first column, and formats durations for easy comparison', () => {
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

  it('shows the same jobs, however it was narrowed down before', () => {
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

  it('limits the rows that a page can request', () => {
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

  it('explains failures regardless of conditions on the outcome, a range and a selection', async () => {
    const board = model();
    board.narrow({ facets: [failed, { key: 'error_code', value: '503', isExcluded: false }], range: undefined });
    const [failures] = (await board.explain('failures', [], rest)).standouts;
    assert.deepEqual(failures?.shared, [{ key: 'custom_metadata.customer', value: 'cobalt', isExcluded: false }]);
    assert.equal(failures.canFilter, true);
    assert.equal(failures.time?.side, 'since');
    assert.ok(
      Math.abs(failures.time.atMs - planted.onsetMs) < 6 * 3_600_000,
      new Date(failures.time.atMs).toISOString(),
    );
    const selection = await model().explain('selection', [{ from: 0, to: 5 }], rest);
    assert.deepEqual(selection.standouts, []);
    board.narrow({ facets: [], range: { fromMs: planted.onsetMs, toMs: atMs } });
    const [range] = (await board.explain('range', [], rest)).standouts;
    const values = range?.shared.map(({ key, value }) => [key, value]);
    assert.deepEqual(values, [['error_code', '503']]);
    assert.deepEqual([range?.time, range?.code], [undefined, undefined]);
  });

  it('explains a range of failures as it explains them without the range', async () => {
    const facets = [failed, { key: 'error_code', value: '503', isExcluded: false }];
    const board = model();
    board.narrow({ facets, range: undefined });
    const whole = await board.explain('failures', [], rest);
    assert.equal(whole.standouts[0]?.shared[0]?.value, 'cobalt');
    for (const some of [facets, facets.slice(1)]) {
      board.narrow({ facets: some, range: { fromMs: planted.onsetMs, toMs: atMs } });
      assert.deepEqual(await board.explain('range', [], rest), { ...whole, conditions: some });
    }
  });

  it('compares failures with all other jobs if nearly all that meet the conditions failed', async () => {
    const customer = { key: 'custom_metadata.customer', value: 'cobalt', isExcluded: false };
    const jobs = boardJobs({ seed: 11, count: 600 }).map((job, serial) => {
      const item = JSON.parse(job.raw) as JsonObject;
      const isNew = serial % 40 === 0;
      const changes = { status: 'error', error_code: 422, custom_metadata: { customer: 'cobalt' } };
      return jobOf({ ...item, ...(isNew ? changes : { status: 'done', custom_metadata: { customer: 'acme' } }) });
    });
    const data = { columns: columnsOf(jobs), size: jobs.length, isPart: false };
    const facets = [failed, customer];
    const board = new BoardModel(data, usualLayout, { facets, range: undefined }, { type: 'any' }, atMs);
    const { group, compared, standouts, isNarrowed, among } = await board.explain('failures', [], rest);
    assert.deepEqual([group, compared, isNarrowed, among], [15, 600, true, []]);
    assert.deepEqual(standouts[0]?.shared, [customer]);
    assert.deepEqual([standouts[0].having.hits, standouts[0].rest.hits], [15, 0]);
  });

  it('returns the columns as shown for the selected jobs only, with times in UTC, whatever is arranged later', () => {
    const columns = columnsOf([
      jobOf({ id: 'a', status: 'done', created_at: '2026-10-01T10:00:00Z', custom_metadata: { customer: 'acme' } }),
      jobOf({ id: 'b', status: 'done', created_at: '2026-10-01T09:00:00Z' }),
    ]);
    const data = { columns, size: 2, isPart: false };
    const board = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
    const order = usualLayout.order;
    const keys = ['id', 'created_at', 'custom_metadata.customer'];
    board.arrange({ ...usualLayout, order, columns: keys.map((key) => ({ key, width: 100 })) });
    const { titles, cellsOf } = board.table([{ from: 0, to: 1 }], { locale, errorLabels: {} });
    board.arrange(usualLayout);
    assert.deepEqual(titles, ['ID', 'Created', 'customer']);
    const kind = columns.column('kind')?.value(0) ?? '';
    assert.deepEqual(cellsOf({ kind, id: 'a' }), ['a', '2026-10-01T10:00:00.000Z', 'acme']);
    assert.deepEqual(cellsOf({ kind, id: 'b' }), ['', '', '']);
  });

  it('reports with a finding that jobs may be unread', async () => {
    const columns = columnsOf(boardJobs({ seed: 11, count: 600, planted }));
    for (const isPart of [false, true]) {
      const data = { columns, size: 600, isPart };
      const board = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
      assert.equal((await board.explain('failures', [], rest)).isPart, isPart);
    }
  });

  it('compares failures with finished jobs, not with running ones', async () => {
    const jobs = boardJobs({ seed: 9, count: 2000, planted }).map((job, serial) =>
      serial < 400 ? jobOf({ ...(JSON.parse(job.raw) as JsonObject), status: 'processing' }) : job,
    );
    const data = { columns: columnsOf(jobs), size: jobs.length, isPart: false };
    const board = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
    const { compared, standouts } = await board.explain('failures', [], rest);
    assert.equal(compared, 1600);
    assert.equal(standouts[0]?.shared[0]?.value, 'cobalt');
  });

  it('reports if it explains all failures or only some of them, and what all compared jobs have in common', async () => {
    const explained = (conditions: BoardConditions): Promise<BoardFinding> => {
      const board = model();
      board.narrow(conditions);
      return board.explain('failures', [], rest);
    };
    const isNarrowed = async (conditions: BoardConditions): Promise<boolean> =>
      (await explained(conditions)).isNarrowed;
    const facet = (key: string, value: string): FacetCondition => ({ key, value, isExcluded: false });
    assert.equal(await isNarrowed({ facets: [], range: undefined }), false);
    const ofAll = [facet('status', 'error'), facet('custom_metadata.customer', 'cobalt')];
    assert.equal(await isNarrowed({ facets: ofAll, range: undefined }), false);
    assert.equal(await isNarrowed({ facets: [facet('error_code', '503')], range: undefined }), true);
    const both = [facet('error_code', '503'), facet('custom_metadata.customer', 'cobalt')];
    assert.deepEqual((await explained({ facets: both, range: undefined })).among, both.slice(1));
    assert.deepEqual((await explained({ facets: both.slice(0, 1), range: undefined })).among, []);
  });

  it('has the most frequent error code of a finding, unless the board is narrowed down to one', async () => {
    const made = model();
    const [found] = (await made.explain('failures', [], rest)).standouts;
    assert.equal(found?.code?.code, '503');
    assert.ok(found.code.hits > found.having.hits / 2 && found.code.hits <= found.having.hits);
    made.narrow({ facets: [{ key: 'error_code', value: '503', isExcluded: false }], range: undefined });
    const [narrowed] = (await made.explain('failures', [], rest)).standouts;
    assert.ok(narrowed !== undefined && narrowed.code === undefined);
  });

  it('sorts a long column in parts with the same result as at once', async () => {
    const jobs = boardJobs({ seed: 3, count: 20_000 });
    const data = { columns: columnsOf(jobs, ['call']), size: 20_000, isPart: false };
    let rests = 0;
    for (const key of ['id', 'label', 'custom_metadata.agent', 'processing_time', 'nothing']) {
      for (const isDescending of [false, true]) {
        const order = { key, isDescending };
        const inParts = await sortRowsInParts(data, order, () => Promise.resolve(void rests++));
        assert.deepEqual(inParts, sortRows(data, order), key);
      }
    }
    assert.ok(rests > 10, `${rests} rests`);
  });

  it('property: a filter has only an unambiguous value, and matches exactly the jobs counted on the board', () => {
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
          size: jobs.length,
          isPart: false,
        };
        const board = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
        for (const text of new Set(data.columns.column('custom_metadata.key')?.values.slice(1))) {
          const condition = { key: 'custom_metadata.key', value: text, isExcluded: false };
          board.narrow({ facets: [condition], range: undefined });
          const { canFilter, rows } = board.show({ from: 0, to: 1 }, words);
          const { customMetadata } = board.paramsOf([condition]);
          assert.equal(customMetadata !== undefined, canFilter);
          const isTold = (each: JsonValue): boolean => isDeepStrictEqual(each, customMetadata?.['key']);
          if (canFilter) assert.equal(values.filter(isTold).length, rows);
          if (canFilter) asked++;
          else refused++;
        }
      }),
      { numRuns: propertyRuns },
    );
    assert.ok(asked > 10 && refused > 10, `${asked} asked, ${refused} refused`);
  });

  it('property: a filter matches all jobs that the board shows', () => {
    const jobs = boardJobs({ seed: 23, count: 300, planted, failing: 0.2 });
    const data = { columns: columnsOf(jobs), size: jobs.length, isPart: false };
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
        // A filter can have only one customer.
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
        const asked = jobs.filter(
          (job) => findContradiction(job, params) === undefined && isWithinDates(job, params),
        ).length;
        assert.ok(asked >= rows, `${asked} asked for, ${rows} shown`);
        if (board.unsupported(facets).length === 0) assert.equal(asked, rows);
        const customers = facets.filter(({ key, isExcluded }) => key === 'custom_metadata.customer' && !isExcluded);
        if (new Set(customers.map(({ value }) => value)).size > 1) several++;
      }),
      { numRuns: propertyRuns },
    );
    assert.ok(several > 0, 'none with two customers');
  });

  it('lists the conditions that a filter of the jobs view leaves out, also for a finding', async () => {
    const jobs = boardJobs({ seed: 29, count: 200, planted, failing: 0.2 });
    const data = { columns: columnsOf(jobs), size: jobs.length, isPart: false };
    const board = new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'any' }, atMs);
    const be = (key: string, value: string, isExcluded = false): FacetCondition => ({ key, value, isExcluded });
    const customer = (value: string, isExcluded = false) => be('custom_metadata.customer', value, isExcluded);
    const failed = be('status', 'error');
    const live = be('kind', 'live');
    const shown = (...facets: readonly FacetCondition[]) => {
      board.narrow({ facets, range: undefined });
      const { canFilter, unsupported } = board.show({ from: 0, to: 1 }, words);
      return { canFilter, unsupported };
    };
    assert.deepEqual(shown(), { canFilter: false, unsupported: [] });
    assert.deepEqual(shown(failed, customer('acme')), { canFilter: true, unsupported: [] });
    assert.deepEqual(shown(failed, live), { canFilter: true, unsupported: [live] });
    assert.deepEqual(shown(live, be('status', 'done', true)), {
      canFilter: false,
      unsupported: board.view.conditions.facets,
    });
    const several = [customer('acme'), customer('cobalt')];
    assert.deepEqual(shown(failed, ...several), { canFilter: true, unsupported: several });
    // A request for one customer excludes all others.
    assert.deepEqual(shown(customer('acme'), customer('cobalt', true)), { canFilter: true, unsupported: [] });
    assert.deepEqual(shown(customer('acme'), customer('acme', true)).unsupported, [customer('acme', true)]);

    const notDone = be('status', 'done', true);
    shown(notDone, live);
    assert.deepEqual((await board.explain('failures', [], rest)).unsupported, [live]);
    assert.deepEqual((await board.explain('selection', [{ from: 0, to: 9 }], rest)).unsupported, [notDone, live]);
  });

  it('reports which conditions a request supports', () => {
    const condition = (key: string, value: string | undefined, isExcluded = false) =>
      isSupported({ key, value, isExcluded });
    assert.ok(condition('status', 'error') && condition('custom_metadata.customer', 'acme'));
    assert.ok(!condition('status', 'paused') && !condition('status', 'error', true));
    assert.ok(!condition('custom_metadata.room.floor', '3') && !condition('custom_metadata.customer', undefined));
    assert.ok(!condition('kind', 'live') && !condition('custom_metadata.note', 'cut…'));
  });
});
