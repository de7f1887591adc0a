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

/** What stands around it: the stretch is in front, in the middle, or at the end. */
const contexts = [
  ['', 'x'],
  ['1', 'x'],
  ['x', ''],
] as const;

/**
 * Asserts that work on a text of 80,000 characters takes about four times as long as on one of 20,000, whichever hostile text it is: long
 * stretches of blanks, digits, quotes or separators, and mixtures of them.
 */
export function assertLinear(work: (text: string) => unknown): void {
  for (const unit of units) {
    for (const [before, after] of contexts) {
      const make = (length: number): string => before + unit.repeat(length / unit.length) + after;
      assertGrowth(
        `${JSON.stringify(before)} + ${JSON.stringify(unit)} repeated + ${JSON.stringify(after)}`,
        work,
        make,
      );
    }
  }
}

function assertGrowth(name: string, work: (text: string) => unknown, make: (length: number) => string): void {
  const [short, long] = [make(shortLength), make(factor * shortLength)];
  let shortMs = Infinity;
  let longMs = Infinity;
  for (let attempt = 0; attempt < attempts; attempt++) {
    shortMs = Math.min(shortMs, measureMs(work, short));
    longMs = Math.min(longMs, measureMs(work, long));
    if (longMs <= Math.max(noiseMs, maxRatio * shortMs)) return;
  }
  assert.fail(`${name}: ${Math.round(shortMs)} ms, and ${Math.round(longMs)} ms for ${factor} times the text`);
}

/** Time on the processor: other work on the machine does not count. */
function measureMs(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
