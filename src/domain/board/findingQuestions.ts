import type { FilterTime } from '../filter/jobFilter.ts';
import { isJobKind, isJobStatus, type JobKind, type JobStatus } from '../jobs/job.ts';
import type { ListParams } from '../jobs/listParams.ts';
import type { JsonValue } from '../json/json.ts';
import type { BoardFinding } from './boardProtocol.ts';
import { withCondition, type BoardConditions, type FacetCondition, type TimeRange } from './boardView.ts';
import { isShortened, type JobColumns } from './jobColumns.ts';

const finalStatuses = ['done', 'error'] as const satisfies readonly JobStatus[];

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
  readonly columns: JobColumns;
}

/** What counts a finding of a board under its conditions; undefined where a service cannot be asked for just these jobs. */
export function askOfFinding(
  { of, isOfEarlier, within }: FindingScope,
  { conditions, time, window, columns }: AskedBoard,
): FindingQuestions | undefined {
  const { facets, range } = conditions;
  const base = of === 'failures' ? facets.filter((each) => !isOutcome(each)) : facets;
  const others = facets.filter((each) => !base.includes(each));
  const kinds = base.flatMap(({ key, value, isExcluded }) =>
    key === 'kind' && !isExcluded && isJobKind(value) ? [value] : [],
  );
  const asked = base.filter((each) => canAskIn(columns, each));
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
      ...paramsOfConditions(columns, asked),
      ...(of === 'failures' && { statuses: finalStatuses }),
      ...(isOfEarlier && group !== undefined && { beforeDate: group.beforeDate }),
      ...whole,
    },
    group: { ...group, ...(of === 'failures' && { statuses: ['error'] }) },
  };
}

/** What narrows the jobs of a finding down: the conditions of the board then, and the error code that it is of. */
export function conditionsOfFinding({
  conditions,
  code,
}: Pick<BoardFinding, 'conditions' | 'code'>): readonly FacetCondition[] {
  return code === undefined
    ? conditions
    : withCondition(conditions, { key: 'error_code', value: code, isExcluded: false });
}

/** Whether contract 4.5 offers a filter for a condition: statuses and custom metadata, by what they are. */
export function canAsk({ key, value, isExcluded }: FacetCondition): boolean {
  if (isExcluded || value === undefined) return false;
  if (key === 'status') return isJobStatus(value);
  // A nested key cannot be told from a key with a dot, and a shortened value is another one.
  return /^custom_metadata\.[^.]+$/u.test(key) && !isShortened(value);
}

/** Whether {@link canAsk} holds, and the value is known as JSON. */
export function canAskIn(columns: JobColumns, condition: FacetCondition): boolean {
  const { key, value } = condition;
  return canAsk(condition) && value !== undefined && (key === 'status' || jsonOf(columns, key, value) !== undefined);
}

/**
 * Those of the conditions that contract 4.5 offers a filter for. Of several values of a field any one is enough: they are asked for all
 * together or not at all, and of metadata one is the most.
 */
function askedOf(columns: JobColumns, conditions: readonly FacetCondition[]): readonly FacetCondition[] {
  return conditions.filter((each) => {
    const beside = conditions.filter(({ key, isExcluded }) => key === each.key && !isExcluded);
    const isTogether = each.key === 'status' ? beside.every((other) => canAskIn(columns, other)) : beside.length === 1;
    return isTogether && canAskIn(columns, each);
  });
}

/** Those of the conditions that what a service can be asked for does not bear out: jobs come that do not meet them. */
export function unaskedOf(columns: JobColumns, conditions: readonly FacetCondition[]): readonly FacetCondition[] {
  const asked = askedOf(columns, conditions);
  return conditions.filter((each) => {
    const ofField = asked.filter(({ key }) => key === each.key);
    // Who asks for one value of a field has excluded all others.
    const isImplied = each.isExcluded && ofField.length > 0 && ofField.every(({ value }) => value !== each.value);
    return !isImplied && !asked.includes(each);
  });
}

/** The parameters of contract 4.5 for those of the conditions that it offers a filter for. */
export function paramsOfConditions(
  columns: JobColumns,
  conditions: readonly FacetCondition[],
): Pick<ListParams, 'statuses' | 'customMetadata'> {
  const asked = askedOf(columns, conditions);
  const statuses = asked.flatMap(({ key, value }) => (key === 'status' && isJobStatus(value) ? [value] : []));
  const metadata = asked.flatMap(({ key, value }) => {
    const json = key === 'status' || value === undefined ? undefined : jsonOf(columns, key, value);
    return json === undefined ? [] : [[key.slice('custom_metadata.'.length), json] as const];
  });
  return {
    ...(statuses.length > 0 && { statuses }),
    ...(metadata.length > 0 && { customMetadata: Object.fromEntries(metadata) }),
  };
}

/** What a value is in JSON; undefined where that is not one value, as some jobs have `1` and others `"1"`. */
function jsonOf(columns: JobColumns, key: string, value: string): JsonValue | undefined {
  switch (columns.column(key)?.formOf(value)) {
    case 'text':
      return value;
    case 'plain':
      return value === 'true' || value === 'false' ? value === 'true' : Number(value);
    case 'list':
    case undefined:
      return undefined;
  }
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
