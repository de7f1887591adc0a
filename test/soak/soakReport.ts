import type { HostState } from './probe/hostState.ts';

/** The actions of one window, and the state of its extension host at some minutes. */
export interface WindowReport {
  readonly name: string;
  /** Number of completed runs of each action. */
  readonly done: Map<string, number>;
  /** Actions that were not completed, with the reason. */
  readonly missed: string[];
  readonly samples: { readonly minute: number; readonly state: HostState }[];
}

const mebibyte = 2 ** 20;
/** Bytes that the editor retains for every rendered row, see {@link HostState.emptySets}; measured with the empty tree. */
export const bytesOfRow = 210;

/** Returns the minute from which heaps are compared; before it, code and caches are still loading. */
function settledMinutes(minutes: number): number {
  return Math.min(3, minutes / 3);
}

/** Number of heap measurements, so that a single odd sample does not decide. */
const measurements = 5;

/** Returns the minutes at which heaps are measured, from the settled one to the end. */
export function measureMinutes(minutes: number): readonly number[] {
  const first = settledMinutes(minutes);
  return Array.from({ length: measurements }, (_, place) => first + (place * (minutes - first)) / (measurements - 1));
}

/** Formats the windows' part of the report. */
export function windowLines({ name, done, missed, samples }: WindowReport): readonly string[] {
  const heap = samples.map(({ minute, state }) => `${minute.toFixed(1)} min ${megabytes(state.heapBytes)}`);
  return [
    `${name}: ${countLine(done)}; ${missed.length} missed`,
    ...missed.map((miss) => `  missed: ${miss}`),
    `${name}, heap after collection: ${heap.join(', ')}`,
  ];
}

/** Formats the states of a host at two moments, side by side. */
export function stateLine(before: HostState, after: HostState): string {
  const resources = [...new Set([...Object.keys(before.resources), ...Object.keys(after.resources)])]
    .sort()
    .map((name) => `${name} ${before.resources[name] ?? 0} → ${after.resources[name] ?? 0}`);
  return [
    `listeners ${before.listeners} → ${after.listeners}`,
    `timers of the product ${before.productTimers} → ${after.productTimers}`,
    `empty sets ${before.emptySets} → ${after.emptySets}`,
    `heap ${megabytes(before.heapBytes)} → ${megabytes(after.heapBytes)}`,
    `compiled code ${megabytes(before.codeBytes)} → ${megabytes(after.codeBytes)}`,
    `resident ${megabytes(before.residentBytes)} → ${megabytes(after.residentBytes)}`,
    ...resources,
  ].join(', ');
}

/** Formats counts in one line, largest first. */
export function countLine(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.length === 0 ? 'none' : sorted.map(([name, count]) => `${name} ${count}`).join(', ');
}

function megabytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`;
}
