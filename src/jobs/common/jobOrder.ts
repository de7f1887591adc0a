import { t } from '@vscode/l10n';
import { attempt, Undecodable, word } from '../../base/decode/decoder.ts';
import { ageFormat, type Locale } from '../../base/format.ts';
import type { Job, ListEntry } from './job.ts';
import { processingMs } from './processingMs.ts';

/** Orders in which loaded jobs can be shown; `newest` is the order in which the service lists them. */
export const jobOrders = ['newest', 'longest', 'failed'] as const;
export type JobOrder = (typeof jobOrders)[number];

/** Reads a stored order; any other value means the service's order. */
export function readJobOrder(stored: unknown): JobOrder {
  const read = attempt(word(...jobOrders), stored);
  return read instanceof Undecodable ? 'newest' : read;
}

/** Describes an order. It applies to loaded jobs only, because list queries have no order (contract 4.5). */
export function describeJobOrder(order: JobOrder): string {
  switch (order) {
    case 'newest':
      return t('In the order of the service');
    case 'longest':
      return t('Longest first, among loaded jobs');
    case 'failed':
      return t('Failed first, among loaded jobs');
  }
}

/**
 * Returns the positions of a list's entries in an order, each once. Entries that are equal in it keep the service's
 * order, and entries that cannot be compared, such as unreadable items, come last.
 * @param nowMs end time of unfinished jobs
 */
export function orderedPlaces(entries: readonly ListEntry[], order: JobOrder, nowMs: number): readonly number[] {
  const ranks = entries.map((entry) => rankOf(entry, order, nowMs));
  return [...entries.keys()].sort((one, other) => (ranks[other] ?? 0) - (ranks[one] ?? 0) || one - other);
}

/** Returns the lists of a kind in an order. With failed jobs first, the group that contains them comes first. */
export function orderLists<L extends { readonly key: { readonly status: string | undefined } }>(
  lists: readonly L[],
  order: JobOrder,
): readonly L[] {
  // A list of all statuses comes before the groups of the jobs that it did not return.
  if (order !== 'failed' || lists[0]?.key.status === undefined) return lists;
  return lists.toSorted((one, other) => Number(other.key.status === 'error') - Number(one.key.status === 'error'));
}

/**
 * Returns the duration of a job in its two largest units, for narrow rows: "38m 20s". The duration of an unfinished job
 * is its age.
 */
export function describeLength(job: Job, { language }: Locale): string | undefined {
  const tookMs = processingMs(job);
  if (tookMs === undefined) return undefined;
  const seconds = Math.round(tookMs / 1000);
  const units = [
    ['hour', Math.floor(seconds / 3600)],
    ['minute', Math.floor(seconds / 60) % 60],
    ['second', seconds % 60],
  ] as const;
  const first = units.findIndex(([unit, amount]) => amount > 0 || unit === 'second');
  return units
    .slice(first, first + 2)
    .map(([unit, amount]) => ageFormat(language, unit).format(amount))
    .join(' ');
}

/** The highest rank comes first. */
function rankOf(entry: ListEntry, order: JobOrder, nowMs: number): number {
  if (entry.type !== 'job') return -1;
  if (order === 'failed') return Number(entry.status === 'error');
  const { status, createdAtMs, completedAtMs } = entry;
  const isFinished = status === 'done' || status === 'error';
  const endMs = completedAtMs ?? (isFinished ? undefined : nowMs);
  return order === 'newest' || createdAtMs === undefined || endMs === undefined ? 0 : Math.max(0, endMs - createdAtMs);
}
