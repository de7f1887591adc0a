import { AssertionError } from 'node:assert';
import { basename, resolve } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import type { Editor } from '../editor/startEditor.ts';
import { isReached, stateMs, until } from '../until.ts';
import { Notifications } from './notifications.ts';
import { patience } from './patience.ts';
import { QuickInput } from './quickInput.ts';
import { TextEditor } from './textEditor.ts';
import { Tree } from './tree.ts';
import { webviewFrame } from './webviewFrame.ts';

/** One window of the editor, as a person sees it. Every method waits for the state that it promises. */
export class Workbench {
  readonly page: Page;
  readonly quickInput: QuickInput;
  readonly notifications: Notifications;
  readonly textEditor: TextEditor;
  readonly #editor: Editor;

  constructor(page: Page, editor: Editor) {
    this.page = page;
    this.#editor = editor;
    this.quickInput = new QuickInput(page);
    this.notifications = new Notifications(page);
    this.textEditor = new TextEditor(page);
    // Confirms leaving the page with unsaved text.
    page.on('dialog', (dialog) => void dialog.accept());
  }

  /** Opens the page and waits until the workbench knows all extensions. */
  async open(): Promise<void> {
    await this.page.goto(this.#editor.url);
    await this.#whenReady();
  }

  /** Reloads the window with the editor's own command, which first stores the window's state, unlike the browser's. */
  async reload(): Promise<void> {
    await this.page.evaluate('window.beforeReload = true');
    await this.runCommand('Developer: Reload Window');
    await this.page.waitForFunction('window.beforeReload === undefined');
    await this.#whenReady();
  }

  /** Runs a command by its title in the palette, such as `Transcription: Refresh`. */
  async runCommand(title: string): Promise<void> {
    await this.quickInput.open('F1', title);
  }

  /**
   * Runs a command that prompts, or presses such a button, and waits for the prompt. Other activity in the window may take the focus, which
   * closes the prompt: then the command runs again.
   * @param step part of the prompt's title or placeholder
   */
  async ask(asking: string | Locator, step: string | RegExp): Promise<void> {
    for (const timeout of patience()) {
      if (typeof asking === 'string') await this.runCommand(asking);
      else await isReached(asking.click({ timeout }));
      if (await isReached(this.quickInput.shown(step, timeout))) return;
    }
    throw new Error(`${String(asking)} did not ask for ${String(step)}`);
  }

  /**
   * Answers the prompts of a command one after another, and starts over if one was closed before it was answered: other activity in the
   * window may take the focus.
   * @param answer from the command on
   */
  async answerAll(answer: () => Promise<void>): Promise<void> {
    for (const timeout of [10_000, 30_000]) {
      this.page.setDefaultTimeout(timeout);
      try {
        return await answer();
      } catch (error) {
        if (error instanceof AssertionError) throw error;
        await this.page.keyboard.press('Escape');
        await this.page.keyboard.press('Escape');
      } finally {
        this.page.setDefaultTimeout(stateMs);
      }
    }
    await answer();
  }

  /** Runs a command that prompts, and picks an entry. @param next title of the step that it leads to */
  async runAndPick(title: string, label: string, next?: string): Promise<void> {
    await this.answerAll(async () => {
      await this.runCommand(title);
      await this.quickInput.pick(label, next);
    });
  }

  /** Types the beginning of a title into the palette and returns the titles it offers, without picking one. */
  async offeredCommands(text: string): Promise<string[]> {
    return until(`commands that begin with ${text} are offered`, async () => {
      await this.openPalette();
      await this.quickInput.type(text);
      const offered = await this.quickInput.labels();
      await this.quickInput.cancel();
      // What is typed before the palette is ready is lost.
      return offered.some((label) => label.startsWith(text)) && offered;
    });
  }

  async openPalette(): Promise<void> {
    await this.page.keyboard.press('F1');
    await this.quickInput.shown();
  }

  /** Shows a view container by its name in the activity bar. */
  async showView(container: string): Promise<void> {
    const tab = this.page.locator('.activitybar').getByRole('tab', { name: container });
    const title = this.page.locator('.sidebar .composite.title', { hasText: container });
    await until(`${container} is shown`, async () => {
      if (await title.isVisible()) return true;
      // The click is lost if the bar is rendered again meanwhile, and a second one would hide the view again.
      const isSelected = (await tab.getAttribute('aria-selected')) === 'true';
      if (!isSelected) await isReached(tab.click({ timeout: 2000 }));
      return isReached(title.waitFor({ timeout: 2000 }));
    });
  }

  /** The tree with this accessible name, such as the view's title. */
  tree(name: string): Tree {
    return new Tree(this.page, name);
  }

  /** The buttons, links and text that a view shows instead of rows. */
  get welcome(): Locator {
    return this.page.locator('.sidebar .welcome-view-content');
  }

  /** Opens a file by its path, absolute or relative to the open folder. */
  async openFile(path: string): Promise<TextEditor> {
    const folder = new URL(this.#editor.url).searchParams.get('folder') ?? '/';
    // A full path is found without the editor's file search, which older builds lack.
    for (const timeout of patience()) {
      await this.quickInput.open('Control+P', resolve(folder, path), basename(path));
      // A page that is rendered at that moment stays in front.
      if (await isReached(this.textEditor.shown(basename(path), timeout))) return this.textEditor;
    }
    throw new Error(`${path} was not opened`);
  }

  /** The tab of an editor, by its label. */
  editorTab(label: string | RegExp): Locator {
    return this.page.locator('.tabs-container').getByRole('tab', { name: label });
  }

  /** The document inside the webview with this title. */
  webview(title: string | RegExp, boundMs?: number): Promise<FrameLocator> {
    return webviewFrame(this.page, title, boundMs);
  }

  /** A status bar item, by its text or accessible name. */
  statusBarItem(text: string | RegExp): Locator {
    return this.page.locator('.statusbar-item').filter({ hasText: text });
  }

  /** Waits until the status bar shows these problem counts, over all files. */
  async problems(expected: { readonly errors: number; readonly warnings: number }): Promise<void> {
    const name = expected.errors + expected.warnings === 0 ? 'No Problems' : problemCount(expected);
    await this.page.locator(`[id="status.problems"][aria-label="${name}"]`).waitFor();
  }

  /** A button of a modal dialog. */
  dialogButton(label: string | RegExp): Locator {
    return this.page.locator('.monaco-dialog-box').getByRole('button', { name: label });
  }

  /** The text of the modal dialog, once it is open. */
  async dialogText(): Promise<string> {
    return (await this.page.locator('.monaco-dialog-box .dialog-message-container').innerText()).trim();
  }

  async #whenReady(): Promise<void> {
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor();
    await this.page.waitForFunction(`performance.getEntriesByName('code/didLoadExtensions').length > 0`);
  }
}

function problemCount({ errors, warnings }: { readonly errors: number; readonly warnings: number }): string {
  const parts = [errors > 0 ? `Errors: ${errors}` : '', warnings > 0 ? `Warnings: ${warnings}` : ''];
  return parts.filter((part) => part !== '').join(', ');
}
