import { decodeJob } from '../../../src/domain/decodeJob.ts';
import type { Job, JobKind } from '../../../src/domain/job.ts';

/** The job that a list of `askedKind` gives for an item. */
export function jobFrom(item: unknown, askedKind?: JobKind, raw: string = JSON.stringify(item)): Job {
  const entry = decodeJob(item, raw, askedKind, () => undefined);
  if (entry.type !== 'job') throw new Error('the item is no job');
  return entry;
}
