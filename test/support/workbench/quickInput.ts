import type { Locator, Page } from 'playwright-core';
import { isReached } from '../until.ts';
import { patience } from './patience.ts';

/** The members of a row's element that are used in the page. */
interface ClickTarget {
  closest(selector: string): ClickTarget | null;
  addEventListener(type: 'click', listener: () => void, options: { readonly capture: true }): void;
}

/** The members of the input's element that are used in the page. */
interface InputElement {
  readonly value?: string;
  focus(): void;
  setSelectionRange?(start: number, end: number): void;
}

/** The widget at the top: the palette, quick picks and input boxes, which all share one widget. */
export class QuickInput {
  readonly #page: Page;
  readonly #widget: Locator;
  readonly #input: Locator;

  constructor(page: Page) {
    this.#page = page;
    this.#widget = page.locator('.quick-input-widget');
    this.#input = this.#widget.locator('.quick-input-box input');
  }

  /** Waits until it is open and, if part of a title or placeholder is given, at that step. */
  async shown(step?: string | RegExp, timeout?: number): Promise<void> {
    const waiting = timeout === undefined ? {} : { timeout };
    await this.#widget.waitFor(waiting);
    if (step !== undefined) await this.step(step).first().waitFor(waiting);
  }

  /** Returns the content of the step with this part of a title or placeholder. */
  step(step: string | RegExp): Locator {
    return this.#widget.locator('.quick-input-title').filter({ hasText: step }).or(this.#widget.getByPlaceholder(step));
  }

  async hidden(): Promise<void> {
    await this.#widget.waitFor({ state: 'hidden' });
  }

  /** Types at the end of the current input. Sends no keys, which would go to the list behind it if the widget was closed meanwhile. */
  async type(text: string): Promise<void> {
    await this.#input.evaluate((input: InputElement) => {
      input.focus();
      const end = input.value?.length ?? 0;
      input.setSelectionRange?.(end, end);
    });
    await this.#page.keyboard.insertText(text);
  }

  /** Replaces the input and confirms with Enter, as input boxes need. */
  async answer(text: string): Promise<void> {
    await this.#input.fill(text);
    await this.accept();
  }

  /**
   * Filters the list and picks the entry with exactly this label.
   * @param next title of the step that it leads to: a list that grows under the mouse may take the click for another row
   */
  async pick(label: string, next?: string): Promise<void> {
    for (const timeout of patience()) {
      if (!(await this.#tryPick(label, timeout))) {
        if (await this.#widget.isVisible()) continue;
        throw new Error(`the question was closed before "${label}" was picked`);
      }
      if (next === undefined || (await isReached(this.shown(next, timeout)))) return;
      await isReached(this.#widget.getByRole('button', { name: 'Back' }).click({ timeout }));
    }
    throw new Error(`"${label}" was not offered, or stayed when it was picked`);
  }

  async #tryPick(label: string, timeout: number): Promise<boolean> {
    const item = this.item(label).first();
    // Between two steps the widget is briefly closed and typed text would go elsewhere, so nothing is typed if the entry is shown already.
    // The last row of a long list may be rendered under the input: filtering moves it into view.
    if (await isReached(item.waitFor({ timeout }))) {
      const step = await this.#describeStep();
      if (await choose(item, timeout)) return true;
      // On a busy machine a click may have its effect after its timeout: then another step is open.
      if ((await this.#widget.isVisible()) && (await this.#describeStep()) !== step) return true;
    }
    if (await isReached(this.#input.fill(label, { timeout }))) await isReached(item.waitFor({ timeout }));
    return false;
  }

  /** Returns what distinguishes a step from the next one: its title and its placeholder. */
  async #describeStep(): Promise<string> {
    const title = await this.#widget.locator('.quick-input-title').textContent();
    return `${title} ${await this.#input.getAttribute('placeholder')}`;
  }

  /**
   * Opens the widget with a key, types `text` and picks the entry with exactly this label. A webview that is loading
   * may swallow the key or take the focus back, which closes the widget: the key is then pressed again.
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
      // On a busy machine a click may have its effect after its timeout: the dialog that the command shows then takes all keys.
      if (await this.#page.locator('.monaco-dialog-box').isVisible()) return;
      // Text typed before the widget was ready is lost: start again.
      if (await this.#widget.isVisible()) await this.cancel();
    }
    throw new Error(`"${label}" was not offered after ${key}`);
  }

  /** Toggles an entry of a list with multiple selection. */
  async toggle(label: string): Promise<void> {
    await this.item(label).first().getByRole('checkbox').click();
  }

  async accept(): Promise<void> {
    await this.#input.focus();
    await this.#page.keyboard.press('Enter');
  }

  /** Closes it with Escape and waits until it is closed. */
  async cancel(): Promise<void> {
    await this.#page.keyboard.press('Escape');
    await this.hidden();
  }

  /** Returns the entry with exactly this label, whatever its icon and description. */
  item(label: string): Locator {
    const exact = new RegExp(`^\\s*${label.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}\\s*$`);
    // With multiple selection, entries are checkboxes; otherwise they are options.
    return this.#widget
      .getByRole('listbox')
      .locator('.monaco-list-row')
      .filter({ has: this.#page.locator('.quick-input-list-row .label-name').filter({ hasText: exact }) });
  }

  /** The labels of the entries in view. */
  async labels(): Promise<string[]> {
    await this.#widget.locator('.monaco-list-row').first().waitFor();
    const labels = await this.#widget.locator('.quick-input-list .label-name').allInnerTexts();
    return labels.map((label) => label.replaceAll(/\s+/g, ' ').trim());
  }

  /** The text below the input: the prompt or the validation message. */
  get message(): Locator {
    return this.#widget.locator('.quick-input-message');
  }

  /** The input element, to check its value, type or placeholder. */
  get input(): Locator {
    return this.#input;
  }
}

/**
 * Clicks an entry. The click is lost if the list is rendered again meanwhile, or if something takes the focus and closes the widget.
 * @returns true if it was clicked and is gone: the widget has closed or shows the next step
 */
async function choose(item: Locator, timeout: number): Promise<boolean> {
  // On a busy machine a click may have its effect after its timeout. The rows may be rendered again meanwhile, the widget stays.
  const hear = (row: ClickTarget): { isHeard: boolean } => {
    const click = { isHeard: false };
    row.closest('.quick-input-widget')?.addEventListener('click', () => (click.isHeard = true), { capture: true });
    return click;
  };
  const click = await item.evaluateHandle(hear, undefined, { timeout }).catch(() => undefined);
  if (click === undefined) return false;
  // If the widget has been closed, the entry never returns: the rest of the time is for the effect of the click.
  const isClicked = await isReached(item.click({ timeout: timeout / 4 }));
  if (!(await isReached(item.waitFor({ state: 'hidden', timeout })))) return false;
  // If the click has reloaded the window, its page can't be asked.
  return isClicked || click.evaluate(({ isHeard }) => isHeard).catch(() => true);
}
