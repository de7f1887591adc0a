import { stripVTControlCharacters } from 'node:util';
import { clearFilter } from './actions/browseActions.ts';
import { pickAction, type ActionPlan } from './actions/actionPlan.ts';
import type { WindowReport } from './soakReport.ts';
import type { SoakWindow } from './soakWindow.ts';

const minuteMs = 60_000;
/** When a step fails, the last lines of the browser's call log tell why. */
const mostSteps = 3;

/**
 * Performs random actions in a window until the time is over. Once a minute the window rests and its host is measured.
 * @param settledMinutes the first measurement after this time takes a heap snapshot, as does the last, see
 * {@link SoakWindow.look}
 */
export async function soakLoop(
  window: SoakWindow,
  plan: ActionPlan,
  minutes: number,
  settledMinutes: number,
): Promise<WindowReport> {
  const report: WindowReport = { name: window.name, done: new Map(), missed: [], samples: [] };
  const startMs = performance.now();
  const minute = (): number => (performance.now() - startMs) / minuteMs;
  for (let next = 1; minute() < minutes;) {
    if (minute() >= next) {
      next = Math.floor(minute()) + 1;
      await rest(window);
      const isSettled = (report.samples.at(-1)?.minute ?? 0) < settledMinutes && minute() >= settledMinutes;
      report.samples.push({ minute: minute(), state: await window.look(isSettled ? 'settled' : undefined) });
    }
    const [name, action] = pickAction(plan, window.random);
    try {
      await action(window);
      report.done.set(name, (report.done.get(name) ?? 0) + 1);
    } catch (error) {
      report.missed.push(`${minute().toFixed(2)} min, ${name}: ${describeMiss(error)}`);
      await window.picture(report.missed.length);
      await window.escape();
    }
  }
  await rest(window);
  report.samples.push({ minute: minute(), state: await window.look('last') });
  return report;
}

/** Brings a window to a comparable state: no editor, no message, no filter. */
async function rest(window: SoakWindow): Promise<void> {
  await window.tidy();
  await clearFilter(window);
}

/** What was waited for, and what finally prevented it. */
function describeMiss(error: unknown): string {
  const lines = stripVTControlCharacters(String(error)).split('\n');
  const steps = lines.slice(1).map((line) => line.trim().replace(/^- /, ''));
  const told = steps.filter((line) => line !== '' && !/^(?:Call log:|waiting \d+ms|retrying )/.test(line));
  return [lines[0] ?? '', ...told.slice(0, 1), ...told.slice(1).slice(-mostSteps)].join(' · ');
}
