import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, type TestContext } from 'node:test';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { onShutdown } from '../editor/shutdown.ts';
import { until } from '../until.ts';
import { stubEditor } from './editorStub.ts';
import { setPageLanguage } from './pageLanguage.ts';
import type { PageOptions, PagePanel } from './pagePanel.ts';
import { pageMs, PageTabs } from './pageTabs.ts';

/** Opens panels in tabs of the browser, and asserts after each test that they had no problems. */
export class Pages {
  #tabs: PageTabs | undefined;
  #options: PageOptions = {};
  /** Additional checks after each test: each returns the problems found. */
  readonly checks: (() => readonly string[])[] = [];

  /** Runs code of the product that creates a panel. @returns that panel, once its page is loaded */
  async open(options: PageOptions, create: () => void): Promise<PagePanel> {
    this.#options = options;
    const opened = this.next();
    create();
    return opened;
  }

  /** Returns the panel that the product creates next, once its page is loaded. */
  async next(): Promise<PagePanel> {
    const panel = await new Promise<PagePanel>((resolve) => {
      stubEditor.createPanel = (viewType) => {
        const created = this.create(viewType);
        resolve(created);
        return created;
      };
    });
    await panel.page();
    return panel;
  }

  /** Creates a panel without a page, as an editor restores it after a reload of its window. */
  create(viewType: string, options = this.#options): PagePanel {
    if (this.#tabs === undefined) throw new Error('Pages can be opened in tests only');
    return this.#tabs.create(viewType, options);
  }

  async start(): Promise<void> {
    this.#tabs = await PageTabs.open();
  }

  async takePictures(folder: string): Promise<void> {
    await this.#tabs?.takePictures(folder);
  }

  /** Closes the tabs of a test. @returns the problems */
  async clear(): Promise<readonly string[]> {
    const problems = (await this.#tabs?.closeAll()) ?? [];
    stubEditor.reset();
    setPageLanguage('en');
    return [...problems, ...this.checks.splice(0).flatMap((check) => check())];
  }

  async stop(): Promise<void> {
    await this.#tabs?.close();
  }
}

const results = join(repositoryRoot, 'out/test-results/page');

/**
 * Provides the tests of the calling file with tabs of a browser. A test fails if its pages have any problem; screenshots of the pages of a
 * failed test are stored in `out/test-results/page/<test>/`.
 */
export function usePages(): Pages {
  const pages = new Pages();
  let forget = (): unknown => undefined;
  before(async () => {
    forget = onShutdown(() => pages.stop());
    await pages.start();
  });
  afterEach(async (context) => {
    const { fullName, passed } = context as TestContext & { readonly passed: boolean };
    const folder = join(results, fullName.replaceAll(/[^\w]+/g, '-').slice(0, 80));
    if (!passed) await pages.takePictures(folder);
    const problems = await pages.clear();
    if (passed) assert.deepEqual(problems, []);
    else console.log([`pictures of the failure: ${folder}`, ...problems].join('\n'));
  });
  after(async () => {
    await pages.stop();
    forget();
  });
  return pages;
}

/** Waits for a state of a page that has no locator. */
export async function pageUntil<T>(what: string, ask: () => Promise<T> | T): Promise<NonNullable<Exclude<T, false>>> {
  return until(what, ask, 20, pageMs);
}
