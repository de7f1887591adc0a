import type { Locator, Page } from 'playwright-core';
import { isReached, until } from '../until.ts';

/** Max time to wait for the effect of a click before it counts as lost: at first, and at most, for slow machines. */
const effectMs = { first: 4_000, max: 20_000 };
/** Max time to try to click. */
const clickMs = 5_000;
/** Max time to wait for a row, before an attempt is repeated. */
const rowMs = 10_000;
/** Max time to wait for the effect of a key that may have none. */
const keyMs = 2_000;

/** The members of a row's element that are read in the page. */
interface RowElement {
  readonly innerText?: string;
  closest(selector: string): RowElement | null;
  querySelector(selector: string): RowElement | null;
  getBoundingClientRect(): { readonly top: number; readonly bottom: number };
  getAttribute(name: string): string | null;
}

/**
 * Runs in the browser: returns the number of pixels that the tree has to scroll down (or up, if negative) to show the row below the sticky
 * rows.
 */
function heightCut(row: RowElement): number {
  if (row.closest('.monaco-tree-sticky-container') !== null) return 0;
  const { top, bottom } = row.getBoundingClientRect();
  const view = row.closest('[role="tree"]')?.getBoundingClientRect();
  const sticky = row.closest('[role="tree"]')?.querySelector('.monaco-tree-sticky-container')?.getBoundingClientRect();
  if (view === undefined) return 0;
  const first = Math.max(view.top, sticky?.bottom ?? view.top);
  return top < first ? top - first : Math.max(0, bottom - view.bottom);
}

/** Returns the first visible match: a closed dialog is only hidden. */
function visible(locator: Locator): Locator {
  return locator.filter({ visible: true }).first();
}

/** A tree view. Only rows that are scrolled into view exist in the DOM. */
export class Tree {
  readonly #page: Page;
  /** Max time that the current attempt waits for the effect of a click. */
  #effectMs = effectMs.first;
  /** Error of the last failed press of a row. */
  #lastError: unknown;
  /** The tree element. */
  readonly root: Locator;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.root = page.locator('.sidebar, .panel, .auxiliarybar').getByRole('tree', { name });
  }

  /** All rows in view. */
  get rows(): Locator {
    return this.root.getByRole('treeitem');
  }

  /** The rows whose accessible name or label contains this text. */
  row(name: string | RegExp): Locator {
    return this.rows.filter({ hasText: name }).or(this.root.getByRole('treeitem', { name }));
  }

  /** Expands a row with its twistie and waits until its children are shown. */
  async expand(name: string | RegExp): Promise<void> {
    await this.#setExpanded(name, true);
  }

  async collapse(name: string | RegExp): Promise<void> {
    await this.#setExpanded(name, false);
  }

  /** Repeats the click, which is lost if the tree is rendered again meanwhile. */
  async #setExpanded(name: string | RegExp, expanded: boolean): Promise<void> {
    // Leaf rows of jobs may have the same word in their names.
    const startsWith =
      typeof name === 'string' ? new RegExp(`^\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`) : name;
    const parents = (state: string): Locator =>
      this.root.locator(`[role="treeitem"][aria-expanded${state}]`).filter({ hasText: startsWith });
    const row = parents('').first();
    await row.waitFor();
    await this.#until(`${String(name)} is ${expanded ? 'expanded' : 'collapsed'}`, async () => {
      if ((await row.getAttribute('aria-expanded')) === String(expanded)) return true;
      await this.#bringIntoView(row);
      if (!(await this.#press(row, row.locator('.monaco-tl-twistie').click({ timeout: this.#effectMs })))) return false;
      if (!(await isReached(parents(`="${expanded}"`).first().waitFor({ timeout: this.#effectMs })))) return false;
      return !expanded || this.#showsChildren(row);
    });
  }

  /** True if the rows below an expanded row are shown; another rendering may collapse it again before that. */
  async #showsChildren(row: Locator): Promise<boolean> {
    const [index, level] = await Promise.all(['data-index', 'aria-level'].map((name) => row.getAttribute(name)));
    const below = this.root.locator(`[role="treeitem"][data-index="${Number(index) + 1}"]`);
    const children = below.and(this.root.locator(`[aria-level="${Number(level) + 1}"]`));
    return isReached(children.waitFor({ timeout: this.#effectMs }));
  }

  /**
   * @param effect the element that the click shows. The click is lost if the tree is rendered again meanwhile, and is then repeated;
   * without an effect a lost click is not detected.
   */
  async click(name: string | RegExp | Locator, effect?: Locator): Promise<void> {
    let isFirst = true;
    const press = async (): Promise<boolean> => {
      // On a busy machine a click may have its effect late.
      if (!isFirst && effect !== undefined && (await visible(effect).isVisible())) return true;
      isFirst = false;
      if (!(await this.#pressRow(name, 'left'))) return false;
      return effect === undefined || this.#isDone(visible(effect).waitFor({ timeout: this.#effectMs }));
    };
    await this.#until(`${String(name)} is clicked`, press);
  }

  /**
   * Selects several rows and no others, starting with the first: retries if a rendering loses a click.
   * @param key how the others are added: each, or all up to the second
   */
  async select(
    names: readonly (string | RegExp)[],
    key: 'ControlOrMeta' | 'Shift' = 'ControlOrMeta',
    count = names.length,
  ): Promise<void> {
    const selected = this.root.locator('[role="treeitem"][aria-selected="true"]');
    await this.#until('the rows are selected', async () => {
      for (const [index, name] of names.entries()) {
        const row = this.row(name).first();
        await row.waitFor();
        await this.#bringIntoView(row);
        const modifiers = index === 0 ? [] : [key];
        if (!(await this.#press(row, row.click({ timeout: clickMs, modifiers })))) return false;
      }
      return isReached(selected.nth(count - 1).waitFor({ timeout: clickMs }));
    });
  }

  /**
   * Presses a row, and waits for hovers: a click on a hover that appeared over the row is lost, and the hover stays until the mouse points
   * elsewhere.
   */
  async #pressRow(name: string | RegExp | Locator, button: 'left' | 'right'): Promise<boolean> {
    const row = (typeof name === 'string' || name instanceof RegExp ? this.row(name) : name).first();
    // A press before may have removed it.
    if (!(await this.#isDone(row.waitFor({ timeout: rowMs })))) return false;
    await this.#bringIntoView(row);
    return this.#press(row, row.click({ button, timeout: clickMs }));
  }

  /** True if a press on a row succeeded. Otherwise removes anything that may have covered the row, for the next attempt. */
  async #press(row: Locator, action: Promise<void>): Promise<boolean> {
    if (await this.#isDone(action)) return true;
    await this.#sweep(row);
    return false;
  }

  /** Repeats an attempt until it succeeds. Otherwise throws the last error of its presses. */
  async #until(what: string, attempt: () => Promise<boolean>): Promise<void> {
    this.#lastError = undefined;
    this.#effectMs = effectMs.first;
    try {
      await until(what, async () => {
        if (await attempt()) return true;
        this.#effectMs = Math.min(effectMs.max, 2 * this.#effectMs);
        return false;
      });
    } catch (error) {
      throw new Error(`${String(error)}; at last: ${String(this.#lastError)}`, { cause: error });
    }
  }

  /** True if an action succeeded. Otherwise its error is stored for the message of the test. */
  async #isDone(action: Promise<void>): Promise<boolean> {
    try {
      await action;
      return true;
    } catch (error) {
      this.#lastError = error;
      return false;
    }
  }

  /**
   * Closes a menu that covers a row, and ends a hover that covers it although the mouse is elsewhere: only a mouse that leaves the hover
   * ends it.
   */
  async #sweep(row: Locator): Promise<void> {
    await this.#closeMenu();
    const box = await row.boundingBox({ timeout: clickMs }).catch(() => null);
    if (box === null) return;
    await this.#page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
    await this.#pointElsewhere();
  }

  /**
   * Ends the hover of the last row pointed at, and scrolls to a row that the tree's edge or its sticky rows cover. Playwright can't do
   * this, because the editor moves the rows itself.
   */
  async #bringIntoView(row: Locator): Promise<void> {
    await this.#pointElsewhere();
    const timeout = clickMs;
    const cutBy = row.evaluate(heightCut, undefined, { timeout }).catch(() => 0);
    const view = await this.root.boundingBox({ timeout }).catch(() => null);
    if (view === null || (await cutBy) === 0) return;
    await this.#page.mouse.move(view.x + view.width / 2, view.y + view.height / 2);
    await this.#page.mouse.wheel(0, await cutBy);
    await this.#pointElsewhere();
  }

  /** Ends the hover of the last row pointed at, which covers the rows below it. */
  async #pointElsewhere(): Promise<void> {
    await this.#page.mouse.move(0, 0);
  }

  /**
   * Presses an inline button, which is shown on hover.
   * @param effect the element that the press shows
   */
  async pressInline(name: string | RegExp, action: string, effect: Locator): Promise<void> {
    let isFirst = true;
    await this.#until(`${action} of ${String(name)} is pressed`, async () => {
      if (!isFirst && (await visible(effect).isVisible())) return true;
      isFirst = false;
      const row = this.row(name).first();
      await row.waitFor();
      await this.#bringIntoView(row);
      const isPressed =
        (await this.#press(row, row.hover({ timeout: this.#effectMs }))) &&
        (await this.#press(row, row.getByRole('button', { name: action }).click({ timeout: this.#effectMs })));
      return isPressed && this.#hadEffect(effect);
    });
  }

  /**
   * Opens a row's context menu and picks an entry, also one of a submenu: `Copy › Copy Job ID`. The menu may close again when the tree is rendered again or a page takes the focus; then
   * it is reopened.
   * @param effect the element that the choice shows
   * @param select selects the rows that the menu applies to; by default that row alone
   */
  async pickFromMenu(
    name: string | RegExp,
    entry: string,
    effect: Locator,
    select?: () => Promise<void>,
  ): Promise<void> {
    let isFirst = true;
    await this.#until(`${entry} in the menu of ${String(name)} has its effect`, async () => {
      if (!isFirst && (await visible(effect).isVisible())) return true;
      isFirst = false;
      await select?.();
      if (!(await this.#pressRow(name, 'right'))) return false;
      for (const label of entry.split(' › ')) {
        if (await this.#focusEntry(label)) continue;
        await this.#closeMenu();
        return false;
      }
      // The editor ignores clicks directly after the menu opens, to prevent accidental ones, but not keys.
      await this.#page.keyboard.press('Enter');
      return this.#hadEffect(effect);
    });
  }

  /** Focuses an entry of the open menu by the mouse, which opens its submenu. False if there is none. */
  async #focusEntry(label: string): Promise<boolean> {
    const item = this.#entry(label);
    // The entry that a submenu belongs to contains its entries.
    const focused = this.#page.locator('.action-item.focused').filter({ has: item }).last();
    return (
      (await isReached(item.waitFor({ timeout: this.#effectMs }))) &&
      (await isReached(item.hover({ timeout: this.#effectMs }))) &&
      (await isReached(focused.waitFor({ timeout: this.#effectMs })))
    );
  }

  /**
   * Waits long for the effect of a menu or button of a row, because a repeated action could do harm. False if the list was refreshed at
   * that moment, which the editor then reports, or nothing appeared.
   */
  async #hadEffect(effect: Locator): Promise<boolean> {
    const lost = this.#page
      .locator('.notification-list-item')
      .filter({ hasText: 'The list was just refreshed.' })
      .first();
    const either = visible(effect.or(lost));
    if (!(await isReached(either.waitFor({ timeout: 2 * effectMs.max })))) return false;
    if (!(await lost.isVisible())) return true;
    await lost.hover();
    await lost.getByRole('button', { name: /^Clear/ }).click();
    await lost.waitFor({ state: 'detached' });
    return false;
  }

  /**
   * Opens a row's context menu until it has an entry, also one of a submenu: `Copy › Copy Job ID`.
   * @param select selects the rows that the menu applies to; by default that row alone
   */
  async openMenu(name: string | RegExp, entry: string, select?: () => Promise<void>): Promise<void> {
    await this.#until(`the menu of ${String(name)} is open`, async () => {
      await select?.();
      if (!(await this.#pressRow(name, 'right'))) return false;
      const labels = entry.split(' › ');
      for (const label of labels.slice(0, -1)) if (!(await this.#focusEntry(label))) return false;
      return isReached(this.#entry(labels.at(-1) ?? '').waitFor({ timeout: clickMs }));
    });
  }

  /** Closes the open menu, whatever its entries. Without a menu, Escape would clear the selection. */
  async #closeMenu(): Promise<void> {
    const menu = this.#page.locator('.monaco-menu-container').first();
    // The first key closes a submenu.
    for (let keys = 0; keys < 2 && (await menu.isVisible()); keys++) {
      await this.#page.keyboard.press('Escape');
      await isReached(menu.waitFor({ state: 'hidden', timeout: clickMs }));
    }
  }

  /** Picks an entry of the open menu or submenu. */
  async pickEntry(entry: string): Promise<void> {
    const item = this.#entry(entry);
    // The editor ignores clicks right after the menu opens, to prevent accidental ones, but not keys.
    await item.hover();
    // The entry that a submenu belongs to contains its entries.
    await this.#page.locator('.action-item.focused:not(:has(.action-item))').filter({ has: item }).waitFor();
    await this.#page.keyboard.press('Enter');
  }

  /** Returns a menu entry by its label, whatever its keyboard shortcut. */
  #entry(label: string): Locator {
    return this.#page.getByRole('menuitem').filter({ has: this.#page.getByText(label, { exact: true }) });
  }

  /** Scrolls down page by page until a row with this text is in view. Throws at the end of the tree. */
  async scrollTo(name: string | RegExp): Promise<Locator> {
    await this.root.focus();
    await this.#page.keyboard.press('Home');
    // A tree that is rendered again loses a key: it counts as the end only if several keys had no effect.
    for (let vain = 0; vain < 3;) {
      if ((await this.row(name).count()) > 0) return this.row(name).first();
      const focused = (await this.root.getAttribute('aria-activedescendant')) ?? '';
      await this.#page.keyboard.press('PageDown');
      const moved = this.root.and(this.#page.locator(`:not([aria-activedescendant="${focused}"])`));
      vain = (await isReached(moved.waitFor({ timeout: keyMs }))) ? 0 : vain + 1;
    }
    if ((await this.row(name).count()) > 0) return this.row(name).first();
    throw new Error(`no row ${String(name)} in the tree; in view: ${(await this.labels()).join(' | ')}`);
  }

  /** Returns the texts of the rows in view, from top to bottom. */
  async labels(): Promise<string[]> {
    // In one evaluation, because rows may disappear between two.
    const rows = await this.rows.evaluateAll((found: readonly RowElement[]) =>
      found.map((row) => ({ text: row.innerText ?? '', index: Number(row.getAttribute('data-index')) })),
    );
    return rows.sort((a, b) => a.index - b.index).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
  }
}
