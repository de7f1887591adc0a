import { performance } from 'node:perf_hooks';
import { inspect } from 'node:util';
import { isFailure } from '../../../src/domain/failure.ts';
import { faultRun } from '../faults/faultRun.ts';
import { hostileAnswers } from './hostileAnswers.ts';
import { markedKey } from './keyForms.ts';

/** What a hostile answer did to the client that asked for it. */
export interface HostileEffect {
  readonly answer: string;
  readonly method: 'GET' | 'POST';
  /** The longest turn of the event loop, in milliseconds of this thread's own work: what else the machine does counts for nothing. */
  readonly longestTurnMs: number;
  /** How much more memory the process took than before, at its peak. */
  readonly grownBytes: number;
  readonly tookMs: number;
  /** `page`, the code of a failure, the type of an outcome, or what was thrown that is no failure. */
  readonly end: string;
  /** How many jobs and unreadable items the page has. */
  readonly entries: number;
  /** All that may be shown or written down: lines of the log, the failure's words and facts, the id of a job that was made. */
  readonly told: readonly string[];
  /** The lines of the log. */
  readonly lines: readonly string[];
}

/** How many items each page is asked for. */
export const askedItems = 20;

/** Asks for a hostile answer as the product would, and measures what it costs. Needs `--expose-gc` to measure memory well. */
export async function sufferHostileAnswer(
  origin: string,
  index: number,
  method: 'GET' | 'POST',
  timeoutMs: number,
): Promise<HostileEffect> {
  const run = faultRun(`${origin}/${index}`, timeoutMs, markedKey);
  if (hostileAnswers[index]?.weight === 'heavy') globalThis.gc?.();
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
  const told: string[] = [];
  let end: string;
  let entries = 0;
  if (method === 'GET') {
    try {
      const page = await run.api.listJobs('pre-recorded', { limit: askedItems });
      end = 'page';
      entries = page.entries.length;
      told.push(...page.deviations.map(({ kind, path }) => `${kind} ${path}`));
    } catch (error) {
      end = isFailure(error) ? error.code : inspect(error);
      told.push(inspect(error), JSON.stringify(isFailure(error) ? error.facts : {}));
    }
  } else {
    const outcome = await run.api.submit('{"audio_url":"https://audio.example/a.wav"}');
    end = outcome.type;
    told.push(inspect(outcome), JSON.stringify('failure' in outcome ? outcome.failure.facts : outcome));
  }
  const tookMs = performance.now() - startMs;
  await new Promise((resolve) => setImmediate(resolve));
  clearImmediate(turn);
  run.client.dispose();
  const answer = hostileAnswers[index]?.name ?? '';
  return {
    answer,
    method,
    longestTurnMs,
    grownBytes: peak - before,
    tookMs,
    end,
    entries,
    told: [...run.lines, ...told],
    lines: run.lines,
  };
}

/** What this thread has worked since it began, in milliseconds. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
