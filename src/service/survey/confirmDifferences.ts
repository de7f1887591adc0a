import type { BoardModel } from '../../domain/board/boardModel.ts';
import type { BoardFinding } from '../../domain/board/boardProtocol.ts';
import { mostConfirming, type FindingQuestions } from '../../domain/board/findingQuestions.ts';
import type { Share } from '../../domain/board/incident.ts';
import type { ListParams, ListQuery } from '../../domain/jobs/listParams.ts';
import type { Clock } from '../clock.ts';
import { exactCount } from '../exactCount.ts';
import type { PageSource } from '../ports.ts';
import { countRequests, type CountedSource } from './survey.ts';

type Differences = BoardFinding['differences'];

/**
 * Counts what a sample has shown, in the time that it was shown for: the share of a group among the jobs with a value, and among all
 * others. A difference that the
 * counts do not bear out is left out; one that the service cannot be asked for, or does not answer reliably, stays as it was.
 * @throws Failure from the source; `cancelled` when the signal fires
 */
export async function confirmDifferences(
  source: PageSource,
  queries: readonly ListQuery[],
  differences: Differences,
  { base, group, paramsOf }: Omit<FindingQuestions, 'kinds'> & Pick<BoardModel, 'paramsOf'>,
  options: {
    readonly clock: Clock;
    readonly signal: AbortSignal;
    readonly onProgress: (counted: Pick<CountedSource, 'requests' | 'isSlowed'>) => void;
  },
): Promise<Differences> {
  const counted = countRequests(source);
  const count = async (further: ListParams): Promise<number | undefined> => {
    let sum = 0;
    for (const { endpoint, params } of queries) {
      const budget = mostConfirming - counted.requests;
      if (budget <= 0) return undefined;
      const customMetadata = { ...params.customMetadata, ...base.customMetadata, ...further.customMetadata };
      const asked = {
        ...params,
        ...base,
        ...further,
        ...(Object.keys(customMetadata).length > 0 && { customMetadata }),
      };
      const found = await exactCount(counted, { endpoint, params: asked }, { ...options, budget });
      options.onProgress(counted);
      if (found.type !== 'exact') return undefined;
      sum += found.count;
    }
    return sum;
  };
  const all = await share(count, {}, group);
  if (all === undefined) return differences;
  const confirmed: Differences[number][] = [];
  for (const each of differences) {
    const having = each.canFilter
      ? await share(count, paramsOf([{ key: each.key, value: each.value, isExcluded: false }]), group)
      : undefined;
    // What a sample has seen is there: a service that finds none of it does not answer the question.
    if (having === undefined || having.of === 0) {
      confirmed.push(each);
      continue;
    }
    const lacking = { hits: all.hits - having.hits, of: all.of - having.of };
    if (having.hits * lacking.of > lacking.hits * having.of) {
      confirmed.push({ ...each, having, lacking, basis: 'counted' });
    }
  }
  return confirmed;
}

async function share(
  count: (further: ListParams) => Promise<number | undefined>,
  further: ListParams,
  group: ListParams,
): Promise<Share | undefined> {
  const hits = await count({ ...further, ...group });
  if (hits === undefined) return undefined;
  const of = await count(further);
  return of === undefined ? undefined : { hits, of };
}
