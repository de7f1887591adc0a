import { isJobStatus } from '../../../jobs/common/job.ts';
import type { ListParams } from '../../../jobs/common/listParams.ts';
import { toJsonNumber, type JsonValue } from '../../../base/json/json.ts';
import type { FacetCondition } from './boardView.ts';
import { handledKey } from './boardColumns.ts';
import { type JobColumns } from './jobColumns.ts';
import { isShortened } from './shortenValue.ts';

/** True if contract 4.5 has a filter for this kind of condition: statuses and custom metadata. */
export function isSupported({ key, value, isExcluded }: FacetCondition): boolean {
  if (isExcluded || value === undefined) return false;
  if (key === 'status') return isJobStatus(value);
  // A nested key looks the same as a key with a dot, and a truncated value is a different value.
  return /^custom_metadata\.[^.]+$/u.test(key) && !isShortened(value);
}

/** True if {@link isSupported} holds and the JSON form of the value is known. */
export function isSupportedIn(columns: JobColumns, condition: FacetCondition): boolean {
  const { key, value } = condition;
  return (
    isSupported(condition) && value !== undefined && (key === 'status' || jsonOf(columns, key, value) !== undefined)
  );
}

/**
 * Returns the conditions that contract 4.5 has a filter for. Several values of one field are alternatives: all of them are queried or none.
 * At most one metadata condition is queried.
 */
function supportedOf(columns: JobColumns, conditions: readonly FacetCondition[]): readonly FacetCondition[] {
  return conditions.filter((each) => {
    const beside = conditions.filter(({ key, isExcluded }) => key === each.key && !isExcluded);
    const isTogether =
      each.key === 'status' ? beside.every((other) => isSupportedIn(columns, other)) : beside.length === 1;
    return isTogether && isSupportedIn(columns, each);
  });
}

/** Returns the conditions the service cannot filter by: its results may include jobs that do not meet them. */
export function unsupportedOf(columns: JobColumns, conditions: readonly FacetCondition[]): readonly FacetCondition[] {
  const supported = supportedOf(columns, conditions);
  return conditions.filter((each) => {
    const ofField = supported.filter(({ key }) => key === each.key);
    // A query for one value of a field excludes all others.
    const isImplied = each.isExcluded && ofField.length > 0 && ofField.every(({ value }) => value !== each.value);
    return !isImplied && !supported.includes(each);
  });
}

/** Returns the parameters of contract 4.5 for the supported conditions. */
export function paramsOfConditions(
  columns: JobColumns,
  conditions: readonly FacetCondition[],
): Pick<ListParams, 'statuses' | 'customMetadata'> {
  const supported = supportedOf(columns, conditions);
  const statuses = supported.flatMap(({ key, value }) => (key === 'status' && isJobStatus(value) ? [value] : []));
  const metadata = supported.flatMap(({ key, value }) => {
    const json = key === 'status' || value === undefined ? undefined : jsonOf(columns, key, value);
    return json === undefined ? [] : [[key.slice('custom_metadata.'.length), json] as const];
  });
  return {
    ...(statuses.length > 0 && { statuses }),
    ...(metadata.length > 0 && { customMetadata: Object.fromEntries(metadata) }),
  };
}

/** Returns the JSON form of a value; undefined if it is ambiguous, because some jobs have `1` and others `"1"`. */
function jsonOf(columns: JobColumns, key: string, value: string): JsonValue | undefined {
  switch (columns.column(key)?.formOf(value)) {
    case 'text':
      return value;
    case 'plain':
      return value === 'true' || value === 'false' ? value === 'true' : toJsonNumber(value);
    case 'list':
    case undefined:
      return undefined;
  }
}

/** True if a condition selects exactly the failures. */
export function isOfAllFailures({ key, value, isExcluded }: FacetCondition): boolean {
  return key === 'status' && value === 'error' && !isExcluded;
}

/** True if only failures meet a condition. */
export function selectsFailures(condition: FacetCondition): boolean {
  const { key, value, isExcluded } = condition;
  return isOfAllFailures(condition) || (key === 'error_code' && value !== undefined && !isExcluded);
}

/** True if a condition is about the outcome of a job. */
export function isOutcome({ key }: Pick<FacetCondition, 'key'>): boolean {
  return key === 'status' || key === 'error_code' || key === handledKey;
}
