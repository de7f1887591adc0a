import type { Locator, Page } from 'playwright-core';

/** The notifications at the bottom right. */
export class Notifications {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** All notifications in view. */
  get all(): Locator {
    return this.#page.locator('.notifications-toasts .notification-list-item');
  }

  /** The notification whose message contains this text. */
  withText(text: string | RegExp): Locator {
    return this.all.filter({ has: this.#page.locator('.notification-list-item-message').filter({ hasText: text }) });
  }

  /** Waits for a notification and presses one of its buttons. */
  async press(text: string | RegExp, button: string): Promise<void> {
    const notification = this.withText(text).first();
    await notification.hover();
    await notification.getByRole('button', { name: button, exact: true }).click();
  }

  /** The messages in view, newest first. */
  async messages(): Promise<string[]> {
    const messages = await this.all.locator('.notification-list-item-message').allInnerTexts();
    return messages.map((message) => message.trim());
  }

  /** The labels of a notification's buttons. */
  async buttons(text: string | RegExp): Promise<string[]> {
    const notification = this.withText(text).first();
    await notification.hover();
    const labels = await notification
      .locator('.notification-list-item-buttons-container .monaco-button')
      .allInnerTexts();
    return labels.map((label) => label.trim()).filter((label) => label !== '');
  }
}
