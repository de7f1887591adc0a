import assert from 'node:assert/strict';
import { measureSlowness } from './hostileGuard.ts';

/** Max time that external data may block the editor, in milliseconds: a guarantee of the product. */
export const maxBlockMs = 200;

/** Garbage collection may slow down any attempt, but not each one. */
const attempts = 3;

/** Work at once, or in steps between which the event loop continues. */
type Work = () => unknown;

/** Measures the CPU time of the longest step: other work on the machine does not count. */
function measureMs(work: Work, maxMs: number): number {
  let leastMs = Infinity;
  for (let attempt = 0; attempt < attempts && leastMs > maxMs; attempt++)
    leastMs = Math.min(leastMs, longestStepMs(work));
  return leastMs;
}

function longestStepMs(work: Work): number {
  let longestMs = 0;
  const timed = <T>(step: () => T): T => {
    const before = process.threadCpuUsage();
    const result = step();
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    return result;
  };
  const made = timed(work);
  if (isSteps(made)) while (!timed(() => isOverSoon(made)));
  return longestMs;
}

/** Runs several short steps at once, because measuring each would take longer. */
function isOverSoon(steps: Generator): boolean {
  const endMs = performance.now() + 1;
  do if (steps.next().done === true) return true;
  while (performance.now() < endMs);
  return false;
}

function isSteps(value: unknown): value is Generator {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value;
}

/** Asserts that no step of any work takes longer than a limit, multiplied by how much slower this machine is now. */
export function assertQuick(readers: Readonly<Record<string, Work>>, maxMs: number): void {
  const slow = Object.entries(readers)
    .map(([name, work]) => ({ name, ms: measureMs(work, maxMs) }))
    .filter(({ ms }) => ms > maxMs && ms > maxMs * measureSlowness());
  assert.deepEqual(slow, []);
}

/** Joins numbered parts, as many as fit into a number of characters. */
export function joinParts(part: (index: number) => string, length: number): string {
  const parts: string[] = [];
  for (let index = 0, left = length; left > 0; index++) {
    const next = part(index);
    parts.push(next);
    left -= next.length + 1;
  }
  return parts.join(',');
}

/** Nests brackets to a depth. */
export function nested(open: string, close: string, depth: number): string {
  return open.repeat(depth) + '1' + close.repeat(depth);
}
