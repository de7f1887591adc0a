import type { FilterTime } from '../filter/jobFilter.ts';
import { isJobKind, isJobStatus, type JobKind } from '../jobs/job.ts';
import type { ListParams } from '../jobs/listParams.ts';
import type { BoardFinding } from './boardProtocol.ts';
import type { BoardConditions, FacetCondition, TimeRange } from './boardView.ts';
import { isShortened } from './jobColumns.ts';

/** The most requests for confirming by counting what a sample has shown. */
export const mostConfirming = 400;

/** What a service can be asked to count a finding: the jobs that were compared, and with further conditions those of the group. */
export interface FindingQuestions {
  readonly kinds: readonly JobKind[];
  readonly base: ListParams;
  readonly group: ListParams;
}

/** What a finding is about. */
export interface FindingScope {
  readonly of: BoardFinding['of'];
  /** Whether a brushed range is compared with what came before it only. */
  readonly isOfEarlier: boolean;
  /** The time whose jobs its differences compare; undefined: that of all. */
  readonly within: TimeRange | undefined;
}

/** The board that a finding was made on. */
export interface AskedBoard {
  readonly conditions: BoardConditions;
  readonly time: FilterTime;
  /** The time that the filter stands for. */
  readonly window: TimeRange;
  /** Whether {@link canAsk} holds, and the value is known as JSON. */
  readonly canAsk: (condition: FacetCondition) => boolean;
  readonly paramsOf: (conditions: readonly FacetCondition[]) => ListParams;
}

/** What counts a finding of a board under its conditions; undefined where a service cannot be asked for just these jobs. */
export function askOfFinding(
  { of, isOfEarlier, within }: FindingScope,
  { conditions, time, window, canAsk: canAskHere, paramsOf }: AskedBoard,
): FindingQuestions | undefined {
  const { facets, range } = conditions;
  const base = of === 'failures' ? facets.filter((each) => !isOutcome(each)) : facets;
  const others = facets.filter((each) => !base.includes(each));
  const kinds = base.flatMap(({ key, value, isExcluded }) =>
    key === 'kind' && !isExcluded && isJobKind(value) ? [value] : [],
  );
  const asked = base.filter(canAskHere);
  const isAskable =
    // Several values of a field are alternatives.
    new Set(base.map(({ key }) => key)).size === base.length &&
    asked.length + kinds.length === base.length &&
    others.every(isOfAllFailures) &&
    // Contract 4.5 does not say what a day and a range are together.
    ((range === undefined && within === undefined) || time.type !== 'day');
  if (of === 'selection' || !isAskable) return undefined;
  const ofGroup = range === undefined ? within : overlap(range, within ?? range);
  const group = ofGroup && boundsOf(overlap(ofGroup, window));
  const ofAll = of === 'failures' ? ofGroup : within;
  const whole = ofAll && boundsOf(overlap(ofAll, window));
  return {
    kinds,
    base: {
      ...paramsOf(asked),
      ...(isOfEarlier && group !== undefined && { beforeDate: group.beforeDate }),
      ...whole,
    },
    group: { ...group, ...(of === 'failures' && { statuses: ['error'] }) },
  };
}

/** Whether contract 4.5 offers a filter for a condition: statuses and custom metadata, by what they are. */
export function canAsk({ key, value, isExcluded }: FacetCondition): boolean {
  if (isExcluded || value === undefined) return false;
  if (key === 'status') return isJobStatus(value);
  // A nested key cannot be told from a key with a dot, and a shortened value is another one.
  return /^custom_metadata\.[^.]+$/u.test(key) && !isShortened(value);
}

/** Whether a condition lets all failures pass. */
export function isOfAllFailures({ key, value, isExcluded }: FacetCondition): boolean {
  return key === 'status' && value === 'error' && !isExcluded;
}

/** Whether a condition is about how a job ended. */
export function isOutcome({ key }: Pick<FacetCondition, 'key'>): boolean {
  return key === 'status' || key === 'error_code';
}

function overlap(one: TimeRange, other: TimeRange): TimeRange {
  return { fromMs: Math.max(one.fromMs, other.fromMs), toMs: Math.min(one.toMs, other.toMs) };
}

/** A millisecond early, so that it does not matter whether bounds belong to a range: jobs are created at any time, or at full seconds. */
function boundsOf({ fromMs, toMs }: TimeRange) {
  const iso = (ms: number): string => new Date(ms - 1).toISOString();
  return { afterDate: iso(fromMs), beforeDate: iso(toMs) };
}
