import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  BoardView,
  sortRows,
  type BoardConditions,
  type BoardData,
  type FacetCondition,
} from '../../../../../src/features/board/common/boardView.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { metadataOf } from '../../../../../src/jobs/common/itemFacts.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { columnsOf, jobOf } from './boardJobs.ts';

const newest = { key: 'created_at', isDescending: true };

const job = fc
  .record({
    status: fc.constantFrom('done', 'error', 'queued', 'paused'),
    kind: fc.constantFrom('live', 'pre-recorded'),
    createdMs: fc.option(fc.integer({ min: 0, max: 50 }), { nil: undefined }),
    customer: fc.option(fc.constantFrom('acme', 'borealis', '', 'ünïcode ☃'), { nil: undefined }),
    serial: fc.nat(),
  })
  .map(({ status, kind, createdMs, customer, serial }) =>
    jobOf({
      id: `job-${serial}`,
      status,
      kind,
      ...(createdMs !== undefined && { created_at: new Date(createdMs * 1000).toISOString() }),
      custom_metadata: customer === undefined ? {} : { customer },
    }),
  );

const condition: fc.Arbitrary<FacetCondition> = fc.record({
  key: fc.constantFrom('status', 'kind', 'custom_metadata.customer', 'custom_metadata.absent'),
  value: fc.constantFrom('done', 'error', 'live', 'acme', '', 'nowhere', undefined),
  isExcluded: fc.boolean(),
});

const conditions: fc.Arbitrary<BoardConditions> = fc.record({
  facets: fc.array(condition, { maxLength: 4 }),
  range: fc.option(
    fc.tuple(fc.nat(60), fc.nat(60), fc.boolean()).map(([a, b, isOpen]) => ({
      fromMs: Math.min(a, b) * 1000,
      toMs: isOpen ? undefined : Math.max(a, b) * 1000,
    })),
    { nil: undefined },
  ),
});

/** Reads a value from a job, not from columns. */
function valueOf(each: Job, key: string): string | undefined {
  if (key === 'status') return each.status;
  if (key === 'kind') return each.kind;
  const value = metadataOf(each)[key.slice('custom_metadata.'.length)];
  return typeof value === 'string' ? value : undefined;
}

function passes(each: Job, { facets, range }: BoardConditions): boolean {
  const keys = new Set(facets.map(({ key }) => key));
  const isFacetPassed = [...keys].every((key) => {
    const own = facets.filter((facet) => facet.key === key);
    const included = own.filter(({ isExcluded }) => !isExcluded);
    const has = ({ value }: FacetCondition): boolean => valueOf(each, key) === value;
    return (included.length === 0 || included.some(has)) && !own.some((facet) => facet.isExcluded && has(facet));
  });
  const at = each.createdAtMs;
  if (!isFacetPassed || range === undefined) return isFacetPassed;
  return at !== undefined && at >= range.fromMs && (range.toMs === undefined || at < range.toMs);
}

function dataOf(jobs: readonly Job[]): BoardData {
  return { columns: columnsOf(jobs), size: jobs.length, isPart: false };
}

function viewOf(jobs: readonly Job[], narrowed: BoardConditions): BoardView {
  const data = dataOf(jobs);
  return new BoardView(data, narrowed, sortRows(data, newest));
}

describe('A view of a board', () => {
  it('has each matching row once, and correct figures', () => {
    fc.assert(
      fc.property(fc.array(job, { maxLength: 40 }), conditions, (jobs, narrowed) => {
        const view = viewOf(jobs, narrowed);
        const truth = jobs.flatMap((each, row) => (passes(each, narrowed) ? [row] : []));
        assert.deepEqual(
          [...view.rows].toSorted((a, b) => a - b),
          truth,
        );
        assert.equal(view.failed, truth.filter((row) => jobs[row]?.status === 'error').length);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('counts as many jobs for a value of a facet as the table has with only that value', () => {
    fc.assert(
      fc.property(fc.array(job, { maxLength: 40 }), conditions, (jobs, narrowed) => {
        const view = viewOf(jobs, narrowed);
        for (const key of ['status', 'kind', 'custom_metadata.customer']) {
          for (const { value, count } of view.facet(key, 100)?.values ?? []) {
            const others = narrowed.facets.filter((each) => each.key !== key);
            const alone = viewOf(jobs, {
              facets: [...others, { key, value, isExcluded: false }],
              range: narrowed.range,
            });
            assert.equal(count, alone.rows.length, `${key}=${String(value)}`);
          }
        }
      }),
      { numRuns: propertyRuns },
    );
  });

  it('is sorted, with missing values last', () => {
    fc.assert(
      fc.property(fc.array(job, { maxLength: 40 }), fc.boolean(), (jobs, isDescending) => {
        const columns = columnsOf(jobs);
        const times = [...sortRows({ columns, size: jobs.length }, { key: 'created_at', isDescending })].map(
          (row) => jobs[row]?.createdAtMs,
        );
        const dated = times.filter((each) => each !== undefined);
        assert.deepEqual(times.slice(0, dated.length), dated);
        assert.deepEqual(
          dated,
          dated.toSorted((a, b) => (isDescending ? b - a : a - b)),
        );
      }),
      { numRuns: propertyRuns },
    );
  });

  it('sorts text case-insensitively, and numbers in it by value', () => {
    const jobs = ['call 10', 'Call 9', 'call 2'].map((name, index) =>
      jobOf({ id: `j${index}`, status: 'done', custom_metadata: { name } }),
    );
    const data = { columns: columnsOf(jobs), size: 3 };
    const order = sortRows(data, { key: 'custom_metadata.name', isDescending: false });
    assert.deepEqual([...order], [2, 1, 0]);
    assert.deepEqual([...sortRows(data, { key: 'nothing', isDescending: false })], [0, 1, 2]);
  });

  it('sorts labels as displayed, and numbers by value', () => {
    const jobs = [
      jobOf({ id: 'z-unnamed', custom_metadata: { score: 1.5 } }),
      jobOf({ id: 'a-sent', custom_metadata: { score: 1.25 } }),
      jobOf({ id: 'c', custom_metadata: { name: 'm', score: -3 } }),
    ];
    const data = {
      columns: columnsOf(jobs, ['name']),
      size: 3,
      submittedAs: () => new Map([['a-sent', 'request.json']]),
    };
    assert.deepEqual([...sortRows(data, { key: 'label', isDescending: false })], [2, 1, 0]);
    assert.deepEqual([...sortRows(data, { key: 'custom_metadata.score', isDescending: false })], [2, 1, 0]);
  });

  it('has missing values last in a facet, however many there are and however long the facet is', () => {
    const jobs = Array.from({ length: 40 }, (_, index) =>
      jobOf({ id: `j${index}`, status: 'done', ...(index < 12 && { error_code: 500 + index }) }),
    );
    const facet = viewOf(jobs, { facets: [], range: undefined }).facet('error_code', 8);
    assert.deepEqual(
      facet?.values.map(({ value, count }) => [value, count]),
      [...Array.from({ length: 8 }, (_, index) => [String(500 + index), 1]), [undefined, 28]],
    );
    assert.equal(facet?.further, 4);
  });
});
