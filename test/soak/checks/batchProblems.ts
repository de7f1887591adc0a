import { until } from '../../support/until.ts';
import { showBatch, titleOfAudio } from '../actions/batchActions.ts';
import { serviceJobs } from '../service/serviceTruth.ts';
import type { SoakBatch } from '../service/soakService.ts';
import type { SoakWindow } from '../soakWindow.ts';

const compareMs = 30_000;
const compareEveryMs = 500;
/** State of a request that has no row. */
const noRow = 'no row';

/** Shows the page of each batch of the window's service, which no longer changes, and compares its rows with the service. */
export async function batchProblems(window: SoakWindow): Promise<readonly string[]> {
  const { service, texts } = window;
  const jobs = await serviceJobs(service.sample, 'pre-recorded', undefined);
  const done = new Set(jobs.flatMap(({ status, file }) => (status === 'done' && file?.source ? [file.source] : [])));
  const posted = new Set(service.posts);
  // Only the window that was given a list knows the requests that are left of it.
  const notSent = new RegExp(`${texts.whole('not sent').source}|^${noRow}$`, 'iu');
  /** A request that was sent and created no job may have created one, was rejected, or accepted without the id of a job. */
  const expectedOf = (url: string): RegExp =>
    done.has(url)
      ? texts.whole('Done/one job')
      : posted.has(url)
        ? texts.whole('outcome unknown', 'rejected', 'accepted')
        : notSent;
  const problemsOf = async (batch: SoakBatch): Promise<readonly string[]> => {
    await window.tidy();
    const page = await showBatch(window, batch);
    let problems: readonly string[] = [];
    const rows = page.locator('.grid-body [role=row]');
    const compare = async (): Promise<boolean> => {
      const shown = await rows.evaluateAll((all: readonly GridRow[]) =>
        all.map((row) => ({
          title: row.querySelector('[role=rowheader]')?.innerText ?? '',
          state: row.querySelector('.status')?.innerText ?? '',
        })),
      );
      problems = batch.urls.flatMap((url) => {
        const { state = noRow } = shown.find(({ title }) => title === titleOfAudio(url)) ?? {};
        const expected = expectedOf(url);
        return expected.test(state)
          ? []
          : [`${batch.list}, ${titleOfAudio(url)}: ${state}, and not ${String(expected)}`];
      });
      return problems.length === 0;
    };
    // Only differences that remain at the end are problems.
    await until('the page shows what the service has', compare, compareEveryMs, compareMs).catch(() => undefined);
    return problems;
  };
  const problems: string[] = [];
  for (const batch of service.batches.filter(({ runs }) => runs.length > 0))
    problems.push(...(await problemsOf(batch)));
  return problems;
}

/** The members of a row's element that are read in the page. */
interface GridRow {
  querySelector(selector: string): { readonly innerText: string } | null;
}
