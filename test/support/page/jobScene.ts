import type { Page } from 'playwright-core';
import { chooseJobLabel } from '../../../src/jobs/common/jobRow.ts';
import type { Job } from '../../../src/jobs/common/job.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import { JobPanels } from '../../../src/features/details/editor/jobPanels.ts';
import { FakeDetailsDeps } from '../../host/details/fakeDetailsDeps.ts';
import type { PageOptions, PagePanel } from './pagePanel.ts';
import type { Pages } from './usePages.ts';

/** A page that is open in a tab. */
export interface OpenPage {
  readonly panel: PagePanel;
  readonly page: Page;
}

/** The pages of jobs and of comparisons in one window, with the product's own panels and items as a service sends them. */
export class JobScene {
  readonly deps = new FakeDetailsDeps();
  /** Documents that were opened, such as `json job-1`. */
  readonly documents: string[] = [];
  readonly panels: JobPanels;
  readonly #pages: Pages;

  constructor(pages: Pages) {
    this.#pages = pages;
    this.deps.titleOf = (job) => chooseJobLabel(job, ['name', 'title', 'customer', 'project', 'show']);
    this.panels = new JobPanels(this.deps.services, this.deps.speakers, {
      openJson: ({ id }) => this.#opened(`json ${id}`),
      openDiff: (left, right) => this.#opened(`diff ${left.id} ${right.id}`),
    });
    pages.checks.push(() => this.deps.log.lines.filter((line) => /^(?:warn|error|debug dropped|debug a )/.test(line)));
  }

  /** Loads a job and opens its page. @param item as an object or as the text that a service sent */
  open(item: JsonObject | string, options?: PageOptions): Promise<OpenPage> {
    return this.openJob(this.deps.load(item), options);
  }

  /** Opens the page of a job. @param find text to search for in its transcript */
  async openJob(job: Job, options: PageOptions = {}, find?: readonly string[]): Promise<OpenPage> {
    return this.#drawn(await this.#pages.open(options, () => this.panels.open(job, { find })));
  }

  /** Loads jobs and opens a comparison of them. */
  async compare(items: readonly JsonObject[], options: PageOptions = {}): Promise<OpenPage> {
    const jobs = items.map((item): Job => this.deps.load(item));
    return this.#drawn(await this.#pages.open(options, () => this.panels.openComparison(jobs)));
  }

  /** Restores a page of a window that was closed. */
  async restore({ viewType, state, options }: PagePanel): Promise<OpenPage> {
    const panel = this.#pages.create(viewType, { ...options, state });
    await this.panels.deserializeWebviewPanel(panel.asPanel, state);
    return this.#drawn(panel);
  }

  async #drawn(panel: PagePanel): Promise<OpenPage> {
    const page = await panel.page();
    await page.locator('h1').waitFor();
    return { panel, page };
  }

  #opened(document: string): Promise<void> {
    this.documents.push(document);
    return Promise.resolve();
  }
}

/** Opens or closes a section of a job by its title. */
export function toggleSection(page: Page, title: string): Promise<void> {
  return page.getByRole('heading', { name: title, level: 2 }).getByRole('button').click();
}

/** Opens all sections of a job. */
export async function unfoldSections(page: Page): Promise<void> {
  const closed = page.locator('h2 .fold[aria-expanded=false]');
  for (let left = await closed.count(); left > 0; left--) await closed.first().click();
}

/** Expands everything that can be expanded. */
export async function unfold(page: Page): Promise<void> {
  // An expanded element no longer matches, so `first` is always the next one.
  const closed = page.locator('.fold[aria-expanded=false]:enabled');
  for (let left = await closed.count(); left > 0; left--) await closed.first().click();
}

/** Opens the page of a job, and expands all of it. */
export async function openUnfolded(pages: Pages, item: JsonObject, options?: PageOptions): Promise<Page> {
  const { page } = await new JobScene(pages).open(item, options);
  await unfold(page);
  return page;
}
