import assert from 'node:assert/strict';

/** Number of characters of the shorter texts, and the factor to the longer ones. */
const shortLength = 20_000;
const factor = 4;

/** Four times the time, and a margin of the same size for noise; quadratic work takes 16 times as long. */
const maxRatio = 2 * factor;

/** Below this time, in milliseconds, garbage collection may cost more than the work. */
const noiseMs = 40;

/** Garbage collection may slow down any attempt, but not each one. */
const attempts = 3;

/** Repeated units: each could be matched by two adjacent parts of a pattern. */
const units = [' ', '\t', '\u00a0', '\n', '1', '"', "'", ',', '.', '/', 'a', '1 ', ', ', ' "', 'a.', '\\'] as const;

/** Position of the repeated units: at the start, in the middle, at the end, or after units of another kind. */
const shapes: readonly ((unit: string, length: number) => string)[] = [
  (unit, length) => `${repeat(unit, length)}x`,
  (unit, length) => `1${repeat(unit, length)}x`,
  (unit, length) => `x${repeat(unit, length)}`,
  (unit, length) => repeat('a', length / 2) + repeat(unit, length / 2),
];

/**
 * Asserts that work on a text of 80,000 characters takes about four times as long as on one of 20,000, for any hostile text: long runs of
 * blanks, digits, quotes or separators, and mixtures of them.
 */
export function assertLinear(work: (text: string) => unknown): void {
  for (const unit of units) {
    for (const shape of shapes) assertGrowth(work, shape(unit, shortLength), shape(unit, factor * shortLength));
  }
}

/** Asserts the same of work that reads only the beginning of a text: no hostile text takes much longer than words of the same length. */
export function assertSteady(work: (text: string) => unknown, length: number): void {
  for (const unit of units) {
    for (const shape of shapes) assertGrowth(work, repeat('word ', length), shape(unit, length));
  }
}

function assertGrowth(work: (text: string) => unknown, usual: string, hostile: string): void {
  let usualMs = Infinity;
  let hostileMs = Infinity;
  for (let attempt = 0; attempt < attempts; attempt++) {
    usualMs = Math.min(usualMs, measureMs(work, usual));
    hostileMs = Math.min(hostileMs, measureMs(work, hostile));
    if (hostileMs <= Math.max(noiseMs, maxRatio * usualMs)) return;
  }
  const ends = [hostile.slice(0, 5), hostile.slice(-5)].map((end) => JSON.stringify(end)).join(' … ');
  assert.fail(`${ends}: ${Math.round(hostileMs)} ms, and ${Math.round(usualMs)} ms for the text to compare with`);
}

function repeat(unit: string, length: number): string {
  return unit.repeat(length / unit.length);
}

/** Measures CPU time: other work on the machine does not count. */
function measureMs(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
