import { binaryEntropy } from '../../../base/binaryEntropy.ts';
import { countCodes, type BoardData } from './boardView.ts';
import { handledKey } from './boardColumns.ts';
import type { ValueColumn } from './jobColumns.ts';

/** Facets of every board for which some job has a value. */
const usualKeys = [
  'status',
  'kind',
  'error_code',
  handledKey,
  'request_params.model',
  'request_params.language_config.languages',
] as const;
/** Maximum number of further metadata keys. */
const maxMetadata = 5;
/** Maximum number of values in a readable list. */
const maxUsefulValues = 2000;

/** Returns the fields to narrow by: the usual ones, then the metadata keys that split the jobs best. */
export function chooseFacets(data: Pick<BoardData, 'columns' | 'size'>): readonly string[] {
  const steps = chooseFacetsInSteps(data);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/** As {@link chooseFacets}, in one step per column, because there may be hundreds. */
export function* chooseFacetsInSteps({
  columns,
  size,
}: Pick<BoardData, 'columns' | 'size'>): Generator<undefined, readonly string[]> {
  const usual = usualKeys.filter((key) => hasValues(columns.column(key)));
  const rows = Array.from({ length: size }, (_, row) => row);
  const status = columns.column('status');
  const failed = rows.filter((row) => status?.value(row) === 'error');
  const scored: { readonly key: string; readonly score: number }[] = [];
  for (const column of columns.values) {
    if (!column.key.startsWith('custom_metadata.') && !column.key.startsWith('post_session_metadata.')) continue;
    scored.push({ key: column.key, score: splitScore(column, rows, failed) });
    yield;
  }
  const metadata = scored
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .slice(0, maxMetadata);
  return [...usual, ...metadata.map(({ key }) => key)];
}

function hasValues(column: ValueColumn | undefined): boolean {
  return column?.isNearlyUnique === false && column.values.length > 1;
}

/**
 * Scores how well a key splits the jobs: the entropy of its values, at most that of eight equal parts, weighted by the share of jobs that
 * have the key, plus twice the information about failure. Zero for a key with a single value, or a nearly unique one, where most jobs share
 * their value with hardly any other.
 */
function splitScore(column: ValueColumn, rows: readonly number[], failed: readonly number[]): number {
  const distinct = column.values.length;
  if (column.isNearlyUnique || distinct < 3 || distinct > maxUsefulValues) return 0;
  const counts = countCodes(column, rows);
  const failures = countCodes(column, failed);
  const [missing = 0, ...ofValues] = counts;
  const present = rows.length - missing;
  const sharing = ofValues.reduce((sum, count) => sum + (isShared(count, present) ? count : 0), 0);
  if (sharing * 2 <= present) return 0;
  let entropy = 0;
  for (const count of ofValues) if (count > 0) entropy -= (count / present) * Math.log2(count / present);
  let remaining = 0;
  for (const [code, count] of counts.entries()) {
    if (count > 0) remaining += (count / rows.length) * binaryEntropy((failures[code] ?? 0) / count);
  }
  const gain = Math.max(0, binaryEntropy(failed.length / rows.length) - remaining);
  return (Math.min(entropy, 3) / 3) * (present / rows.length) + 2 * gain;
}

/** Number of jobs that is enough for a value to count as shared, regardless of the number of other jobs. */
const amplySharing = 5;

/** True if enough jobs share a value for it to distinguish them. A value of one job, such as its name, carries no information. */
function isShared(having: number, all: number): boolean {
  return having >= Math.max(2, Math.min(amplySharing, all / 10));
}
