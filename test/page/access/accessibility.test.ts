import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fixtureItem } from '../../support/details/fixtureItems.ts';
import { answer, silence } from '../../support/faults/plays.ts';
import { addBoardJobs, BoardScene, openFullBoard } from '../../support/page/boardScene.ts';
import { echoingJob, otherSession, translatedJob } from '../../support/page/jobItems.ts';
import { JobScene, openUnfolded, unfold } from '../../support/page/jobScene.ts';
import { pageNowMs, turnTo } from '../../support/page/pageTabs.ts';
import { usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';

const pages = usePages();
const empty = await useRemoteService({ count: 0, clock: () => pageNowMs });
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);

async function openAbsent(find: JobScene['deps']['find'], says: string): Promise<Page> {
  const { panel } = await new JobScene(pages).open(fixtureItem('preRecordedDone'));
  const scene = new JobScene(pages);
  scene.deps.find = find;
  const { page } = await scene.restore(panel);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText(says).waitFor();
  return page;
}

/** States of the pages, each with a function that opens it. */
const states: Readonly<Record<string, () => Promise<Page>>> = {
  'a done job with a hit in its transcript': async () => {
    const page = await openUnfolded(pages, fixtureItem('preRecordedDone'));
    await page.getByRole('button', { name: 'Confidence' }).click();
    await page.getByRole('searchbox').fill('it');
    await page.locator('mark.current').waitFor();
    return page;
  },
  'a job with a translation, failed in part': async () => {
    const page = await openUnfolded(pages, translatedJob);
    await page.getByRole('button', { name: 'Translation: en' }).click();
    return page;
  },
  'a failed job with its request': () => openUnfolded(pages, echoingJob),
  'a job that is being processed': () => openUnfolded(pages, fixtureItem('preRecordedProcessing')),
  'a live session': () => openUnfolded(pages, fixtureItem('liveDone')),
  'a job with only an ID': () => openUnfolded(pages, fixtureItem('nearlyEmpty')),
  'a job that is being searched': () => openAbsent(() => new Promise(() => {}), 'Searching for this job…'),
  'a job that was not found': () => openAbsent(() => Promise.resolve(undefined), 'was not found'),
  'a comparison of sessions': async () => {
    const { page } = await new JobScene(pages).compare([fixtureItem('liveDone'), otherSession]);
    await unfold(page);
    return page;
  },
  'a board with a selection, conditions and a finding': () => openFullBoard(pages, remote),
  'a board with its chart as a table and the list of columns': async () => {
    const { page } = await new BoardScene(pages, remote).open();
    await page.getByRole('button', { name: 'Show as Table' }).click();
    await page.getByRole('button', { name: 'Columns…' }).click();
    await page.getByRole('searchbox').waitFor();
    return page;
  },
  'a board without jobs': async () => (await new BoardScene(pages, empty).open()).page,
  'a board that could not be read': async () => {
    remote.break(answer(403, 'no'));
    const { page } = await new BoardScene(pages, remote).open({}, 'Try Again');
    remote.break();
    return page;
  },
  'a board that is being read': async () => {
    remote.break(silence, ({ path }) => /pre-recorded\?offset=(?!0&)/.test(path));
    const { page } = await new BoardScene(pages, remote).open({}, /^Reading: \d{3} jobs/);
    remote.break();
    return page;
  },
  'a board with figures of another range': async () => {
    const { page } = await new BoardScene(pages, remote).open();
    remote.break(silence);
    await page.getByRole('button', { name: '24 hours' }).click();
    await page.locator('main.outdated').waitFor();
    remote.break();
    return page;
  },
};

for (const [state, open] of Object.entries(states)) {
  test(`${state} has no accessibility violation in any theme`, async () => {
    const page = await open();
    const found = await axeViolations(page);
    for (const theme of ['light', 'highContrast', 'highContrastLight'] as const) {
      await turnTo(page, theme);
      // The other rules of axe give the same result in every theme.
      found.push(...(await axeViolations(page, ['color-contrast'])).map((each) => `${theme}: ${each}`));
    }
    assert.deepEqual(found, []);
  });
}
