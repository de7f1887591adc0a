import { clearFilter } from './actions/browseActions.ts';
import { pickAction, type ActionPlan } from './actions/actionPlan.ts';
import type { WindowReport } from './soakReport.ts';
import type { SoakWindow } from './soakWindow.ts';

const minuteMs = 60_000;

/** Acts at random in a window until the time is over; once a minute it comes to rest and its host is looked at. */
export async function soakLoop(window: SoakWindow, plan: ActionPlan, minutes: number): Promise<WindowReport> {
  const report: WindowReport = { name: window.name, done: new Map(), missed: [], samples: [] };
  const startMs = performance.now();
  const minute = (): number => (performance.now() - startMs) / minuteMs;
  for (let next = 1; minute() < minutes;) {
    if (minute() >= next) {
      next = Math.floor(minute()) + 1;
      await rest(window);
      report.samples.push({ minute: minute(), state: await window.probe.state() });
    }
    const [name, action] = pickAction(plan, window.random);
    try {
      await action(window);
      report.done.set(name, (report.done.get(name) ?? 0) + 1);
    } catch (error) {
      report.missed.push(`${minute().toFixed(2)} min, ${name}: ${firstLine(error)}`);
      await window.escape();
    }
  }
  await rest(window);
  report.samples.push({ minute: minute(), state: await window.probe.state() });
  return report;
}

/** Brings a window to a state that can be compared with others of its kind: nothing open, no message, no filter. */
async function rest(window: SoakWindow): Promise<void> {
  await window.tidy();
  await clearFilter(window);
}

function firstLine(error: unknown): string {
  return String(error).split('\n', 1)[0] ?? '';
}
