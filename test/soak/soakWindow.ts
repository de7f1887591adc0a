import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from 'playwright-core';
import type { Random } from '../../src/sample/random.ts';
import { extensionId } from '../../src/jobs/common/jobLink.ts';
import { repositoryRoot } from '../support/editor/repositoryRoot.ts';
import type { Editor } from '../support/editor/startEditor.ts';
import { isReached, until } from '../support/until.ts';
import { setAnswerable } from './answers.ts';
import type { Tree } from '../support/workbench/tree.ts';
import type { Workbench } from '../support/workbench/workbench.ts';
import type { HostProbe } from './probe/hostProbe.ts';
import type { HostState } from './probe/hostState.ts';
import type { SoakService } from './service/soakService.ts';
import type { MessageKey, Texts } from './texts.ts';

/** A state that does not appear within this time counts as missed: the machine is busy, and a person would try again. */
const stepMs = 15_000;
const closeMs = 3_000;
const maxPictures = 10;
const results = join(repositoryRoot, 'out/test-results/soak');
/** A host that has not changed for this long is considered at rest. */
const restMs = 5_000;
/** Max time to try a row before choosing another; doubled each time. */
const firstTryMs = 3_000;

/** The parts of a {@link SoakWindow}. */
export interface SoakWindowParts {
  readonly name: string;
  readonly workbench: Workbench;
  readonly probe: HostProbe;
  readonly random: Random;
  /** In the window's display language. */
  readonly texts: Texts;
  /** Folder for heap snapshots, see {@link SoakWindow.look}; undefined: none are taken. */
  readonly snapshots: string | undefined;
  /** Absolute path of the open folder. */
  readonly folder: string;
  /** The service of its connection; undefined without the product. */
  readonly service: SoakService | undefined;
}

/** One of the windows, with its random choices and the probe in its extension host. */
export class SoakWindow {
  readonly name: string;
  readonly workbench: Workbench;
  readonly probe: HostProbe;
  readonly random: Random;
  readonly texts: Texts;
  readonly folder: string;
  /** Transcripts that were saved with Save Transcript As: the title of the job, and the name of the file. */
  readonly saved: { readonly job: string; readonly name: string }[] = [];
  readonly #snapshots: string | undefined;
  readonly #service: SoakService | undefined;

  constructor({ name, workbench, probe, random, texts, snapshots, folder, service }: SoakWindowParts) {
    this.name = name;
    this.workbench = workbench;
    this.probe = probe;
    this.random = random;
    this.texts = texts;
    this.folder = folder;
    this.#snapshots = snapshots;
    this.#service = service;
    workbench.page.setDefaultTimeout(stepMs);
  }

  get tree(): Tree {
    return this.workbench.tree(this.texts.message('Transcription Jobs'));
  }

  get service(): SoakService {
    if (this.#service === undefined) throw new Error(`${this.name} has no service`);
    return this.#service;
  }

  /** Presses Enter in the input with this title, and in no other that has replaced it. */
  async accept(title: MessageKey): Promise<void> {
    const { page, quickInput } = this.workbench;
    await quickInput.shown(this.texts.start(title));
    await setAnswerable(page, this.texts.start(title));
    try {
      await quickInput.accept();
    } finally {
      await setAnswerable(page, undefined);
    }
  }

  /**
   * Returns the current state of the host.
   * @param moment names the heap snapshot, if snapshots are enabled; undefined: no snapshot.
   */
  async look(moment?: string): Promise<HostState> {
    const state = await this.probe.state();
    if (moment !== undefined && this.#snapshots !== undefined) await this.probe.snapshot(this.snapshotOf(moment));
    return state;
  }

  /** Returns the file of a heap snapshot, see {@link look}. */
  snapshotOf(moment: string): string {
    return join(this.#snapshots ?? '', `${this.name.replaceAll(' ', '-')}-${moment}.heapsnapshot`);
  }

  /** Like {@link look}, but waits until the host is at rest: the editor starts service processes when it is idle. */
  async lookAtRest(moment?: string): Promise<HostState> {
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
   * Acts on one of the rows in view that the locator finds. Rows move while lists are read: if the row disappears before it is clicked, or
   * the click is lost while the tree is rendered again, another row is chosen, as a person would do. A row is found again by its accessible
   * name, since the editor soon shows another one in the same element.
   * @param act performs the action within a number of milliseconds, verifies that it applied to this row, or throws.
   * @returns false if there was no row.
   */
  async withSome(rows: Locator, act: (row: ChosenRow, timeout: number) => Promise<void>): Promise<boolean> {
    const deadline = performance.now() + stepMs;
    for (let timeout = firstTryMs; ; timeout *= 2) {
      // The hover of the last row pointed at may cover those below it.
      await this.workbench.page.mouse.move(0, 0);
      const offered = await readRows(rows);
      const chosen = offered[this.random.integer(0, Math.max(0, offered.length - 1))];
      if (chosen === undefined) return false;
      const named = rows.page().locator(`[role="treeitem"][aria-label=${cssString(chosen.name)}]`);
      try {
        await act({ row: rows.and(named).first(), ...chosen }, timeout);
        return true;
      } catch (error) {
        if (performance.now() > deadline) throw error;
        await this.escape();
      }
    }
  }

  /** Takes a screenshot when an action was missed: the first ones are stored in `out/test-results/soak`. */
  async picture(of: number | string): Promise<void> {
    if (typeof of === 'number' && of > maxPictures) return;
    const path = join(results, `${this.name.replaceAll(' ', '-')}-${of}.png`);
    await this.workbench.page.screenshot({ path }).catch(() => undefined);
  }

  /** Closes anything that waits for input, after an action that was not completed. */
  async escape(): Promise<void> {
    for (let press = 0; press < 3; press++) await this.workbench.page.keyboard.press('Escape');
  }

  /**
   * Closes all editors and messages, so that only the view is left. An editor that is still opening, and a message that appears meanwhile,
   * are closed by the next attempt.
   */
  async tidy(): Promise<void> {
    const tab = this.workbench.page.locator('.tabs-container .tab').first();
    await until('no editor is open', async () => {
      await this.escape();
      await this.workbench.runCommand('View: Close All Editors');
      return isReached(tab.waitFor({ state: 'detached', timeout: closeMs }));
    });
    // A watched job that has just finished shows a new message.
    const message = this.workbench.notifications.all.first();
    await until('no message is left', async () => {
      await this.workbench.runCommand('Notifications: Clear All Notifications');
      return isReached(message.waitFor({ state: 'detached', timeout: closeMs }));
    });
  }
}

/** Stores the browser's console of all windows, so that an error can be seen in its context. */
export function keepConsole(lines: readonly string[]): void {
  mkdirSync(results, { recursive: true });
  writeFileSync(join(results, 'console.log'), lines.join('\n'));
}

/** Stores the submissions and batches as the windows recorded them, the log, and each POST, so that a difference can be explained. */
export function keepRecords({ dataDir }: Editor, log: string, posts: readonly string[]): void {
  const cwd = join(dataDir, 'data/User/globalStorage', extensionId);
  for (const name of ['submissions', 'deliveries']) {
    rmSync(join(results, name), { recursive: true, force: true });
    if (existsSync(join(cwd, name))) cpSync(join(cwd, name), join(results, name), { recursive: true });
  }
  writeFileSync(join(results, 'channel.log'), log);
  writeFileSync(join(results, 'posts.log'), posts.join('\n'));
}

/** A text as a string of CSS. */
function cssString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\a `)}"`;
}

/** The texts of a row of the tree. */
interface RowTexts {
  /** The accessible name. */
  readonly name: string;
  /** The text at the start, like the tab of a job's page. */
  readonly label: string;
}

/** A row of the tree that an action applies to. */
export interface ChosenRow extends RowTexts {
  readonly row: Locator;
}

/** Reads all rows in one evaluation: between two, they may be rendered again. */
function readRows(rows: Locator): Promise<RowTexts[]> {
  return rows.evaluateAll((all: readonly RowElement[]) =>
    all.map((row) => ({
      name: row.getAttribute('aria-label') ?? '',
      label: row.querySelector('.label-name')?.textContent?.trim() ?? '',
    })),
  );
}

/** The members of a row's element that are read in the page. */
interface RowElement {
  getAttribute(name: string): string | null;
  querySelector(selector: string): { readonly textContent: string | null } | null;
}

function processes({ resources }: HostState): number {
  return resources['ProcessWrap'] ?? 0;
}
