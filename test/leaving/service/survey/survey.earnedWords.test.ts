import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import type { ListEndpoint, ListParams } from '../../../../src/domain/jobs/listParams.ts';
import { surveyJobs, type SurveyResult } from '../../../../src/service/survey/survey.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { jobOf, seededNumbers } from '../../../unit/domain/board/boardJobs.ts';
import type { ListReader } from '../../../../src/service/list/listReader.ts';
import { fakeReader } from '../../../support/lists/fakeLists.ts';

const endMs = Date.UTC(2026, 9, 8);
const startMs = endMs - 7 * 86_400_000;

interface World {
  /** By list. */
  readonly jobs: Readonly<Partial<Record<ListEndpoint, readonly Job[]>>>;
  readonly order: 'newest' | 'oldest';
  /** Items behind these places are never listed, as if there were none. */
  readonly cut: number;
  readonly pageSize: number;
  /** Which time the bounds of a request are about; a job without one is left out. */
  readonly dates: 'created' | 'completed';
}

function sourceOf({ jobs, order, cut, pageSize, dates }: World): ListReader {
  const sorted = new Map(
    Object.entries(jobs).map(([endpoint, of]) => [
      endpoint,
      of.toSorted((a, b) => ((a.createdAtMs ?? 0) - (b.createdAtMs ?? 0)) * (order === 'newest' ? -1 : 1)),
    ]),
  );
  const known = new Map<string, readonly Job[]>();
  return fakeReader((endpoint, { offset = 0, limit = 20, ...filter }: ListParams) => {
    const [after, before] = [filter.afterDate, filter.beforeDate].map((date) => Date.parse(date ?? ''));
    const name = JSON.stringify([endpoint, filter]);
    const passes = (job: Job): boolean => {
      const at = dates === 'created' ? job.createdAtMs : job.completedAtMs;
      const isDated = filter.afterDate !== undefined || filter.beforeDate !== undefined;
      if (filter.statuses?.some((status) => status === job.status) === false) return false;
      return !isDated || (at !== undefined && !(at <= (after ?? NaN)) && !(at >= (before ?? NaN)));
    };
    const matching = known.get(name) ?? (sorted.get(endpoint) ?? []).filter(passes).slice(0, cut);
    known.set(name, matching);
    const entries = matching.slice(offset, offset + Math.min(limit, pageSize));
    const hasMore = offset + entries.length < matching.length;
    return Promise.resolve({ entries, hasMore, serviceDateMs: undefined, deviations: [] });
  });
}

/** Jobs evenly over a week, some unfinished. */
function weekOf(count: number, kind: string, unfinished: number, seed = 1): readonly Job[] {
  const next = seededNumbers(seed);
  return Array.from({ length: count }, (_, index) => {
    const createdMs = startMs + Math.floor(((index + next()) / count) * (endMs - startMs));
    const isQueued = next() < unfinished;
    return jobOf({
      id: `${kind}-${index}`,
      kind,
      status: isQueued ? 'queued' : 'done',
      created_at: new Date(createdMs).toISOString(),
      ...(!isQueued && { completed_at: new Date(createdMs + 10_000 + Math.floor(next() * 3_600_000)).toISOString() }),
    });
  });
}

async function surveyOf(world: World, bounds: ListParams, mode: 'auto' | 'exact' = 'auto'): Promise<SurveyResult> {
  const queries = (['pre-recorded', 'live'] as const)
    .filter((endpoint) => world.jobs[endpoint] !== undefined)
    .map((endpoint) => ({ endpoint, params: bounds }));
  return surveyJobs(sourceOf(world), queries, { clock: new FakeClock(), random: seededNumbers(7), mode });
}

const week = { afterDate: new Date(startMs - 1).toISOString() };
const honest = { order: 'newest', cut: Infinity, pageSize: 100, dates: 'created' } as const;

describe('A survey', () => {
  it('does not count a sample of a list that is cut off, in either order', async () => {
    for (const order of ['newest', 'oldest'] as const) {
      const world = { ...honest, order, cut: 25_000, jobs: { 'pre-recorded': weekOf(30_000, 'pre-recorded', 0) } };
      assert.deepEqual((await surveyOf(world, week)).basis, { type: 'sampled', isExact: false, isCut: false });
    }
  });

  it('keeps to its requests however small pages are, and samples what it cannot read', async () => {
    for (const [counts, pageSize] of [
      [[19_900], 20],
      [[7000], 10],
      [[15_000, 15_000], 20],
      [[12_000, 12_000], 25],
    ] as const) {
      const [first, second] = counts;
      const jobs = {
        'pre-recorded': weekOf(first, 'pre-recorded', 0.01),
        ...(second !== undefined && { live: weekOf(second, 'live', 0.01) }),
      };
      const { basis, requests } = await surveyOf({ ...honest, pageSize, jobs }, week);
      assert.ok(requests <= 400, String(requests));
      assert.deepEqual(basis, { type: 'sampled', isExact: true, isCut: false });
    }
  });
});
