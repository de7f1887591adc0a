import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { parseTree } from 'jsonc-parser';
import { isFailure } from '../../../src/base/failure.ts';
import { faultRun } from '../faults/faultRun.ts';
import { hostileAnswers } from './hostileAnswers.ts';
import { markedKey } from './keyForms.ts';
import { exposeGarbageCollection } from './exposeGarbageCollection.ts';

/** The effect of a hostile response on the client that requested it. */
export interface HostileEffect {
  readonly answer: string;
  readonly method: 'GET' | 'POST';
  /** The longest turn of the event loop, in milliseconds of this thread's CPU time, which excludes other load. */
  readonly longestTurnMs: number;
  /** The increase of the process's memory at its peak. */
  readonly grownBytes: number;
  readonly tookMs: number;
  /** `page`, the code of a failure, the type of an outcome, or an unexpected error. */
  readonly end: string;
  /** The number of jobs and unreadable items on the page. */
  readonly entries: number;
  /** Everything that may be shown or written: log lines, the failure's message and details, the id of a created job. */
  readonly shown: readonly string[];
  /** The lines of the log. */
  readonly lines: readonly string[];
}

/** Max duration of a turn, on the machine for which it is guaranteed: multiply it by {@link measureSlowness}. */
export const maxTurnMs = 200;

/** The requested page size. */
export const askedItems = 20;

/** Requests a hostile response as the product would, and measures the cost. Memory is accurate with `--expose-gc`. */
export async function sufferHostileAnswer(
  origin: string,
  index: number,
  method: 'GET' | 'POST',
  timeoutMs: number,
): Promise<HostileEffect> {
  const run = faultRun(`${origin}/${index}`, timeoutMs, markedKey);
  if (hostileAnswers[index]?.weight === 'heavy') globalThis.gc?.();
  const shown: string[] = [];
  let end = '';
  let entries = 0;
  const cost = await measured(async () => {
    if (method === 'GET') {
      try {
        const page = await run.api.listJobs('pre-recorded', { limit: askedItems });
        end = 'page';
        entries = page.entries.length;
        shown.push(...page.deviations.map(({ kind, path }) => `${kind} ${path}`));
      } catch (error) {
        end = isFailure(error) ? error.code : inspect(error);
        shown.push(inspect(error), JSON.stringify(isFailure(error) ? error.facts : {}));
      }
    } else {
      const outcome = await run.api.submit('{"audio_url":"https://audio.example/a.wav"}');
      end = outcome.type;
      shown.push(inspect(outcome), JSON.stringify('failure' in outcome ? outcome.failure.facts : outcome));
    }
  });
  run.client.dispose();
  const answer = hostileAnswers[index]?.name ?? '';
  return { answer, method, ...cost, end, entries, shown: [...run.lines, ...shown], lines: run.lines };
}

/** Runs a function, and measures the turns of the event loop and the process's memory meanwhile. */
export async function measured(
  work: () => Promise<void>,
): Promise<Pick<HostileEffect, 'longestTurnMs' | 'grownBytes' | 'tookMs'>> {
  const before = process.memoryUsage().rss;
  let peak = before;
  let longestTurnMs = 0;
  let turn: NodeJS.Immediate;
  let lastMs = threadMs();
  const watch = (): void => {
    const nowMs = threadMs();
    longestTurnMs = Math.max(longestTurnMs, nowMs - lastMs);
    peak = Math.max(peak, process.memoryUsage.rss());
    lastMs = threadMs();
    turn = setImmediate(watch);
  };
  turn = setImmediate(watch);
  const startMs = performance.now();
  let tookMs: number;
  try {
    await work();
    tookMs = performance.now() - startMs;
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    clearImmediate(turn);
  }
  return { longestTurnMs, grownBytes: peak - before, tookMs };
}

/** Garbage collection may slow down any attempt, but not each one. */
const attempts = 3;

/** Runs a function, and requires that no turn of the event loop is too long; retries after a long turn. */
export async function withoutBlocking(work: () => Promise<void>): Promise<void> {
  exposeGarbageCollection();
  const turns: number[] = [];
  while (turns.length < attempts) {
    // Garbage of earlier tests is not this function's.
    globalThis.gc?.();
    const { longestTurnMs } = await measured(work);
    if (longestTurnMs < maxTurnMs * measureSlowness()) return;
    turns.push(Math.round(longestTurnMs));
  }
  assert.fail(`turns of ${turns.join(', ')} ms`);
}

/** CPU time of this thread so far, in milliseconds. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** A task of others, and its CPU time on the machine for which limits are guaranteed, two cores at rest. */
interface ReferenceTask {
  readonly atRestMs: number;
  readonly makeText: () => string;
  readonly run: (text: string) => unknown;
}

/** Tasks that need as much memory as hostile texts do, in one large object and in many small ones: other work takes its cache, too. */
const referenceTasks: readonly ReferenceTask[] = [
  {
    atRestMs: 55,
    makeText: () => `{${Array.from({ length: 140_000 }, (_, index) => `"name ${index}":1`).join(',')}}`,
    run: (text): unknown => JSON.parse(text),
  },
  {
    atRestMs: 200,
    makeText: () => `[${'1,'.repeat(980_000)}1]`,
    run: (text) => parseTree(text),
  },
];

/** Returns how much more CPU time reference tasks take now than on the machine for which limits are guaranteed; at least 1. */
export function measureSlowness(): number {
  return Math.max(1, ...referenceTasks.map(({ atRestMs, makeText, run }) => leastMs(makeText(), run) / atRestMs));
}

function leastMs(text: string, run: (text: string) => unknown): number {
  const times = [1, 2, 3].map(() => {
    const startMs = threadMs();
    run(text);
    return threadMs() - startMs;
  });
  return Math.min(...times);
}
