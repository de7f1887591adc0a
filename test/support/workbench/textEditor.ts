import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { isReached, until } from '../until.ts';
import { patience } from './patience.ts';

/** The active text editor. */
export class TextEditor {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The active editor group's code area; also the place to look for lenses and squiggles. */
  get area(): Locator {
    return this.#page.locator('.editor-group-container.active .monaco-editor[role="code"]').first();
  }

  /** Waits until the file whose name ends so is shown. */
  async shown(name: string): Promise<void> {
    const uri = encodeURIComponent(name).replaceAll('%2F', '/');
    await this.#page.locator(`.editor-group-container.active .monaco-editor[data-uri$="${uri}"]`).first().waitFor();
  }

  /** The whole text, by way of the clipboard; the selection afterwards is everything. */
  async text(): Promise<string> {
    // The editor fills the clipboard in its own time, so that it has to be seen to change.
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

  /** Pastes over the whole text, so that neither completions nor closing brackets get in the way, and waits until it is there. */
  async replaceText(text: string): Promise<void> {
    await this.#writeClipboard(text);
    await this.focus();
    await this.#page.keyboard.press('Control+A');
    await this.#page.keyboard.press('Control+V');
    await until('the pasted text', async () => (await this.text()) === text);
  }

  /** Types key by key where the cursor is, with all that the editor does meanwhile. */
  async type(text: string): Promise<void> {
    await this.focus();
    await this.#page.keyboard.type(text);
  }

  /** Puts the cursor at a line and column, both from 1. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.focus();
    await this.#page.keyboard.press('Control+G');
    const input = this.#page.locator('.quick-input-widget .quick-input-box input');
    await input.fill(`:${line}:${column}`);
    await this.#page.keyboard.press('Enter');
    // The cursor moves while the place is typed; keys reach the text once the box is gone.
    await this.#page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    await this.#page
      .locator('.statusbar-item')
      .filter({ hasText: `Ln ${line}, Col ${column}` })
      .waitFor();
  }

  /** Opens the fixes at the cursor by the keyboard, and waits for the one with this title. The menu closes when the text is checked just then. */
  async openFixes(title: string): Promise<void> {
    const fix = this.#page.locator('.action-widget').getByText(title);
    for (const timeout of patience()) {
      await this.focus();
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

  /** Gives the editor the keyboard. */
  async focus(): Promise<void> {
    await this.area.locator('.native-edit-context, textarea.inputarea').first().focus();
  }

  async #writeClipboard(text: string): Promise<void> {
    await this.#page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
  }
}
