import { binaryEntropy } from '../binaryEntropy.ts';
import type { JobColumns } from './jobColumns.ts';
import { isShared, type ValueColumn } from './valueColumn.ts';

/** Facets that every board has as soon as some job tells them. */
const usualKeys = [
  'status',
  'kind',
  'error_code',
  'request_params.model',
  'request_params.language_config.languages',
] as const;
/** Further keys of metadata. */
const mostMetadata = 5;
/** More values than this make a list nobody reads. */
const mostUsefulValues = 2000;

/** The fields to narrow by: the usual ones, then the metadata keys that split the jobs best. */
export function chooseFacets(columns: JobColumns): readonly string[] {
  const usual = usualKeys.filter((key) => hasValues(columns.column(key)));
  const failed = markFailed(columns);
  const metadata = columns.values
    .filter(({ key }) => key.startsWith('custom_metadata.') || key.startsWith('post_session_metadata.'))
    .map((column) => ({ key: column.key, score: splitScore(column, failed) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
    .slice(0, mostMetadata);
  return [...usual, ...metadata.map(({ key }) => key)];
}

/** By row, 1 for a job that failed. */
function markFailed(columns: JobColumns): Uint8Array {
  const status = columns.column('status');
  const code = status?.codeOf('error');
  const failed = new Uint8Array(columns.size);
  if (status === undefined || code === undefined) return failed;
  for (let row = 0; row < failed.length; row++) failed[row] = status.code(row) === code ? 1 : 0;
  return failed;
}

function hasValues(column: ValueColumn | undefined): boolean {
  return column?.isCoded === true && column.values.length > 1;
}

/**
 * How well a key splits the jobs: the information that its value holds, at most that of eight equal parts, for the share of jobs that have
 * it, and twice what it tells of whether a job failed. Zero for a key with a single value, or one that is nearly a name: most of its jobs
 * share their value with hardly any other.
 */
function splitScore(column: ValueColumn, failed: Uint8Array): number {
  const size = failed.length;
  const width = column.values.length;
  if (!column.isCoded || width < 3 || width > mostUsefulValues) return 0;
  const codes = new Uint16Array(size);
  column.copyCodes(codes);
  const counts = new Uint32Array(width);
  const failures = new Uint32Array(width);
  for (let row = 0; row < size; row++) {
    const code = codes[row] ?? 0;
    counts[code] = (counts[code] ?? 0) + 1;
    if (failed[row] === 1) failures[code] = (failures[code] ?? 0) + 1;
  }
  const present = size - (counts[0] ?? 0);
  const sharing = counts.subarray(1).reduce((sum, count) => sum + (isShared(count, present) ? count : 0), 0);
  if (sharing * 2 <= present) return 0;
  let entropy = 0;
  for (const count of counts.subarray(1)) {
    if (count > 0) entropy -= (count / present) * Math.log2(count / present);
  }
  const allFailures = failures.reduce((sum, each) => sum + each, 0);
  let remaining = 0;
  for (let code = 0; code < width; code++) {
    const count = counts[code] ?? 0;
    if (count > 0) remaining += (count / size) * binaryEntropy((failures[code] ?? 0) / count);
  }
  const gain = Math.max(0, binaryEntropy(allFailures / size) - remaining);
  return (Math.min(entropy, 3) / 3) * (present / size) + 2 * gain;
}
