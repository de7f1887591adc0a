import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BoardModel } from '../../../../../src/features/board/common/boardModel.ts';
import { usualLayout } from '../../../../../src/features/board/common/boardStorage.ts';
import type { FacetCondition } from '../../../../../src/features/board/common/boardView.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { columnsOf, jobOf } from './boardJobs.ts';

const words = { locale: { language: 'en', timeZone: 'UTC' }, errorLabels: {} };
const startMs = Date.UTC(2026, 9, 1);
const endMs = startMs + 7 * 86_400_000;

function boardOf(jobs: readonly Job[]): BoardModel {
  const data = { columns: columnsOf(jobs), size: jobs.length, isPart: false };
  return new BoardModel(data, usualLayout, { facets: [], range: undefined }, { type: 'last', hours: 168 }, endMs);
}

/** Creates a job of a week with a name in its metadata. */
function named(index: number, name: string | undefined, status: string, tookMs: number): Job {
  const createdMs = startMs + ((index * 7919) % 10_000) * 60_000;
  return jobOf({
    id: `job-${index}`,
    kind: 'pre-recorded',
    status,
    created_at: new Date(createdMs).toISOString(),
    ...(status !== 'queued' && { completed_at: new Date(createdMs + tookMs).toISOString() }),
    ...(name !== undefined && { custom_metadata: { name } }),
  });
}

function nameOf(job: Job): string | undefined {
  const { custom_metadata: metadata } = JSON.parse(job.raw) as { custom_metadata?: { name: string } };
  return metadata?.name;
}

test('property: rows, figures and times are those of the matching jobs, for any name and range', () => {
  const name = fc.oneof(
    fc.constantFrom(undefined, '', 'acme', '__proto__', 'constructor', 'x'.repeat(200)),
    fc.constantFrom('a', 'b').map((end) => `${'long '.repeat(60)}${end}`),
    fc.integer({ min: 0, max: 5000 }).map(String),
  );
  const entry = fc.tuple(name, fc.constantFrom('done', 'error', 'queued'), fc.nat(600_000));
  const boards = fc.record({
    // More than a thousand names, most of them unique, are not a facet.
    jobs: fc.oneof(
      { weight: 9, arbitrary: fc.array(entry, { maxLength: 60 }) },
      { weight: 1, arbitrary: fc.array(entry, { minLength: 1500, maxLength: 1500 }) },
    ),
    isMany: fc.boolean(),
    picked: fc.nat(),
    isExcluded: fc.boolean(),
    range: fc.option(fc.tuple(fc.nat(10_000), fc.nat(10_000))),
  });
  fc.assert(
    fc.property(boards, ({ jobs: drawn, isMany, picked, isExcluded, range: minutes }) => {
      const jobs = drawn.map(([value, status, tookMs], index) =>
        named(index, isMany && drawn.length > 1000 && index % 3 > 0 ? `only ${index}` : value, status, tookMs),
      );
      const board = boardOf(jobs);
      const column = board.data.columns.column('custom_metadata.name');
      const place = jobs.length === 0 ? 0 : picked % jobs.length;
      const [like] = jobs.slice(place);
      const range =
        minutes === null
          ? undefined
          : { fromMs: startMs + Math.min(...minutes) * 60_000, toMs: startMs + Math.max(...minutes) * 60_000 };
      const condition: FacetCondition = { key: 'custom_metadata.name', value: column?.value(place), isExcluded };
      board.narrow({ facets: [condition], range });
      const passing = jobs.filter((job) => {
        const isSame = like !== undefined && nameOf(job) === nameOf(like);
        const at = job.createdAtMs ?? NaN;
        return isSame !== isExcluded && (range === undefined || (at >= range.fromMs && at < range.toMs));
      });
      const shown = board.show({ from: 0, to: 10 }, words);
      const took = passing
        .flatMap(({ createdAtMs = NaN, completedAtMs }) =>
          completedAtMs === undefined ? [] : [completedAtMs - createdAtMs],
        )
        .sort((a, b) => a - b);
      const expected = {
        rows: passing.length,
        failed: passing.filter(({ status }) => status === 'error').length,
        p50Ms: took[Math.ceil(0.5 * took.length) - 1],
        p95Ms: took[Math.ceil(0.95 * took.length) - 1],
      };
      assert.deepEqual(
        {
          rows: shown.rows,
          failed: shown.failed,
          p50Ms: shown.times.p50Ms,
          p95Ms: shown.times.p95Ms,
        },
        expected,
      );
    }),
    { numRuns: propertyRuns },
  );
});

test('a name that many failures share is found, although most names belong to one job', async () => {
  const jobs = Array.from({ length: 4000 }, (_, index) => {
    const isHeavy = index % 8 === 0;
    return named(index, isHeavy ? 'acme' : `only ${index}`, isHeavy && index % 16 === 0 ? 'error' : 'done', 1000);
  });
  const board = boardOf(jobs);
  assert.equal(board.data.columns.column('custom_metadata.name')?.isNearlyUnique, true);
  const [first] = (await board.explain('failures', [], () => Promise.resolve())).standouts;
  assert.deepEqual(first?.shared, [{ key: 'custom_metadata.name', value: 'acme', isExcluded: false }]);
  assert.deepEqual(first.having, { hits: 250, of: 500 });
});
