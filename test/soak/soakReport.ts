import type { HostState } from './probe/hostState.ts';

/** What one window did, and what its extension host held from minute to minute. */
export interface WindowReport {
  readonly name: string;
  /** How often each action was done. */
  readonly done: Map<string, number>;
  /** Actions that did not get to their end, and why. */
  readonly missed: string[];
  readonly samples: { readonly minute: number; readonly state: HostState }[];
}

const mebibyte = 2 ** 20;

/** The windows' part of the report. */
export function windowLines({ name, done, missed, samples }: WindowReport): readonly string[] {
  const heap = samples.map(({ minute, state }) => `${minute.toFixed(1)} min ${megabytes(state.heapBytes)}`);
  return [
    `${name}: ${countLine(done)}; ${missed.length} missed`,
    ...missed.map((miss) => `  missed: ${miss}`),
    `${name}, heap after collection: ${heap.join(', ')}`,
  ];
}

/** What a host held at two moments, side by side. */
export function stateLine(before: HostState, after: HostState): string {
  const resources = [...new Set([...Object.keys(before.resources), ...Object.keys(after.resources)])]
    .sort()
    .map((name) => `${name} ${before.resources[name] ?? 0} → ${after.resources[name] ?? 0}`);
  return [
    `listeners ${before.listeners} → ${after.listeners}`,
    `timers of the product ${before.productTimers} → ${after.productTimers}`,
    `heap ${megabytes(before.heapBytes)} → ${megabytes(after.heapBytes)}`,
    `resident ${megabytes(before.residentBytes)} → ${megabytes(after.residentBytes)}`,
    ...resources,
  ].join(', ');
}

/** Counts in one line, the greatest first. */
export function countLine(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  return sorted.length === 0 ? 'none' : sorted.map(([name, count]) => `${name} ${count}`).join(', ');
}

function megabytes(bytes: number): string {
  return `${(bytes / mebibyte).toFixed(1)} MiB`;
}
