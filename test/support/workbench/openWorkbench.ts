import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/launchBrowser.ts';
import { startEditor, type Editor, type EditorOptions } from '../editor/startEditor.ts';
import { BrowserJournal } from './browserJournal.ts';
import { stateMs } from '../until.ts';
import { Workbench } from './workbench.ts';

/** Names the environment variable with the version of the editor that tests run in; unset: the newest. */
export const editorVariable = 'TEST_EDITOR';

/** A fresh editor with a browser whose profile is fresh too. */
export interface WorkbenchSession {
  readonly editor: Editor;
  readonly browser: Browser;
  /** The window that is open first. */
  readonly workbench: Workbench;
  /** What the browser asked for and complained of, over all windows. */
  readonly journal: BrowserJournal;
  /** Opens another window of the same profile on the same folder. */
  readonly openWindow: () => Promise<Workbench>;
  /** Closes the browser and stops the editor. */
  readonly close: () => Promise<void>;
}

const viewport = { width: 1400, height: 900 };

/** Starts an editor and a browser and opens the workbench; resolves when all extensions are known to it. */
export async function openWorkbench(options: EditorOptions): Promise<WorkbenchSession> {
  const version = process.env[editorVariable];
  const editor = await startEditor({ ...(version !== undefined && { version }), ...options });
  try {
    const browser = await launchBrowser();
    try {
      return await openSession(editor, browser);
    } catch (error) {
      await browser.close();
      throw error;
    }
  } catch (error) {
    await editor.stop();
    throw error;
  }
}

async function openSession(editor: Editor, browser: Browser): Promise<WorkbenchSession> {
  const context = await browser.newContext({ viewport, reducedMotion: 'reduce' });
  context.setDefaultTimeout(stateMs);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const journal = new BrowserJournal(context);
  const openWindow = async (): Promise<Workbench> => {
    const workbench = new Workbench(await context.newPage(), editor);
    await workbench.open();
    return workbench;
  };
  const close = async (): Promise<void> => {
    await browser.close();
    await editor.stop();
  };
  return { editor, browser, journal, openWindow, close, workbench: await openWindow() };
}
