import type { Job } from '../../../src/jobs/common/job.ts';
import type { ListParams } from '../../../src/jobs/common/listParams.ts';
import { listedJob } from '../builders/listedJob.ts';
import { fakeReader } from '../lists/fakeLists.ts';

/** Returns a constant list of `jobs` finished jobs, which records every request. */
export function countedSource(jobs: number, changes: Partial<Job> = {}) {
  const asked: ListParams[] = [];
  const source = fakeReader(async (_endpoint, params) => {
    asked.push(params);
    const { offset = 0, limit = 20 } = params;
    const matching = params.statuses?.includes('done') === false ? 0 : jobs;
    const length = Math.max(0, Math.min(limit, matching - offset));
    const entries = Array.from({ length }, (_, index) => ({
      ...listedJob({ id: `j${offset + index}`, status: 'done', kind: 'pre-recorded' }),
      ...changes,
    }));
    return { entries, hasMore: offset + length < matching, serviceDateMs: undefined, deviations: [] };
  });
  return { source, asked };
}
