import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Job } from '../../../../src/jobs/common/job.ts';
import { knownJobs } from '../../../../src/jobs/common/knownJobs.ts';
import { listedJob } from '../../../support/builders/listedJob.ts';

const listed = listedJob({ id: 'listed', status: 'done' });
const store = { jobs: () => [listed], get: (_kind: string, id: string) => (id === 'listed' ? listed : undefined) };
const failed = (id: string): Job => listedJob({ id, status: 'error' });

test('jobs that only need attention follow those of the lists; a job of both is that of the lists, once', () => {
  const [one, waiting, partly] = ['failed', 'waiting', 'partly'].map(failed);
  assert.ok(one !== undefined && waiting !== undefined && partly !== undefined);
  const tree = {
    groups: [{ jobs: [failed('listed'), one] }],
    overdue: [one, waiting],
    partlyFailed: [partly, failed('listed')],
  };
  assert.deepEqual([...knownJobs(store, tree)], [listed, one, waiting, partly]);
  assert.deepEqual([...knownJobs(store, undefined)], [listed]);
});
