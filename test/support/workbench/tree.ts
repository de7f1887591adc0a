import type { Locator, Page } from 'playwright-core';
import { isReached, until } from '../until.ts';

/** How long a click may take to show before it counts as lost. */
const redrawMs = 20_000;

/** A tree view. Only rows that are scrolled into view exist for the browser. */
export class Tree {
  readonly #page: Page;
  /** The tree itself. */
  readonly root: Locator;

  constructor(page: Page, name: string) {
    this.#page = page;
    this.root = page.locator('.sidebar, .panel, .auxiliarybar').getByRole('tree', { name });
  }

  /** All rows in view. */
  get rows(): Locator {
    return this.root.getByRole('treeitem');
  }

  /** Rows whose accessible name or label has this text. */
  row(name: string | RegExp): Locator {
    return this.rows.filter({ hasText: name }).or(this.root.getByRole('treeitem', { name }));
  }

  /** Expands a row with the twistie and waits until its children are shown. */
  async expand(name: string | RegExp): Promise<void> {
    await this.#setExpanded(name, true);
  }

  /** Collapses a row. */
  async collapse(name: string | RegExp): Promise<void> {
    await this.#setExpanded(name, false);
  }

  /** A click may fall into a moment in which the tree draws itself anew, and get lost: then it is made again. */
  async #setExpanded(name: string | RegExp, expanded: boolean): Promise<void> {
    // Rows without anything below them, of jobs, may have the same word in their name.
    const startsWith =
      typeof name === 'string' ? new RegExp(`^\\s*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`) : name;
    const parents = (state: string): Locator =>
      this.root.locator(`[role="treeitem"][aria-expanded${state}]`).filter({ hasText: startsWith });
    const row = parents('').first();
    await row.waitFor();
    await until(`${String(name)} is ${expanded ? 'expanded' : 'collapsed'}`, async () => {
      if ((await row.getAttribute('aria-expanded')) === String(expanded)) return true;
      await row.locator('.monaco-tl-twistie').click();
      return isReached(parents(`="${expanded}"`).first().waitFor({ timeout: redrawMs }));
    });
  }

  /** Clicks a row. */
  async click(name: string | RegExp): Promise<void> {
    await this.row(name).first().click();
  }

  /** Presses a button that a row shows when it is pointed at. */
  async pressInline(name: string | RegExp, action: string): Promise<void> {
    const row = this.row(name).first();
    await row.hover();
    await row.getByRole('button', { name: action }).click();
  }

  /** Opens a row's context menu and picks an entry. */
  async pickFromMenu(name: string | RegExp, entry: string): Promise<void> {
    const item = this.#entry(entry);
    await until(`the menu of ${String(name)} offers ${entry}`, async () => {
      await this.row(name).first().click({ button: 'right' });
      const offered = await isReached(item.waitFor({ timeout: redrawMs }));
      if (!offered) await this.#page.keyboard.press('Escape');
      return offered;
    });
    await this.pickEntry(entry);
  }

  /** Picks an entry of the menu that is open. */
  async pickEntry(entry: string): Promise<void> {
    const item = this.#entry(entry);
    // The editor passes over clicks that come right after the menu, in case the hand slipped; not so keys.
    await item.hover();
    await this.#page.locator('.action-item.focused').filter({ has: item }).waitFor();
    await this.#page.keyboard.press('Enter');
  }

  /** An entry of a menu by its label, whatever key stands beside it. */
  #entry(label: string): Locator {
    return this.#page.getByRole('menuitem').filter({ has: this.#page.getByText(label, { exact: true }) });
  }

  /** Scrolls down row by row until one with this text is in view. Throws at the end of the tree. */
  async scrollTo(name: string | RegExp): Promise<Locator> {
    await this.root.focus();
    await this.#page.keyboard.press('Home');
    let last: string | null = null;
    for (;;) {
      if ((await this.row(name).count()) > 0) return this.row(name).first();
      await this.#page.keyboard.press('PageDown');
      const focused = await this.root.getAttribute('aria-activedescendant');
      if (focused === last)
        throw new Error(`no row ${String(name)} in the tree; in view: ${(await this.labels()).join(' | ')}`);
      last = focused;
    }
  }

  /** Texts of the rows in view, from top to bottom. */
  async labels(): Promise<string[]> {
    const rows = await Promise.all(
      (await this.rows.all()).map(async (row) => ({
        text: await row.innerText(),
        index: Number(await row.getAttribute('data-index')),
      })),
    );
    return rows.sort((a, b) => a.index - b.index).map(({ text }) => text.replaceAll(/\s+/g, ' ').trim());
  }
}
