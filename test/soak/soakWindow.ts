import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import type { Random } from '../../src/sample/random.ts';
import { repositoryRoot } from '../support/editor/repositoryRoot.ts';
import { isReached, until } from '../support/until.ts';
import type { Tree } from '../support/workbench/tree.ts';
import type { Workbench } from '../support/workbench/workbench.ts';
import type { HostProbe } from './probe/hostProbe.ts';
import type { HostState } from './probe/hostState.ts';

/** A state that does not come within this time counts as missed: the machine is busy, and a person would try again. */
const stepMs = 15_000;
const closeMs = 3_000;
const mostPictures = 10;
const results = join(repositoryRoot, 'out/test-results/soak');
/** A host that has not changed for this long is considered at rest. */
const restMs = 5_000;
/** How long to try a row before choosing another; doubled each time. */
const firstTryMs = 3_000;

/** One of the windows, with its random choices and the probe in its extension host. */
export class SoakWindow {
  readonly name: string;
  readonly workbench: Workbench;
  readonly probe: HostProbe;
  readonly random: Random;
  readonly #snapshots: string | undefined;

  /** @param snapshots folder for heap snapshots, see {@link look}; undefined: none are taken. */
  constructor(name: string, workbench: Workbench, probe: HostProbe, random: Random, snapshots?: string) {
    this.name = name;
    this.workbench = workbench;
    this.probe = probe;
    this.random = random;
    this.#snapshots = snapshots;
    workbench.page.setDefaultTimeout(stepMs);
  }

  get tree(): Tree {
    return this.workbench.tree('Jobs');
  }

  /**
   * The current state of the host.
   * @param moment names the heap snapshot, if snapshots are enabled; undefined: no snapshot.
   */
  async look(moment?: string): Promise<HostState> {
    const state = await this.probe.state();
    if (moment !== undefined && this.#snapshots !== undefined)
      await this.probe.snapshot(join(this.#snapshots, `${this.name.replaceAll(' ', '-')}-${moment}.heapsnapshot`));
    return state;
  }

  /** Like {@link look}, but waits until the host is at rest: the editor starts service processes when it is idle. */
  async lookAtRest(moment: string): Promise<HostState> {
    let before = await this.probe.state();
    await until('an extension host that rests', async () => {
      await delay(restMs);
      const now = await this.probe.state();
      const isSame = now.listeners === before.listeners && processes(now) === processes(before);
      before = now;
      return isSame;
    });
    return this.look(moment);
  }

  /**
   * Acts on one of the rows in view that the locator finds. Rows move while lists are read: if the row disappears
   * before it is clicked, or a redraw loses the click, another row is chosen, as a person would do.
   * @param act performs the action within a number of milliseconds, or throws.
   * @returns false if there was no row.
   */
  async withSome(rows: Locator, act: (row: Locator, timeout: number) => Promise<void>): Promise<boolean> {
    const deadline = performance.now() + stepMs;
    for (let timeout = firstTryMs; ; timeout *= 2) {
      const count = await rows.count();
      if (count === 0) return false;
      try {
        await act(rows.nth(this.random.integer(0, count - 1)), timeout);
        return true;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await this.escape();
      }
    }
  }

  /** Keeps a picture of what was in view when an action was missed: of the first ones in `out/test-results/soak`. */
  async picture(miss: number): Promise<void> {
    if (miss > mostPictures) return;
    const path = join(results, `${this.name.replaceAll(' ', '-')}-${miss}.png`);
    await this.workbench.page.screenshot({ path }).catch(() => undefined);
  }

  /** Closes anything that asks for input, after an action that was not completed. */
  async escape(): Promise<void> {
    for (let press = 0; press < 3; press++) await this.workbench.page.keyboard.press('Escape');
  }

  /**
   * Closes all editors and messages, so that only the view is left. An editor that is still opening is closed by the
   * next attempt.
   */
  async tidy(): Promise<void> {
    const tab = this.workbench.page.locator('.tabs-container .tab').first();
    await until('no editor is open', async () => {
      await this.escape();
      await this.workbench.runCommand('View: Close All Editors');
      return isReached(tab.waitFor({ state: 'detached', timeout: closeMs }));
    });
    await this.workbench.runCommand('Notifications: Clear All Notifications');
    await this.workbench.notifications.all.first().waitFor({ state: 'detached' });
  }
}

function processes({ resources }: HostState): number {
  return resources['ProcessWrap'] ?? 0;
}
