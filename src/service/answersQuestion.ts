import { isJobKind, jobKinds, type ListEntry } from '../domain/jobs/job.ts';
import { contradiction } from '../domain/filter/jobFilter.ts';
import type { ListQuestion } from './jobPager.ts';

/** Whether an entry can be an answer to a question: of a kind that was asked for, or one we do not know, and within the filter. */
export function answersQuestion(entry: ListEntry, { endpoint, params }: ListQuestion): boolean {
  if (entry.type !== 'job') return true;
  const kinds: readonly string[] = endpoint === 'combined' ? (params.kinds ?? jobKinds) : [endpoint];
  if (isJobKind(entry.kind) && !kinds.includes(entry.kind)) return false;
  return contradiction(entry, params) === undefined;
}
