import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { heapPaths } from '../support/heap/heapPaths.ts';
import { extensionHostLog, logChannel } from '../support/workbench/editorLogs.ts';
import { secretTraces } from '../support/workbench/secretTraces.ts';
import { until } from '../support/until.ts';
import { actionPlan } from './actions/actionPlan.ts';
import { warmUp, whenUnwatched } from './actions/warmUp.ts';
import { batchProblems } from './checks/batchProblems.ts';
import { boardProblems } from './checks/boardProblems.ts';
import { hostErrors, logFindings, pageErrors } from './checks/logFindings.ts';
import { resentUrls } from './checks/resentUrls.ts';
import { savedProblems } from './checks/savedProblems.ts';
import { shownProblems } from './checks/shownProblems.ts';
import { keptAnswers } from './answers.ts';
import { connect, disconnect } from './connection.ts';
import type { HostState } from './probe/hostState.ts';
import { soakLoop } from './soakLoop.ts';
import { heldGrowth } from './heldGrowth.ts';
import { countLine, stateLine, windowLines, type WindowReport } from './soakReport.ts';
import { keepConsole, keepRecords } from './soakWindow.ts';
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

describe(`${settings.minutes} minutes in three windows, seed ${settings.seed}`, () => {
  let scene: SoakScene;
  let close = async (): Promise<void> => {};
  let reports: readonly WindowReport[] = [];
  const atStart = new Map<string, HostState>();

  before(async () => {
    scene = await soakScene(settings);
    ({ close } = scene);
    await Promise.all(scene.windows.map(warmUp));
    for (const window of scene.windows) {
      await disconnect(window);
      atStart.set(window.name, await window.lookAtRest(keptMoment('start')));
      await connect(window);
    }
  });
  after(async () => {
    await close();
    if (ownFolder !== undefined) rmSync(ownFolder, { recursive: true, force: true });
  });

  test('users work while jobs arrive, change and leave, and the services sometimes fail', async () => {
    for (const { churn } of scene.services) churn.start();
    startWeather();
    try {
      reports = await soakLoop(scene.windows, actionPlan, settings.minutes, whileDisconnected);
    } finally {
      stopWeather();
      for (const { churn } of scene.services) churn.stop();
    }
    print(reports.flatMap(windowLines));
    for (const { name, remote, churn, weather, counts, posts, batches } of scene.services) {
      const { arrived, changed, left } = churn.counts;
      print([
        `service ${name}: ${remote.requests.length} requests answered; jobs: ${arrived} came, ${changed} changed, ${left} left`,
        `faults: ${countLine(weather.counts)}`,
        `submitted ${counts.submitted} requests and ${batches.length} batches, POSTs ${posts.length}`,
      ]);
    }
    for (const { name, workbench, texts } of scene.windows) {
      print([`${name}, ${texts.language}: ${await keptAnswers(workbench.page)} answers kept from other choices`]);
    }
    for (const { done, missed } of reports) {
      const all = [...done.values()].reduce((sum, count) => sum + count, 0) + missed.length;
      assert.ok(missed.length <= all * maxMissed, `${missed.length} of ${all} actions were missed`);
    }
  });

  test('every submission was sent once', () => {
    for (const { counts, posts, batches } of scene.services) {
      const ofBatches = new Set(batches.flatMap(({ urls }) => urls));
      assert.equal(posts.filter((url) => !ofBatches.has(url)).length, counts.submitted);
      assert.deepEqual(resentUrls(batches, posts), []);
    }
  });

  test('the views, the boards and the pages of batches match the service', async () => {
    for (const window of scene.windows) await whenUnwatched(window);
    for (const { freeze } of scene.services) freeze();
    for (const window of scene.windows) {
      const { problems, rows } = await shownProblems(window);
      print([`${window.name}: ${rows} rows compared with the service, ${problems.length} differences`]);
      assert.deepEqual(problems, []);
      assert.ok(rows > 0, 'there are rows to compare');
      assert.deepEqual(await boardProblems(window), []);
      assert.deepEqual(await batchProblems(window), []);
    }
  });

  test('the results of batches are saved once, like those of Save Transcript As', async () => {
    for (const window of scene.windows) {
      const { problems, files } = await savedProblems(window);
      print([`${window.name}: ${files} files of results, ${window.saved.length} saved transcripts`]);
      assert.deepEqual(problems, []);
      assert.ok(files > 0, 'there are files to compare');
    }
  });

  test("heaps do not grow after startup, except for the editor's rows and V8's own objects", () => {
    assert.equal(reports.length, scene.windows.length, 'every window was measured');
    const grown: string[] = [];
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
      if (Number(rate(kept)) >= maxGrowth) grown.push(`${name}: ${rate(kept)} MiB a minute`);
    }
    assert.deepEqual(grown, []);
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
      await window.look(keptMoment('end'));
      print([`${window.name}, closed and disconnected: ${stateLine(start, end)}`]);
      assert.ok(isBack(), `${window.name}: ${stateLine(start, end)}`);
    }
  });

  test('only known failures were logged, and no error was unhandled', () => {
    const { codes, unknown } = logFindings(logChannel(scene.session.editor));
    print([`logged failures: ${countLine(codes)}`]);
    keepConsole(scene.session.journal.console);
    const posts = scene.services.flatMap(({ name, posts: sent }) => sent.map((url) => `${name} ${url}`));
    keepRecords(scene.session.editor, logChannel(scene.session.editor), posts);
    assert.deepEqual(unknown, []);
    assert.deepEqual(hostErrors(extensionHostLog(scene.session.editor)), []);
    assert.deepEqual(pageErrors(scene.session.journal.errors), []);
  });

  test('no key was left behind in logs, files, pages and addresses', async () => {
    const keys = scene.services.map(({ sample }) => sample.key);
    for (const { workbench, folder } of scene.windows) {
      assert.deepEqual(await secretTraces({ ...scene.session, workbench }, folder, keys), []);
    }
  });

  /** Disconnects, so that no job is loaded and heaps can be compared regardless of earlier loads. */
  async function whileDisconnected(measure: () => Promise<void>): Promise<void> {
    for (const window of scene.windows) await disconnect(window);
    await measure();
    // With a rejected key, no row would show that the service is connected.
    stopWeather();
    for (const window of scene.windows) await connect(window);
    startWeather();
  }

  function startWeather(): void {
    for (const { weather } of scene.services) weather.start();
  }

  function stopWeather(): void {
    for (const { weather } of scene.services) weather.stop();
  }
});

/** Returns the name of a heap snapshot that nothing is compared with; undefined unless snapshots are kept. */
function keptMoment(moment: string): string | undefined {
  return asked.snapshots === undefined ? undefined : moment;
}

function print(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}
