import { decodeJob } from '../../../src/jobs/common/decodeJob.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { preRecordedItem } from './jobItem.ts';

/** Returns a job decoded from a list item with these changes. A live job by default. */
export function listedJob(changes: JsonObject = {}): Job {
  const item = preRecordedItem({ kind: 'live', ...changes });
  const entry = decodeJob(item, JSON.stringify(item), 'live', () => undefined);
  if (entry.type !== 'job') throw new Error('the changes leave no job');
  return entry;
}
