import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { buildFilterQueries, judgeFilter, type FilterQuery } from '../../../../src/jobs/common/filterProbe.ts';
import type { Job } from '../../../../src/jobs/common/job.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';

const dayMs = 86_400_000;
const start = Date.UTC(2026, 10, 19, 12);

function job(id: string, changes: Partial<Job> = {}): Job {
  return bareJob({ id, status: 'done', createdAtMs: start, ...changes });
}

function only(queries: readonly FilterQuery[]): FilterQuery {
  const [first, ...others] = queries;
  assert(first !== undefined && others.length === 0);
  return first;
}

describe('A filter on the range of dates', () => {
  const seen = [0, 1, 2, 3].map((day) => job(`day-${day}`, { createdAtMs: start + day * dayMs }));
  const query = only(buildFilterQueries('range', seen));

  it('must return what lies within, and may return what lies at the end', () => {
    assert.deepEqual(
      query.mustReturn.map((ids) => [...ids]),
      [['day-0', 'day-1']],
    );
    assert.deepEqual(
      seen.map((each) => query.allows(each)),
      [true, true, true, false],
    );
  });

  it('cannot be tried on jobs of one moment', () => {
    assert.deepEqual(buildFilterQueries('range', [job('a'), job('b')]), []);
  });
});

describe('What answers say of a filter', () => {
  const done = job('done');
  const failed = job('failed', { status: 'error' });
  const queued = job('queued', { status: 'queued' });
  const [query] = buildFilterQueries('status', [done, failed, queued]);
  assert(query !== undefined);
  const verdict = (returned: readonly Job[], seen: readonly Job[]): string =>
    judgeFilter([{ question: query, returned }], seen);

  it('is that it works when it selects and excludes', () => {
    assert.equal(verdict([done, failed], [done, failed, queued]), 'obeyed');
  });

  it('is nothing when there was nothing to exclude, or nothing came', () => {
    assert.equal(verdict([done, failed], [done, failed]), 'unclear');
    const nothingDue = { ...query, mustReturn: [] };
    assert.equal(judgeFilter([{ question: nothingDue, returned: [] }], [queued]), 'unclear');
    assert.equal(judgeFilter([], [queued]), 'unclear');
  });

  it('is that it is ignored or misread when what came is wrong', () => {
    assert.equal(verdict([done, failed, queued], [done, failed, queued]), 'ignored');
    assert.equal(verdict([done], [done, failed, queued]), 'misread');
  });
});
