import { decodeJob } from '../../../../../src/jobs/common/decodeJob.ts';
import type { Job, JobKind } from '../../../../../src/jobs/common/job.ts';

/** Decodes the job of an item in a list of `askedKind`. */
export function jobFrom(item: unknown, askedKind?: JobKind, raw: string = JSON.stringify(item)): Job {
  const entry = decodeJob(item, raw, askedKind, () => undefined);
  if (entry.type !== 'job') throw new Error('the item is no job');
  return entry;
}
