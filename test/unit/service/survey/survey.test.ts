import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import type { ListEndpoint, ListParams, ListQuery } from '../../../../src/domain/jobs/listParams.ts';
import { Failure } from '../../../../src/domain/failure.ts';
import { findContradiction } from '../../../../src/domain/filter/jobFilter.ts';
import type { ListPage } from '../../../../src/service/ports.ts';
import { surveyJobs, type SurveyOptions, type SurveyResult } from '../../../../src/service/survey/survey.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { jobOf, seededNumbers } from '../../domain/board/boardJobs.ts';
import { isWithinDates } from '../../../support/worlds/isWithinDates.ts';
import type { ListReader } from '../../../../src/service/list/listReader.ts';
import { fakeReader, FakeService } from '../../../support/lists/fakeLists.ts';

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

describe('A survey', () => {
  it('reads everything while that is cheap, each job once and as it was received', async () => {
    const source = new MadeList(2500);
    const result = await survey(source);
    assert.deepEqual(result.basis, { type: 'complete' });
    assert.equal(result.data.columns.size, 2500);
    assert.equal(result.requests, source.asked.length);
    assert.ok(result.requests <= 2500 / 99 + 12);
    const jobAt = madeJob(2500);
    for (const row of [0, 1000, 2499]) {
      const id = result.data.columns.column('id')?.value(row) ?? '';
      assert.equal(result.jobs[row]?.raw, jobAt(Number(id.slice(1))).raw);
    }
  });

  it('keeps what came when it is cancelled, and when a request fails', async () => {
    const abort = new AbortController();
    const cancelled = await survey(new MadeList(5000), {
      signal: abort.signal,
      onProgress: ({ jobs }) => {
        if (jobs > 1000) abort.abort();
      },
    });
    assert.ok(cancelled.data.columns.size > 1000);
    const source = new MadeList(5000);
    const failing = fakeReader((endpoint, params) =>
      (params.offset ?? 0) > 2000 && params.limit !== 1
        ? Promise.reject(new Failure('serverFailed'))
        : source.readPage(endpoint, params),
    );
    const failed = await survey(failing);
    assert.deepEqual(failed.basis, { type: 'partial', why: 'failed' });
    assert.ok(failed.data.columns.size > 1000 && failed.error instanceof Failure);
  });

  it('reads everything of a long list when it is asked to', async () => {
    const result = await survey(new MadeList(21_000), { mode: 'exact' });
    assert.deepEqual(result.basis, { type: 'complete' });
    assert.equal(result.data.columns.size, 21_000);
  });
});
