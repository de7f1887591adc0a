import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import type { ListEndpoint, ListParams } from '../../../../src/domain/jobs/listParams.ts';
import { surveyJobs, type SurveyResult } from '../../../../src/service/survey/survey.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { jobOf, seededNumbers } from '../../domain/board/boardJobs.ts';
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
  it('property: calls complete only what has every job of the time asked for', async () => {
    const worlds = fc.record({
      count: fc.integer({ min: 0, max: 600 }),
      unfinished: fc.constantFrom(0, 0.02, 0.2),
      order: fc.constantFrom('newest', 'oldest'),
      cut: fc.oneof(fc.constant(Infinity), fc.integer({ min: 20, max: 400 })),
      pageSize: fc.integer({ min: 5, max: 100 }),
      dates: fc.constantFrom('created', 'completed'),
      hoursAgo: fc.option(fc.integer({ min: 1, max: 100 })),
      mode: fc.constantFrom('auto', 'exact'),
      seed: fc.nat(),
    } as const);
    await fc.assert(
      fc.asyncProperty(worlds, async ({ count, unfinished, hoursAgo, mode, seed, ...traits }) => {
        const jobs = weekOf(count, 'pre-recorded', unfinished, seed);
        const beforeMs = hoursAgo === null ? Infinity : endMs - hoursAgo * 3_600_000;
        const bounds = hoursAgo === null ? week : { ...week, beforeDate: new Date(beforeMs).toISOString() };
        const { basis, total, data } = await surveyOf({ ...traits, jobs: { 'pre-recorded': jobs } }, bounds, mode);
        if (basis.type !== 'complete') return;
        const truth = jobs.filter(({ createdAtMs = NaN }) => createdAtMs < beforeMs).length;
        assert.deepEqual([total, data.columns.size], [truth, truth]);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('does not where the only job finished behind the end, which a service may mean', async () => {
    const beforeMs = endMs - 3_600_000;
    const job = jobOf({
      id: 'late',
      kind: 'pre-recorded',
      status: 'done',
      created_at: new Date(beforeMs - 60_000).toISOString(),
      completed_at: new Date(beforeMs + 60_000).toISOString(),
    });
    const bounds = { ...week, beforeDate: new Date(beforeMs).toISOString() };
    const asked = async (dates: World['dates']) =>
      (await surveyOf({ ...honest, dates, jobs: { 'pre-recorded': [job] } }, bounds)).basis;
    assert.deepEqual(await asked('completed'), { type: 'partial', why: 'unproved' });
    assert.deepEqual(await asked('created'), { type: 'complete' });
  });

  it('says so where it is', async () => {
    for (const order of ['newest', 'oldest'] as const) {
      for (const unfinished of [0, 0.1]) {
        const world = { ...honest, order, jobs: { 'pre-recorded': weekOf(300, 'pre-recorded', unfinished) } };
        const { basis, total } = await surveyOf(world, week);
        assert.deepEqual([basis, total], [{ type: 'complete' }, 300], `${order} ${unfinished}`);
      }
    }
  });

  it('reads a short list also where something once looks like a job far behind, and orders do not matter', async () => {
    const jobs = { 'pre-recorded': weekOf(250, 'pre-recorded', 0.1) };
    for (const order of ['newest', 'oldest'] as const) {
      const source = sourceOf({ ...honest, order, jobs });
      let isFirst = true;
      const odd = fakeReader(async (endpoint, params, signal) => {
        const page = await source.readPage(endpoint, params, signal);
        if (!isFirst) return page;
        isFirst = false;
        return { ...page, entries: jobs['pre-recorded'].slice(0, 1) };
      });
      const queries = [{ endpoint: 'pre-recorded', params: week }] as const;
      const { basis, total } = await surveyJobs(odd, queries, {
        clock: new FakeClock(),
        random: seededNumbers(7),
        mode: 'auto',
      });
      assert.deepEqual([basis, total], [{ type: 'complete' }, 250]);
    }
  });
});
