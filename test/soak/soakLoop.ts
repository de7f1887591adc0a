import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { clearFilter } from './actions/browseActions.ts';
import { pickAction, type ActionPlan } from './actions/actionPlan.ts';
import type { HostState } from './probe/hostState.ts';
import { measureMinutes, type WindowReport } from './soakReport.ts';
import type { SoakWindow } from './soakWindow.ts';

const minuteMs = 60_000;
/** Max number of log lines in a report: when a step fails, the last lines of the browser's call log show why. */
const maxSteps = 3;
/** Number of heap readings, the smallest of which counts: temporary objects are not retained. */
const readings = 3;
const readEveryMs = 1_000;

/** Runs `measure` while all windows contain only permanent content. */
export type WhileAtRest = (measure: () => Promise<void>) => Promise<void>;

/**
 * Performs random actions in all windows for some minutes. At some of them the windows rest, and their hosts are measured; the first and
 * the last time with a heap snapshot, see {@link SoakWindow.look}.
 */
export async function soakLoop(
  windows: readonly SoakWindow[],
  plan: ActionPlan,
  minutes: number,
  whileAtRest: WhileAtRest,
): Promise<readonly WindowReport[]> {
  const working = windows.map((window) => ({ window, report: emptyReport(window.name) }));
  const startMs = performance.now();
  let restedMs = 0;
  // Rests do not count, so that the same amount of work is done between any two of them, however slow the machine is.
  const minute = (): number => (performance.now() - startMs - restedMs) / minuteMs;
  const moments = measureMinutes(minutes);
  for (const [place, until] of moments.entries()) {
    await Promise.all(working.map(({ window, report }) => work(window, plan, report, minute, until)));
    const worked = minute();
    const restStartMs = performance.now();
    await Promise.all(windows.map(rest));
    const snapshot = place === 0 ? 'settled' : place === moments.length - 1 ? 'last' : undefined;
    await whileAtRest(async () => {
      const states = await Promise.all(windows.map((window) => measure(window, snapshot)));
      for (const [index, state] of states.entries()) working[index]?.report.samples.push({ minute: worked, state });
    });
    restedMs += performance.now() - restStartMs;
  }
  return working.map(({ report }) => report);
}

function emptyReport(name: string): WindowReport {
  return { name, done: new Map(), missed: [], samples: [] };
}

async function work(
  window: SoakWindow,
  plan: ActionPlan,
  { done, missed }: WindowReport,
  minute: () => number,
  until: number,
): Promise<void> {
  while (minute() < until) {
    const [name, action] = pickAction(plan, window.random);
    try {
      await action(window);
      done.set(name, (done.get(name) ?? 0) + 1);
    } catch (error) {
      missed.push(`${minute().toFixed(2)} min, ${name}: ${describeMiss(error)}`);
      await window.picture(missed.length);
      await window.escape();
    }
  }
}

async function measure(window: SoakWindow, snapshot: string | undefined): Promise<HostState> {
  let min = await window.look(snapshot);
  for (let reading = 1; reading < readings; reading++) {
    await delay(readEveryMs);
    const state = await window.look();
    if (state.heapBytes < min.heapBytes) min = state;
  }
  return min;
}

/** Brings a window to a comparable state: no editor, no message, no filter. */
async function rest(window: SoakWindow): Promise<void> {
  await window.tidy();
  await clearFilter(window);
}

/** Describes the awaited state, and the final obstacle. */
function describeMiss(error: unknown): string {
  const lines = stripVTControlCharacters(String(error)).split('\n');
  const steps = lines.slice(1).map((line) => line.trim().replace(/^- /, ''));
  const shown = steps.filter((line) => line !== '' && !/^(?:Call log:|waiting \d+ms|retrying )/.test(line));
  return [lines[0] ?? '', ...shown.slice(0, 1), ...shown.slice(1).slice(-maxSteps)].join(' · ');
}
