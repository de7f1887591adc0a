import assert from 'node:assert/strict';

/** Characters of the shorter texts, and how much longer the longer ones are. */
const shortLength = 20_000;
const factor = 4;

/** Four times the time, and as much again for noise; quadratic work takes 16 times as long. */
const maxRatio = 2 * factor;

/** Below this, collecting garbage may cost more than the work, in milliseconds. */
const noiseMs = 40;

/** Garbage may be collected at any time, but not each time. */
const attempts = 3;

/** What is repeated: each a way to match one stretch by two parts of a pattern. */
const units = [' ', '\t', '\u00a0', '\n', '1', '"', "'", ',', '.', '/', 'a', '1 ', ', ', ' "', 'a.', '\\'] as const;

/** Where the stretch is: in front, in the middle, at the end, or behind a stretch of another kind. */
const shapes: readonly ((unit: string, length: number) => string)[] = [
  (unit, length) => `${repeat(unit, length)}x`,
  (unit, length) => `1${repeat(unit, length)}x`,
  (unit, length) => `x${repeat(unit, length)}`,
  (unit, length) => repeat('a', length / 2) + repeat(unit, length / 2),
];

/**
 * Asserts that work on a text of 80,000 characters takes about four times as long as on one of 20,000, whichever hostile text it is: long
 * stretches of blanks, digits, quotes or separators, and mixtures of them.
 */
export function assertLinear(work: (text: string) => unknown): void {
  for (const unit of units) {
    for (const shape of shapes) assertGrowth(work, shape(unit, shortLength), shape(unit, factor * shortLength));
  }
}

/** Asserts the same of work that looks at the beginning of a text only: no hostile text takes much longer than as many words. */
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

/** Time on the processor: other work on the machine does not count. */
function measureMs(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
