import { Failure } from '../domain/failure.ts';
import { filterParams, type JobFilter } from '../domain/filter/jobFilter.ts';
import { isAskable, type ListKey } from '../domain/jobs/listKey.ts';
import type { ListQuestion } from './jobPager.ts';

/**
 * The question that a list asks now: endpoint, status and the user's filter (contract 4.5).
 * @param nowMs milliseconds since the epoch, from which days and spans of the filter are counted
 * @throws Failure for a list made of observations
 */
export function listQuestion(
  key: ListKey,
  filter: JobFilter,
  listSource: 'byKind' | 'combined',
  nowMs: number,
): ListQuestion {
  if (!isAskable(key)) throw new Failure('notFound', { cause: 'jobs of this kind or status cannot be asked for' });
  const combined = listSource === 'combined';
  const statuses = key.status === undefined ? filter.statuses : [key.status];
  return {
    endpoint: combined ? 'combined' : key.kind,
    params: {
      ...filterParams(filter, nowMs),
      ...(statuses.length === 0 ? {} : { statuses }),
      ...(combined ? { kinds: [key.kind] } : {}),
    },
  };
}
