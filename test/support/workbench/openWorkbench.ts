import type { Browser } from 'playwright-core';
import { launchBrowser } from '../editor/launchBrowser.ts';
import { startEditor, windowUrl, type Editor, type EditorOptions } from '../editor/startEditor.ts';
import { BrowserJournal } from './browserJournal.ts';
import { stateMs } from '../until.ts';
import { Workbench } from './workbench.ts';

/** The environment variable with the editor version for tests; by default the newest. */
export const editorVariable = 'TEST_EDITOR';

/** A new editor and a browser with a new profile. */
export interface WorkbenchSession {
  readonly editor: Editor;
  readonly browser: Browser;
  /** The first window. */
  readonly workbench: Workbench;
  /** Requests and errors of the browser in all windows. */
  readonly journal: BrowserJournal;
  /** Opens another window of the same profile. @param folder by default the same one */
  readonly openWindow: (folder?: string) => Promise<Workbench>;
  readonly close: () => Promise<void>;
}

const viewport = { width: 1400, height: 900 };

/** Starts an editor and a browser and opens the workbench; resolves when the workbench knows all extensions. */
export async function openWorkbench(options: EditorOptions): Promise<WorkbenchSession> {
  const version = process.env[editorVariable];
  return openWorkbenchOf(await startEditor({ ...(version !== undefined && { version }), ...options }));
}

/** Starts a browser and opens the workbench of an editor, which is stopped with it. */
export async function openWorkbenchOf(editor: Editor): Promise<WorkbenchSession> {
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
  const openWindow = async (folder?: string): Promise<Workbench> => {
    const url = folder === undefined ? editor.url : windowUrl(editor.port, folder);
    const workbench = new Workbench(await context.newPage(), { ...editor, url });
    await workbench.open();
    return workbench;
  };
  const close = async (): Promise<void> => {
    await browser.close();
    await editor.stop();
  };
  return { editor, browser, journal, openWindow, close, workbench: await openWindow() };
}
