import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { isReached, stateMs, until } from '../until.ts';
import { patience } from './patience.ts';

/** The active text editor of a window. */
export class TextEditor {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The code area of the active editor group, which also contains code lenses and squiggles. */
  get area(): Locator {
    return this.#page.locator('.editor-group-container.active .monaco-editor[role="code"]').first();
  }

  /** Waits until a file whose name ends with `name` is shown. */
  async shown(name: string, timeout = stateMs): Promise<void> {
    const uri = encodeURIComponent(name).replaceAll('%2F', '/');
    await this.#page
      .locator(`.editor-group-container.active .monaco-editor[data-uri$="${uri}"]`)
      .first()
      .waitFor({ timeout });
  }

  /** The whole text, read through the clipboard; afterwards everything is selected. */
  async text(): Promise<string> {
    // The editor fills the clipboard asynchronously, so wait until its content changes.
    const before = randomUUID();
    await this.#writeClipboard(before);
    await this.focus();
    await this.#page.keyboard.press('Control+A');
    await this.#page.keyboard.press('Control+C');
    const copied = await until('a copy of the text', async () => {
      const text = await this.#page.evaluate<string>('navigator.clipboard.readText()');
      return text === before ? undefined : { text };
    });
    return copied.text;
  }

  /** Types key by key at the cursor, with everything the editor does meanwhile. */
  async type(text: string): Promise<void> {
    await this.focus();
    await this.#page.keyboard.type(text);
  }

  /** Moves the cursor to a line and column, both from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press('Control+G');
    const input = this.#page.locator('.quick-input-widget .quick-input-box input');
    await input.fill(`:${line}:${column}`);
    await this.#page.keyboard.press('Enter');
    // The cursor moves while the position is typed; the text receives keys once the box is closed.
    await this.#page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await this.#page
      .locator('.statusbar-item')
      .filter({ hasText: `Ln ${line}, Col ${column}` })
      .waitFor();
  }

  /**
   * Opens the quick fixes at the cursor with the keyboard, and waits for the one with this title. Retries, because a check of the text
   * closes the menu.
   * @param isAtFinding true if the cursor is at a finding already; otherwise it is moved to the next one
   */
  async openFixes(title: string, isAtFinding = true): Promise<void> {
    const fix = this.#page.locator('.action-widget').getByText(title);
    for (const timeout of patience()) {
      await this.focus();
      if (!isAtFinding) {
        // While findings are still arriving, the key has no effect; the view that it opens takes the focus.
        await this.#page.keyboard.press('Alt+F8');
        await this.#page.keyboard.press('Escape');
        await this.focus();
      }
      await this.#page.keyboard.press('Control+.');
      if (await isReached(fix.waitFor({ timeout }))) return;
    }
    throw new Error(`"${title}" was not offered`);
  }

  /** Saves, and waits until the tab is no longer marked as changed. */
  async save(): Promise<void> {
    await this.#page.keyboard.press('Control+S');
    await this.#page.locator('.editor-group-container.active .tab.active:not(.dirty)').waitFor();
  }

  async focus(): Promise<void> {
    await this.area.locator('.native-edit-context, textarea.inputarea').first().focus();
  }

  async #writeClipboard(text: string): Promise<void> {
    await this.#page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  }
}
