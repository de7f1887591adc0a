import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { copyExampleWorkspace } from '../../support/start/exampleWorkspace.ts';
import { stateMs } from '../../support/until.ts';
import { packExtension } from '../../support/extensions/packExtension.ts';
import { soakLoop } from '../soakLoop.ts';
import type { HostState } from '../probe/hostState.ts';
import { bytesOfRow, stateLine, windowLines, type WindowReport } from '../soakReport.ts';
import { openSoakSession, type SoakSession } from '../soakSession.ts';
import { soakSettings } from '../soakSettings.ts';
import { emptyPlan } from './emptyPlan.ts';
import { drawnMessage, drawnRows, emptyTree } from './emptyTree.ts';

const settings = soakSettings(process.env);

// Measures what the editor itself retains, as the baseline for the product's soak test.
describe(`${settings.minutes} minutes with an empty tree in two windows, seed ${settings.seed}`, () => {
  let soaked: SoakSession;
  let reports: readonly WindowReport[] = [];
  const atStart = new Map<string, HostState>();

  before(async () => {
    const folder = copyExampleWorkspace();
    soaked = await openSoakSession(settings, { pack: (packed) => packExtension(packed, emptyTree) }, [
      { name: 'English window', language: 'en', stream: 'englishWindow', folder, service: undefined },
      { name: 'French window', language: 'fr', stream: 'frenchWindow', folder, service: undefined },
    ]);
    for (const window of soaked.windows) {
      await window.workbench.showView('Empty Tree');
      for (const [, , action] of emptyPlan) await action(window);
      await window.tidy();
      atStart.set(window.name, await window.lookAtRest('start'));
    }
  });
  after(async () => soaked.close());

  test('users work in both windows', async () => {
    reports = await soakLoop(soaked.windows, emptyPlan, settings.minutes, (measure) => measure());
    for (const report of reports) for (const line of windowLines(report)) console.log(line);
    for (const { done } of reports) assert.ok(done.size > 0, 'something was done');
  });

  test('listeners return to their initial number once everything is closed', async () => {
    for (const window of soaked.windows) {
      await window.tidy();
      const start = atStart.get(window.name);
      assert.ok(start !== undefined && start.listeners > 0, 'listeners were counted');
      const end = await window.look('end');
      console.log(`${window.name}, closed: ${stateLine(start, end)}`);
      assert.ok(end.listeners <= start.listeners, stateLine(start, end));
    }
  });

  test('the editor retains little for every rendered row, and no more than the assumed share', async () => {
    const [window] = soaked.windows;
    assert.ok(window !== undefined);
    const before = await window.look();
    await window.workbench.runCommand('Empty Tree: Draw Rows');
    await window.workbench.notifications.withText(drawnMessage).first().waitFor({ timeout: stateMs });
    await window.tidy();
    const after = await window.look();
    const bytes = (after.heapBytes - before.heapBytes) / drawnRows;
    const sets = (after.emptySets - before.emptySets) / drawnRows;
    console.log(`${drawnRows} rows drawn and gone: ${bytes.toFixed(0)} bytes and ${sets.toFixed(2)} empty sets a row`);
    assert.ok(sets > 0.9 && sets < 1.1, `${sets} empty sets a row`);
    assert.ok(bytes < 1.5 * bytesOfRow, `${bytes} bytes a row`);
  });
});
