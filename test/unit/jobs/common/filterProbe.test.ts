import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayMs } from '../../../../src/base/time.ts';
import { buildFilterQueries, judgeFilter, type FilterQuery } from '../../../../src/jobs/common/filterProbe.ts';
import type { Job } from '../../../../src/jobs/common/job.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';

const start = Date.UTC(2026, 10, 19, 12);

function job(id: string, changes: Partial<Job> = {}): Job {
  return bareJob({ id, status: 'done', createdAtMs: start, ...changes });
}

function only(queries: readonly FilterQuery[]): FilterQuery {
  const [first, ...others] = queries;
  assert(first !== undefined && others.length === 0);
  return first;
}

describe('A filter on a range of dates', () => {
  const seen = [0, 1, 2, 3].map((day) => job(`day-${day}`, { createdAtMs: start + day * dayMs }));
  const query = only(buildFilterQueries('range', seen));

  it('must return the jobs within the range, and may return jobs at its end', () => {
    assert.deepEqual(
      query.mustReturn.map((ids) => [...ids]),
      [['day-0', 'day-1']],
    );
    assert.deepEqual(
      seen.map((each) => query.allows(each)),
      [true, true, true, false],
    );
  });

  it('cannot be tested with jobs of a single instant', () => {
    assert.deepEqual(buildFilterQueries('range', [job('a'), job('b')]), []);
  });
});

describe('The verdict on a filter', () => {
  const done = job('done');
  const failed = job('failed', { status: 'error' });
  const queued = job('queued', { status: 'queued' });
  const [query] = buildFilterQueries('status', [done, failed, queued]);
  assert(query !== undefined);
  const verdict = (returned: readonly Job[], seen: readonly Job[]): string =>
    judgeFilter([{ question: query, returned }], seen);

  it('is "obeyed" if it selects and excludes', () => {
    assert.equal(verdict([done, failed], [done, failed, queued]), 'obeyed');
  });

  it('is "unclear" if there was no job to exclude, or none was expected', () => {
    assert.equal(verdict([done, failed], [done, failed]), 'unclear');
    const nothingDue = { ...query, mustReturn: [] };
    assert.equal(judgeFilter([{ question: nothingDue, returned: [] }], [queued]), 'unclear');
    assert.equal(judgeFilter([], [queued]), 'unclear');
  });

  it('is "ignored" or "misread" if the wrong jobs were returned', () => {
    assert.equal(verdict([done, failed, queued], [done, failed, queued]), 'ignored');
    assert.equal(verdict([done], [done, failed, queued]), 'misread');
  });
});
