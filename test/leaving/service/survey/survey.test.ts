import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import type { ListEndpoint, ListParams, ListQuery } from '../../../../src/domain/jobs/listParams.ts';
import { Failure } from '../../../../src/domain/failure.ts';
import { findContradiction } from '../../../../src/domain/filter/jobFilter.ts';
import { BoardModel } from '../../../../src/domain/board/boardModel.ts';
import { usualLayout } from '../../../../src/domain/board/boardProtocol.ts';
import { BoardView, sortRows } from '../../../../src/domain/board/boardView.ts';
import type { ListPage } from '../../../../src/service/ports.ts';
import { surveyJobs, type SurveyOptions, type SurveyResult } from '../../../../src/service/survey/survey.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { jobOf, seededNumbers } from '../../../unit/domain/board/boardJobs.ts';
import { isWithinDates } from '../../../support/worlds/isWithinDates.ts';
import type { ListReader } from '../../../../src/service/list/listReader.ts';
import { FakeService } from '../../../support/lists/fakeLists.ts';

const startMs = Date.UTC(2026, 9, 1);
const spanMs = 90 * 86_400_000;

/** A list of any length whose jobs are made when they are asked for. */
class MadeList extends FakeService {
  readonly asked: ListParams[] = [];
  readonly #length: number;
  readonly #jobAt: (index: number) => Job;

  constructor(length: number, jobAt: (index: number) => Job = madeJob(length)) {
    super();
    this.#length = length;
    this.#jobAt = jobAt;
  }

  answer(endpoint: ListEndpoint, params: ListParams): Promise<ListPage> {
    this.asked.push(params);
    const { offset = 0, limit = 20, beforeDate, afterDate } = params;
    const jobs: Job[] = [];
    const length = endpoint === 'pre-recorded' ? this.#length : 0;
    const isNarrow = params.statuses !== undefined || params.customMetadata !== undefined;
    let hasMore = false;
    if (isNarrow) {
      const all = Array.from({ length }, (_, index) => this.#jobAt(index)).filter(
        (job) => findContradiction(job, params) === undefined && isWithinDates(job, params),
      );
      jobs.push(...all.slice(offset, offset + limit));
      hasMore = offset + limit < all.length;
    } else {
      const isDated = beforeDate !== undefined || afterDate !== undefined;
      let first = offset;
      if (isDated) {
        while (first < length && !isWithinDates(this.#jobAt(first - offset), params)) first++;
      }
      for (let index = first; index < Math.min(length, first + limit); index++) jobs.push(this.#jobAt(index));
      hasMore = first + limit < length;
    }
    return Promise.resolve({ entries: jobs, hasMore, serviceDateMs: undefined, deviations: [] });
  }
}

/** A list that obeys dates. */
class FilteredList extends FakeService {
  asked = 0;
  readonly #jobs: readonly Job[];
  readonly #known = new Map<string, readonly Job[]>();

  constructor(jobs: readonly Job[]) {
    super();
    this.#jobs = jobs;
  }

  answer(
    endpoint: ListEndpoint,
    { offset = 0, limit = 20, afterDate, beforeDate }: ListParams,
    signal?: AbortSignal,
  ): Promise<ListPage> {
    if (signal?.aborted === true) return Promise.reject(new Failure('cancelled'));
    this.asked++;
    const key = `${endpoint} ${afterDate ?? ''} ${beforeDate ?? ''}`;
    const [after, before] = [Date.parse(afterDate ?? '1970-01-01'), Date.parse(beforeDate ?? '2100-01-01')];
    const jobs =
      this.#known.get(key) ??
      this.#jobs.filter(
        ({ kind, createdAtMs = 0 }) => kind === endpoint && createdAtMs > after && createdAtMs < before,
      );
    this.#known.set(key, jobs);
    const entries = jobs.slice(offset, offset + limit);
    return Promise.resolve({
      entries,
      hasMore: offset + limit < jobs.length,
      serviceDateMs: undefined,
      deviations: [],
    });
  }
}

function madeJob(length: number, seed = 1): (index: number) => Job {
  return (index) => {
    const next = seededNumbers(seed * 7_919 + index);
    const createdMs = startMs + spanMs - Math.floor((index * spanMs) / length);
    // A fifth of the time failures are ten times as many.
    const isBad = index > length * 0.5 && index < length * 0.7;
    const isFailed = next() < (isBad ? 0.3 : 0.03);
    return jobOf({
      id: `j${index}`,
      kind: 'pre-recorded',
      status: isFailed ? 'error' : 'done',
      created_at: new Date(createdMs).toISOString(),
      completed_at: new Date(createdMs + 1000 + Math.floor(next() * 7_200_000)).toISOString(),
      custom_metadata: { customer: next() < 0.2 ? 'acme' : 'others' },
      ...(isFailed && { error_code: 503 }),
    });
  };
}

const queries: readonly ListQuery[] = [
  { endpoint: 'pre-recorded', params: {} },
  { endpoint: 'live', params: {} },
];

function survey(source: ListReader, options: Partial<SurveyOptions> = {}): Promise<SurveyResult> {
  return surveyJobs(source, queries, { clock: new FakeClock(), random: seededNumbers(1), ...options });
}

function countOf(result: SurveyResult, key: string, value: string) {
  const { data } = result;
  const conditions = { facets: [{ key, value, isExcluded: false }], range: undefined };
  return new BoardView(data, conditions, sortRows(data, { key: 'id', isDescending: false })).matching;
}

function barsOf({ data, atMs }: SurveyResult) {
  const time = {
    type: 'range',
    after: new Date(startMs).toISOString(),
    before: new Date(startMs + spanMs).toISOString(),
  } as const;
  const model = new BoardModel(data, usualLayout, { facets: [], range: undefined }, time, atMs);
  const words = { locale: { language: 'en', timeZone: 'UTC' }, errorLabels: {} };
  return model.show({ from: 0, to: 1 }, words).pulse.bins;
}

describe('A survey', () => {
  it('samples a million jobs with at most 400 requests, and says what reading them would take', async () => {
    const source = new MadeList(1_000_000);
    const result = await survey(source);
    assert.equal(result.basis.type, 'sampled');
    assert.ok(source.asked.length <= 400, `${source.asked.length} requests`);
    assert.equal(result.requests, source.asked.length);
    assert.equal(result.total, 1_000_000);
    assert.ok(result.exactRequests >= 10_000);
    assert.ok(result.data.columns.size > 250);
    const { low, high, count } = countOf(result, 'status', 'error');
    assert.ok(low < count && count < high);
  });

  it('gives intervals that hold the truth in 93 of 100 and more of 200 seeds', async () => {
    const length = 30_000;
    const jobs = Array.from({ length }, (_, index) => madeJob(length)(index));
    const truth = {
      failed: jobs.filter(({ status }) => status === 'error').length,
      acme: jobs.filter(({ raw }) => raw.includes('"acme"')).length,
    };
    const holding = { failed: 0, acme: 0 };
    const known = new Map<number, readonly Job[]>();
    const jobsWithin = (fromMs: number, toMs: number): readonly Job[] => {
      const within =
        known.get(fromMs) ?? jobs.filter(({ createdAtMs = 0 }) => createdAtMs >= fromMs && createdAtMs < toMs);
      known.set(fromMs, within);
      return within;
    };
    const bars = { all: [] as number[], failed: [] as number[] };
    const seeds = 200;
    for (let seed = 1; seed <= seeds; seed++) {
      const source = new MadeList(length, (index) => jobs[index] ?? fail());
      const result = await survey(source, { random: seededNumbers(seed) });
      assert.ok(source.asked.length <= 400);
      const failed = countOf(result, 'status', 'error');
      const acme = countOf(result, 'custom_metadata.customer', 'acme');
      if (failed.low <= truth.failed && truth.failed <= failed.high) holding.failed++;
      if (acme.low <= truth.acme && truth.acme <= acme.high) holding.acme++;
      for (const [index, { fromMs, toMs, figures }] of barsOf(result).entries()) {
        const within = jobsWithin(fromMs, toMs);
        const [all, , errors] = figures;
        assert.ok(all !== undefined && errors !== undefined, 'each bar has its interval');
        assert.ok(all.high - all.low <= within.length / 4, `${all.low} to ${all.high} of ${within.length}`);
        const failures = within.filter(({ status }) => status === 'error').length;
        bars.all[index] = (bars.all[index] ?? 0) + (all.low <= within.length && within.length <= all.high ? 1 : 0);
        bars.failed[index] = (bars.failed[index] ?? 0) + (errors.low <= failures && failures <= errors.high ? 1 : 0);
      }
    }
    assert.ok(bars.all.length >= 8 && bars.all.length <= 48, `${bars.all.length} bars`);
    for (const [name, held] of Object.entries(bars)) {
      for (const [index, count] of held.entries()) {
        assert.ok(count >= 0.93 * seeds, `${name} of bar ${index}: ${count} of ${seeds}`);
      }
    }
    assert.ok(holding.failed >= 0.93 * seeds, `failures: ${holding.failed} of ${seeds}`);
    assert.ok(holding.acme >= 0.93 * seeds, `acme: ${holding.acme} of ${seeds}`);
  });

  it('draws no sample from a list without an order, and says how many jobs there are', async () => {
    const length = 25_000;
    const made = madeJob(length);
    const source = new MadeList(length, (index) => made((index * 7919) % length));
    const result = await survey(source);
    assert.equal(result.basis.type, 'unsampled');
    assert.equal(result.data.columns.size, 0);
    assert.deepEqual(result.windows, [], 'no time to divide');
    assert.ok(source.asked.length <= 100);
  });

  it('counts by time where a list has no order: the figures are the truth, and their sum all jobs', async () => {
    const length = 25_000;
    const made = madeJob(length);
    const jobs = Array.from({ length }, (_, index) => made((index * 7919) % length));
    const source = new FilteredList(jobs);
    const clock = new FakeClock(startMs + spanMs + 1000);
    const dated = queries.map((query) => ({
      ...query,
      params: { afterDate: new Date(startMs - 1000).toISOString() },
    }));
    const phases = new Set<string>();
    const result = await surveyJobs(source, dated, {
      clock,
      random: seededNumbers(1),
      onProgress: ({ phase }) => phases.add(phase),
    });
    assert.deepEqual(result.basis, { type: 'unsampled', isExact: true });
    assert.ok(phases.has('counting'));
    assert.ok(source.asked <= 400, `${source.asked} requests`);
    assert.ok(result.windows.length >= 6, `${result.windows.length} ranges`);
    let next: number | undefined = startMs - 1000;
    for (const { fromMs, toMs, count } of result.windows) {
      assert.equal(fromMs, next);
      next = toMs;
      const truth = jobs.filter(({ createdAtMs = 0 }) => createdAtMs > fromMs && createdAtMs < (toMs ?? Infinity));
      assert.equal(count, truth.length);
    }
    assert.equal(next, undefined);
    assert.equal(
      result.windows.reduce((sum, { count = 0 }) => sum + count, 0),
      length,
    );
  });

  it('keeps what was counted by time before a cancel', async () => {
    const length = 21_000;
    const made = madeJob(length);
    const source = new FilteredList(Array.from({ length }, (_, index) => made((index * 7919) % length)));
    const abort = new AbortController();
    const result = await surveyJobs(
      source,
      [{ endpoint: 'pre-recorded', params: { afterDate: new Date(startMs - 1000).toISOString() } }],
      {
        clock: new FakeClock(startMs + spanMs),
        random: seededNumbers(1),
        signal: abort.signal,
        onProgress: ({ phase }) => {
          if (phase === 'counting') abort.abort();
        },
      },
    );
    assert.equal(result.windows.length, 2);
  });
});

function fail(): never {
  throw new Error('no such job');
}
