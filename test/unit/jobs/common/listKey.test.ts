import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isFailure } from '../../../../src/base/failure.ts';
import { noFilter } from '../../../../src/jobs/common/jobFilter.ts';
import { jobKinds } from '../../../../src/jobs/common/job.ts';
import { listId, listKeysOf, toListQueries, toListQuery } from '../../../../src/jobs/common/listKey.ts';

const failedOrDone = { ...noFilter, statuses: ['error', 'done'] } as const;

test('a list is queried at the endpoint of its kind, or by kind at the combined endpoint', () => {
  for (const kind of jobKinds) {
    const key = { kind, status: 'done' };
    assert.deepEqual(toListQuery(key, noFilter, 'byKind', 0), { endpoint: kind, params: { statuses: ['done'] } });
    assert.deepEqual(toListQuery(key, noFilter, 'combined', 0), {
      endpoint: 'combined',
      params: { statuses: ['done'], kinds: [kind] },
    });
  }
});

test('jobs of both kinds are one list only if the connection reads them together', () => {
  const key = { kind: undefined, status: undefined };
  const both = { endpoint: 'combined', params: { kinds: jobKinds } };
  assert.deepEqual(toListQuery(key, noFilter, 'combined', 0), both);
  assert.deepEqual(toListQueries(noFilter, 'combined', 0), [both]);
  assert.deepEqual(
    toListQueries(noFilter, 'byKind', 0).map(({ endpoint }) => endpoint),
    jobKinds,
  );
  assert.throws(() => toListQuery(key, noFilter, 'byKind', 0));
});

test('a list of all statuses requests those of the filter, or sends no status', () => {
  const key = { kind: 'live', status: undefined };
  assert.deepEqual(toListQuery(key, noFilter, 'byKind', 0).params, {});
  assert.deepEqual(toListQuery(key, failedOrDone, 'byKind', 0).params, { statuses: ['error', 'done'] });
});

test('a kind has a list for each status of the filter in the order of a job, each with a unique ID', () => {
  const statuses = (groupBy: 'status' | 'none', filter: typeof failedOrDone | typeof noFilter) =>
    listKeysOf('live', groupBy, filter).map(({ status }) => status);
  assert.deepEqual(statuses('status', noFilter), ['queued', 'processing', 'done', 'error']);
  assert.deepEqual(statuses('status', failedOrDone), ['done', 'error']);
  assert.deepEqual(statuses('none', failedOrDone), [undefined]);
  const keys = [...jobKinds, undefined].flatMap((kind) => [
    ...listKeysOf(kind, 'status', noFilter),
    { kind, status: undefined },
  ]);
  assert.equal(new Set(keys.map(listId)).size, keys.length);
});

test('a kind or status that only occurs in responses is not requested', () => {
  for (const key of [
    { kind: 'dubbing', status: 'done' },
    { kind: 'live', status: 'archived' },
  ]) {
    assert.throws(
      () => toListQuery(key, noFilter, 'byKind', 0),
      (error) => isFailure(error) && error.code === 'notFound',
    );
  }
});
