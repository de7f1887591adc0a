import type { Locator, Page } from 'playwright-core';
import { isReached } from '../until.ts';
import { patience } from './patience.ts';

/** The box at the top: the palette, quick picks and input boxes, whose steps all look alike. */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;
  readonly #input: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget');
    this.#input = this.#widget.locator('.quick-input-box input');
  }

  /** Waits until it is open and, when a part of its title or placeholder is given, at that step. */
  async shown(step?: string | RegExp): Promise<void> {
    await this.#widget.waitFor();
    if (step === undefined) return;
    const title = this.#widget.locator('.quick-input-title').filter({ hasText: step });
    const placeholder = this.#widget.getByPlaceholder(step);
    await title.or(placeholder).first().waitFor();
  }

  /** Waits until it is closed. */
  async hidden(): Promise<void> {
    await this.#widget.waitFor({ state: 'hidden' });
  }

  /** Types at the end of what is there. */
  async type(text: string): Promise<void> {
    await this.#input.focus();
    await this.#page.keyboard.press('End');
    await this.#page.keyboard.insertText(text);
  }

  /** Replaces what was typed and confirms with Enter, as an input box wants it. */
  async answer(text: string): Promise<void> {
    await this.#input.fill(text);
    await this.accept();
  }

  /** Narrows the list down and picks the entry with exactly this label. */
  async pick(label: string): Promise<void> {
    const item = this.item(label).first();
    for (const timeout of patience()) {
      // Between two steps the box is gone for a moment, and what is typed then goes elsewhere: a list that shows the entry needs no typing.
      // A long list draws a row more than it has room for, and that row lies under the input: narrowing brings it out.
      if ((await isReached(item.waitFor({ timeout }))) && (await choose(item, timeout))) return;
      if (await isReached(this.#input.fill(label, { timeout }))) await isReached(item.waitFor({ timeout }));
    }
    throw new Error(`"${label}" was not offered, or stayed when it was picked`);
  }

  /**
   * Opens it with a key, types `text` and picks the entry with exactly this label. A webview that is just loading swallows the key or takes the
   * focus back, which closes the box; a person would then press the key again, and so does this.
   */
  async open(key: string, text: string, label = text): Promise<void> {
    const item = this.item(label).first();
    for (const timeout of patience()) {
      await this.#page.keyboard.press(key);
      if (!(await isReached(this.#widget.waitFor({ timeout })))) continue;
      await this.type(text);
      const offered = isReached(item.waitFor({ timeout }));
      const closed = isReached(this.#widget.waitFor({ state: 'hidden', timeout })).then(() => false);
      if ((await Promise.race([offered, closed])) && (await choose(item, timeout))) return;
      // What was typed before the box was ready is gone: it begins anew.
      if (await this.#widget.isVisible()) await this.cancel();
    }
    throw new Error(`"${label}" was not offered after ${key}`);
  }

  /** Marks or unmarks an entry of a list in which several can be chosen. */
  async toggle(label: string): Promise<void> {
    await this.item(label).first().getByRole('checkbox').click();
  }

  /** Confirms with Enter. */
  async accept(): Promise<void> {
    await this.#input.focus();
    await this.#page.keyboard.press('Enter');
  }

  /** Leaves with Escape and waits until it is closed. */
  async cancel(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.hidden();
  }

  /** Goes back one step. */
  async back(): Promise<void> {
    await this.#widget.getByRole('button', { name: 'Back' }).click();
  }

  /** The entry with exactly this label, whatever its icon and description. */
  item(label: string): Locator {
    const exact = new RegExp(`^\\s*${label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\\s*$`);
    // Where several can be chosen, entries are checkboxes; elsewhere they are options.
    return this.#widget
      .getByRole('listbox')
      .locator('.monaco-list-row')
      .filter({ has: this.#page.locator('.quick-input-list-row .label-name').filter({ hasText: exact }) });
  }

  /** Labels of the entries in view. */
  async labels(): Promise<string[]> {
    await this.#widget.locator('.monaco-list-row').first().waitFor();
    const labels = await this.#widget.locator('.quick-input-list .label-name').allInnerTexts();
    return labels.map((label) => label.replaceAll(/\s+/g, ' ').trim());
  }

  /** What stands under the input: the prompt or what is wrong with the answer. */
  get message(): Locator {
    return this.#widget.locator('.quick-input-message');
  }

  /** The input itself, to look at its value, type or placeholder. */
  get input(): Locator {
    return this.#input;
  }
}

/**
 * Clicks an entry. A click is lost when the list draws itself anew just then, and may land after it was given up.
 * @returns whether the entry has gone: the box has closed or is a step further
 */
async function choose(item: Locator, timeout: number): Promise<boolean> {
  await isReached(item.click({ timeout }));
  return isReached(item.waitFor({ state: 'hidden', timeout }));
}
