import type { Job } from '../../../src/domain/jobs/job.ts';

/** A live job that is done, of which only the id is known: for tests that do not care how an item is read. */
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
