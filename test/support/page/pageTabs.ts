import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Route } from 'playwright-core';
import { launchBrowser } from '../editor/launchBrowser.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import type { Theme } from '../workbench/themes.ts';
import { PagePanel, type PageOptions, type TabOpener } from './pagePanel.ts';
import { readRecordedThemes, type RecordedTheme } from './recordedThemes.ts';

/** The time of the pages' clocks: just after the times of the fixtures. */
export const pageNowMs = Date.UTC(2026, 10, 20, 12);

/** Max time for a page to reach a state, in milliseconds. */
export const pageMs = 20_000;

const usualSize = { width: 1000, height: 760 };
/** The origin of the documents, and of the folder from which they may load files. */
const documents = 'https://documents.page';
const resources = /^https:\/\/resources\.page\/extension\/(dist\/page\/[\w.]+)$/;
const { defaultStyles, themes } = readRecordedThemes();

/** The tabs of one test file. */
export class PageTabs implements TabOpener {
  readonly #browser: Browser;
  readonly #context: BrowserContext;
  readonly #panels = new Map<PagePanel, Page | undefined>();

  /** Connects to the browser that test files share, or launches one. The caller closes the result. */
  static async open(): Promise<PageTabs> {
    const browser = await launchBrowser();
    const context = await browser.newContext({
      viewport: usualSize,
      locale: 'en-US',
      timezoneId: 'Europe/Paris',
      reducedMotion: 'reduce',
    });
    return new PageTabs(browser, context).#listen();
  }

  private constructor(browser: Browser, context: BrowserContext) {
    this.#browser = browser;
    this.#context = context;
  }

  async #listen(): Promise<this> {
    this.#context.setDefaultTimeout(pageMs);
    await this.#context.clock.setFixedTime(pageNowMs);
    await this.#context.exposeBinding('toEditor', ({ page }, channel: string, json: string) => {
      const panel = this.#panelOf(page);
      const content: unknown = JSON.parse(json);
      if (channel === 'message') panel?.receive(content);
      else if (channel === 'state') panel?.keep(content);
      else panel?.problems.push(`the policy was violated: ${json}`);
    });
    await this.#context.route('**/*', (route) => this.#serve(route));
    return this;
  }

  create(viewType: string, options: PageOptions): PagePanel {
    const panel = new PagePanel(viewType, options, this);
    this.#panels.set(panel, undefined);
    return panel;
  }

  async load(panel: PagePanel): Promise<Page> {
    let page = this.#panels.get(panel);
    if (page === undefined) {
      page = await this.#context.newPage();
      this.#panels.set(panel, page);
      const { problems, options } = panel;
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) problems.push(`${message.type()}: ${message.text()}`);
      });
      page.on('pageerror', (error) => problems.push(`thrown on the page: ${error.stack ?? error.message}`));
      if (options.size !== undefined) await page.setViewportSize(options.size);
      await options.prepare?.(page);
    }
    await page.goto(`${documents}/${[...this.#panels.keys()].indexOf(panel)}`);
    return page;
  }

  /** Takes a screenshot of each tab. */
  async takePictures(folder: string): Promise<void> {
    for (const [place, page] of [...this.#panels.values()].entries()) {
      await page?.screenshot({ path: join(folder, `${place + 1}.png`) });
    }
  }

  /** Closes all tabs. @returns the problems in them */
  async closeAll(): Promise<readonly string[]> {
    const panels = [...this.#panels];
    this.#panels.clear();
    for (const [panel, page] of panels) {
      panel.dispose();
      await page?.close();
    }
    return panels.flatMap(([{ problems }]) => problems);
  }

  async close(): Promise<void> {
    await this.#context.close();
    await this.#browser.close();
  }

  #panelOf(page: Page): PagePanel | undefined {
    return [...this.#panels].find(([, each]) => each === page)?.[0];
  }

  async #serve(route: Route): Promise<void> {
    const url = route.request().url();
    const [, file] = resources.exec(url) ?? [];
    const panel = [...this.#panels.keys()][Number(url.startsWith(documents) ? new URL(url).pathname.slice(1) : NaN)];
    if (panel !== undefined && route.request().resourceType() === 'document') {
      await route.fulfill({ contentType: 'text/html', body: documentOf(panel) });
    } else if (file !== undefined) await route.fulfill({ path: join(repositoryRoot, file) });
    else {
      for (const each of this.#panels.keys()) each.problems.push(`asked for ${url}`);
      await route.abort();
    }
  }
}

/** Changes the colours of an open page to those of another theme, as an editor does. */
export async function turnTo(page: Page, theme: Theme): Promise<void> {
  const script = `({ classes, data, variables }) => {
    document.body.className = classes;
    Object.assign(document.body.dataset, data);
    const { style } = document.documentElement;
    for (const [name, value] of Object.entries(variables)) {
      if (value === null) style.removeProperty(name);
      else style.setProperty(name, value);
    }
  }`;
  await page.evaluate(`(${script})(${JSON.stringify(themes[theme])})`);
}

/** Returns the HTML of a panel with the parts that an editor inserts before its policy: the default styles, its API, and the theme. */
function documentOf({ html, options, state }: PagePanel): string {
  const { classes, data, variables }: RecordedTheme = themes[options.theme ?? 'dark'];
  const style = Object.entries(variables)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ');
  const attributes = Object.entries(data).map(([name, value]) => `data-${dashed(name)}="${escaped(value)}"`);
  const parts = [
    ['<html ', `<html style="${escaped(style)}" `],
    ['<head>', `<head><style id="_defaultStyles">${defaultStyles}</style><script>${apiScript(state)}</script>`],
    ['<body>', `<body class="${escaped(classes)}" role="document" ${attributes.join(' ')}>`],
  ] as const;
  return parts.reduce((text, [tag, more]) => {
    if (!text.includes(tag)) throw new Error(`The page has no ${tag}`);
    return text.replace(tag, () => more);
  }, html);
}

function apiScript(state: unknown): string {
  const json = JSON.stringify(state ?? null).replaceAll('<', String.raw`\u003c`);
  return `
    globalThis.acquireVsCodeApi = (() => {
      let isAcquired = false;
      let state = ${json} ?? undefined;
      return () => {
        if (isAcquired) throw new Error('An instance of the VS Code API has already been acquired');
        isAcquired = true;
        return Object.freeze({
          postMessage: (message) => void toEditor('message', JSON.stringify(message)),
          setState: (next) => {
            state = next;
            void toEditor('state', JSON.stringify(next));
            return next;
          },
          getState: () => state,
        });
      };
    })();
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) => {
      void toEditor('violation', JSON.stringify({ violatedDirective, blockedURI, sample }));
    });`;
}

function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
}
