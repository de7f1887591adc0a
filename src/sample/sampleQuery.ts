import { Refusal } from './refusal.ts';
import type { SampleFilter } from './sampleFilter.ts';
import { type SampleKind, type SampleStatus, sampleKinds, sampleStatuses } from './sampleJob.ts';
import { SampleParameters } from './sampleParameters.ts';

const defaultLimit = 20;
/** A larger limit is lowered to this: the contract names no maximum, memory has one. */
const largestLimit = 10_000;
const dayMs = 86_400_000;

/** What a list request asks for (contract 4.5). */
export interface SampleQuery {
  readonly filter: SampleFilter;
  /** The statuses as they were asked for; empty when none was. */
  readonly statuses: readonly SampleStatus[];
  readonly offset: number;
  readonly limit: number;
}

/**
 * The query of a list request. `onlyKind` is what a kind-specific endpoint lists; without it the query may name the
 * kinds. A date is a day of UTC.
 * @throws Refusal with a sentence for each parameter that is not understood.
 */
export function sampleQuery(search: string, onlyKind: SampleKind | undefined): SampleQuery {
  const parameters = new SampleParameters(search);
  const offset = parameters.whole('offset', 0, 0);
  const limit = Math.min(parameters.whole('limit', 1, defaultLimit), largestLimit);
  const day = parameters.instant('date');
  const before = parameters.instant('before_date') ?? Infinity;
  const after = parameters.instant('after_date') ?? -Infinity;
  const statuses = parameters.choices('status', sampleStatuses);
  const kinds = onlyKind === undefined ? parameters.choices('kind', sampleKinds) : [onlyKind];
  const metadata = parameters.objects('custom_metadata').filter((each) => Object.keys(each).length > 0);
  if (parameters.problems.length > 0) throw new Refusal(400, 'Invalid parameters', parameters.problems);

  const dayStart = day === undefined ? undefined : Math.floor(day / dayMs) * dayMs;
  const filter: SampleFilter = {
    kinds: kinds.length > 0 ? kinds : sampleKinds,
    statuses: statuses.length > 0 ? statuses : sampleStatuses,
    createdFrom: Math.max(after + 1, dayStart ?? -Infinity),
    createdBefore: Math.min(before, dayStart === undefined ? Infinity : dayStart + dayMs),
    metadata,
  };
  return { filter, statuses, offset, limit };
}
