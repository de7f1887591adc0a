import type { Job } from '../../../src/jobs/common/job.ts';

/** Returns a finished live job with only an id, for tests in which the decoding of items does not matter. */
export function bareJob(changes: Partial<Job> = {}): Job {
  const { id = 'a' } = changes;
  return {
    type: 'job',
    id,
    kind: 'live',
    status: 'done',
    createdAtMs: undefined,
    completedAtMs: undefined,
    errorCode: undefined,
    raw: JSON.stringify({ id }),
    ...changes,
  };
}
