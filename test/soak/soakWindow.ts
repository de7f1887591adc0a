import type { Locator } from 'playwright-core';
import type { Random } from '../../src/sample/random.ts';
import { isReached, until } from '../support/until.ts';
import type { Tree } from '../support/workbench/tree.ts';
import type { Workbench } from '../support/workbench/workbench.ts';
import type { HostProbe } from './probe/hostProbe.ts';

/** A state that does not come within this is a miss: the machine is busy, or a person would try again. */
const stepMs = 15_000;
const closeMs = 3_000;

/** One of the windows: what is done in it, by which choices, and what its extension host holds. */
export class SoakWindow {
  readonly name: string;
  readonly workbench: Workbench;
  readonly probe: HostProbe;
  readonly random: Random;

  constructor(name: string, workbench: Workbench, probe: HostProbe, random: Random) {
    this.name = name;
    this.workbench = workbench;
    this.probe = probe;
    this.random = random;
    workbench.page.setDefaultTimeout(stepMs);
  }

  get tree(): Tree {
    return this.workbench.tree('Jobs');
  }

  /** One of the rows in view that the locator finds; undefined when there is none. */
  async someOf(rows: Locator): Promise<Locator | undefined> {
    const count = await rows.count();
    return count === 0 ? undefined : rows.nth(this.random.integer(0, count - 1));
  }

  /** Leaves whatever asks for something, after an action that did not get to its end. */
  async escape(): Promise<void> {
    for (let press = 0; press < 3; press++) await this.workbench.page.keyboard.press('Escape');
  }

  /** Closes all editors and messages, so that only the view is left. An editor that was still on its way is closed with the next try. */
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
