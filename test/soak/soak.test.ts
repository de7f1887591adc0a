import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { heapPaths } from '../support/heap/heapPaths.ts';
import { extensionHostLog, logChannel } from '../support/workbench/editorLogs.ts';
import { until } from '../support/until.ts';
import { actionPlan } from './actions/actionPlan.ts';
import { sendingThat } from './actions/submitAction.ts';
import { warmUp } from './actions/warmUp.ts';
import { boardProblems } from './checks/boardProblems.ts';
import { hostErrors, logFindings, pageErrors } from './checks/logFindings.ts';
import { shownProblems } from './checks/shownProblems.ts';
import { keptAnswers } from './answers.ts';
import { connect, disconnect } from './connection.ts';
import type { HostState } from './probe/hostState.ts';
import { soakLoop } from './soakLoop.ts';
import { heldGrowth } from './heldGrowth.ts';
import { countLine, stateLine, windowLines, type WindowReport } from './soakReport.ts';
import { keepConsole } from './soakWindow.ts';
import { soakScene, type SoakScene } from './soakScene.ts';
import { soakSettings } from './soakSettings.ts';

const asked = soakSettings(process.env);
const ownFolder = asked.snapshots === undefined ? mkdtempSync(join(tmpdir(), 'soak-')) : undefined;
const settings = { ...asked, snapshots: asked.snapshots ?? ownFolder };
/** Max growth in MiB per minute, without the parts of the editor and of V8. */
const maxGrowth = 0.05;
const mebibyte = 2 ** 20;
/** Max time for listeners and timers to disappear. */
const backMs = 60_000;
const backEveryMs = 2_000;
/** Max share of the actions that may be missed. More would make the soak test meaningless. */
const maxMissed = 0.1;

describe(`${settings.minutes} minutes in two windows, seed ${settings.seed}`, () => {
  let scene: SoakScene;
  let close = async (): Promise<void> => {};
  let reports: readonly WindowReport[] = [];
  const atStart = new Map<string, HostState>();
  let submitted = 0;
  const sending = sendingThat((requests) => (submitted += requests));

  before(async () => {
    scene = await soakScene(settings);
    ({ close } = scene);
    for (const window of scene.windows) {
      await warmUp(window, sending);
      await disconnect(window);
      atStart.set(window.name, await window.lookAtRest('start'));
      await connect(window);
    }
  });
  after(async () => {
    await close();
    if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true });
  });

  test('users work while jobs arrive, change and leave, and the service sometimes fails', async () => {
    scene.churn.start();
    scene.weather.start();
    const plan = actionPlan(sending);
    try {
      reports = await soakLoop(scene.windows, plan, settings.minutes, whileDisconnected);
    } finally {
      scene.weather.stop();
      scene.churn.stop();
    }
    const { arrived, changed, left } = scene.churn.counts;
    print(reports.flatMap(windowLines));
    print([
      `service: ${scene.remote.requests.length} requests answered; jobs: ${arrived} came, ${changed} changed, ${left} left`,
      `faults: ${countLine(scene.weather.counts)}`,
      `submitted ${submitted} times, POSTs ${scene.posts()}`,
    ]);
    for (const { name, workbench, texts } of scene.windows) {
      print([`${name}, ${texts.language}: ${await keptAnswers(workbench.page)} answers kept from other choices`]);
    }
    for (const { done, missed } of reports) {
      const all = [...done.values()].reduce((sum, count) => sum + count, 0) + missed.length;
      assert.ok(missed.length <= all * maxMissed, `${missed.length} of ${all} actions were missed`);
    }
  });

  test('every submission was sent once', () => {
    assert.equal(scene.posts(), submitted);
  });

  test('the views match the service', async () => {
    await until('no job is watched any more', async () => (await watching()) === 0);
    scene.freeze();
    for (const window of scene.windows) {
      const { problems, rows } = await shownProblems(window, scene.remote.sample);
      print([`${window.name}: ${rows} rows compared with the service, ${problems.length} differences`]);
      assert.deepEqual(problems, []);
      assert.ok(rows > 0, 'there are rows to compare');
      assert.deepEqual(await boardProblems(window, scene.remote.sample), []);
    }
  });

  test("heaps do not grow after startup, except for the editor's rows and V8's own objects", () => {
    assert.equal(reports.length, scene.windows.length, 'every window was measured');
    for (const [place, { name, samples }] of reports.entries()) {
      const window = scene.windows[place];
      const [first, last] = [samples[0], samples.at(-1)];
      assert.ok(window !== undefined && first !== undefined && last !== undefined && first !== last);
      const { ofRows, ofEngine, kept, largest } = heldGrowth(
        heapPaths(window.snapshotOf('settled')),
        heapPaths(window.snapshotOf('last')),
      );
      const rate = (bytes: number): string => (bytes / mebibyte / (last.minute - first.minute)).toFixed(3);
      print([
        `${name}, from minute ${first.minute.toFixed(1)} to ${last.minute.toFixed(1)}, held more, in MiB a minute: ${rate(kept)}, besides ${rate(ofRows)} for rows that the editor has drawn and ${rate(ofEngine)} of V8`,
        ...largest.map((part) => `  ${part}`),
      ]);
      assert.ok(Number(rate(kept)) < maxGrowth, `${name}: ${rate(kept)} MiB a minute`);
    }
  });

  test('listeners and timers return to their initial number once everything is closed and disconnected', async () => {
    for (const window of scene.windows) {
      await window.tidy();
      await disconnect(window);
      const start = atStart.get(window.name);
      assert.ok(start !== undefined && start.listeners > 0, 'listeners were counted');
      let end = await window.probe.state();
      const isBack = (): boolean => end.listeners <= start.listeners && end.productTimers <= start.productTimers;
      const look = async (): Promise<boolean> => {
        end = await window.probe.state();
        return isBack();
      };
      await until('listeners and timers are back', look, backEveryMs, backMs).catch(() => undefined);
      await window.look('end');
      print([`${window.name}, closed and disconnected: ${stateLine(start, end)}`]);
      assert.ok(isBack(), `${window.name}: ${stateLine(start, end)}`);
    }
  });

  test('only known failures were logged, and no error was unhandled', () => {
    const { codes, unknown } = logFindings(logChannel(scene.session.editor));
    print([`logged failures: ${countLine(codes)}`]);
    keepConsole(scene.session.journal.console);
    assert.deepEqual(unknown, []);
    assert.deepEqual(hostErrors(extensionHostLog(scene.session.editor)), []);
    assert.deepEqual(pageErrors(scene.session.journal.errors), []);
  });

  /** Disconnects, so that no job is loaded and heaps can be compared regardless of earlier loads. */
  async function whileDisconnected(measure: () => Promise<void>): Promise<void> {
    for (const window of scene.windows) await disconnect(window);
    await measure();
    // With a rejected key, no row would show that the service is connected.
    scene.weather.stop();
    for (const window of scene.windows) await connect(window);
    scene.weather.start();
  }

  async function watching(): Promise<number> {
    const items = scene.windows.map(({ workbench, texts }) =>
      workbench.statusBarItem(texts.start('Watching {0}')).count(),
    );
    return (await Promise.all(items)).reduce((sum, count) => sum + count, 0);
  }
});

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}
