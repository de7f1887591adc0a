import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { minuteMs } from '../../../src/base/time.ts';
import type { JobStatus } from '../../../src/jobs/common/job.ts';
import { anAttention } from '../../unit/features/attention/common/anAttention.ts';
import { hasRows, BoardScene } from '../../support/page/boardScene.ts';
import { pageNowMs } from '../../support/page/pageTabs.ts';
import { usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { listedJob } from '../../support/builders/listedJob.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
const sinceMs = pageNowMs - 60 * minuteMs;

/** Adds a job of a customer, and returns it as it is listed. */
function add(
  id: string,
  createdAt: number,
  language: string,
  status: JobStatus = 'done',
  { customer = 'aurora', errorCode = 422, completedAt = createdAt + minuteMs } = {},
) {
  const fields = {
    completed_at: new Date(completedAt).toISOString(),
    custom_metadata: { customer, language },
  };
  remote.sample.add({ id, kind: 'pre-recorded', createdAt, status, errorCode, fields });
  const created_at = new Date(createdAt).toISOString();
  return listedJob({ id, kind: 'pre-recorded', status, created_at, error_code: errorCode, ...fields });
}

// One failure of another customer long before, and since an hour ago all jobs in French.
const before = add('before', pageNowMs - 16 * 60 * minuteMs, 'fr', 'error', { customer: 'borealis' });
for (let serial = 0; serial < 60; serial++) add(`done-${serial}`, pageNowMs - (serial + 1) * 15 * minuteMs, 'en');
const failed = Array.from({ length: 12 }, (_, serial) =>
  add(`fr-${serial}`, sinceMs + serial * minuteMs, 'fr', 'error'),
);
const others = Array.from({ length: 40 }, (_, serial) =>
  listedJob({
    id: `other-${serial}`,
    status: 'error',
    created_at: new Date(pageNowMs - (serial + 120) * 7 * minuteMs).toISOString(),
    completed_at: null,
    error_code: 500,
  }),
);

const says = /^Read at 1:00 PM: \d+ jobs/;

function attentionTo(jobs: Parameters<typeof anAttention>[0]) {
  const attention = anAttention(jobs, { atMs: pageNowMs - 5 * minuteMs });
  const group = attention.groups.find(({ code }) => code === 422);
  assert.ok(group?.rise, 'the failures are more frequent');
  return { attention, row: { type: 'failureGroup', group: group.id } as const };
}

async function explain(page: Page) {
  await page.getByRole('button', { name: 'What Changed?' }).click();
  return page.getByRole('region', { name: 'What changed' });
}

test('explains the failures of a row by the time before them, although they are all that is shown', async () => {
  const scene = new BoardScene(pages, remote);
  const { attention, row } = attentionTo([before, ...failed, ...others]);
  scene.attention = attention;
  const { page } = await scene.open({}, says, row);
  await hasRows(page, failed.length);
  await page.getByRole('button', { name: /^Remove created since Nov/ }).waitFor();
  await page.getByText(/^since Nov 19, 2026, 12:54\sPM$/).waitFor();
  const finding = await explain(page);
  await finding.getByText(/^language = fr: 12 of 12/).waitFor();
  await finding.getByText('These numbers are for the whole time of the board, not only the chosen range.').waitFor();
  await page.setViewportSize({ width: 700, height: 760 });
  const lefts = await finding
    .locator('li > bdi, li > button')
    .evaluateAll((parts) => parts.map((part) => Math.round(part.getBoundingClientRect().left)));
  assert.equal(lefts[1], lefts[0], 'the first button begins where the sentence does');
});

test('explains a row from its menu on the board of a click on it, whatever is selected there, or on one that a click would open', async () => {
  const scene = new BoardScene(pages, remote);
  const { attention, row } = attentionTo([before, ...failed, ...others]);
  scene.attention = attention;
  const clicked = await scene.open({}, says, row);
  await hasRows(clicked.page, failed.length);
  await clicked.page.locator('.grid-body [role=row]').first().click();
  await clicked.page.getByText(`1 of ${failed.length} selected`).waitFor();
  await clicked.page.getByRole('button', { name: 'Read Again' }).waitFor();
  remote.takeRequests();
  scene.explain(row);
  await clicked.page.getByRole('region', { name: 'What changed' }).waitFor();
  assert.deepEqual(remote.takeRequests(), [], 'its jobs were read already');
  const explained = new BoardScene(pages, remote);
  explained.attention = attention;
  const opened = await explained.open({}, says, row, true);
  const titles = [clicked, opened].map(({ panel }) => panel.title);
  assert.match(titles[0] ?? '', /^422.* since /);
  assert.equal(titles[1], titles[0]);
  for (const { page } of [clicked, opened]) {
    const finding = page.getByRole('region', { name: 'What changed' });
    await finding.getByRole('heading', { name: /^What changed: 12 failures, compared with \d+ other/ }).waitFor();
    await finding.getByText(/^language = fr: 12 of 12/).waitFor();
    await hasRows(page, failed.length);
  }
});

test('shows failures that came since, after reading again and after another click on their row', async () => {
  const scene = new BoardScene(pages, remote);
  const known = [before, ...failed, ...others];
  const { attention, row } = attentionTo(known);
  scene.attention = attention;
  const { page } = await scene.open({}, says, row);
  await hasRows(page, failed.length);
  const first = add('fr-new', pageNowMs - 3 * minuteMs, 'fr', 'error');
  await page.getByRole('button', { name: 'Read Again' }).click();
  await hasRows(page, failed.length + 1);
  await page.getByRole('button', { name: 'Read Again' }).waitFor();
  remote.takeRequests();
  scene.attention = attentionTo([...known, first]).attention;
  scene.click(row);
  assert.deepEqual(remote.takeRequests(), [], 'the board has them all');
  const second = add('fr-last', pageNowMs - 2 * minuteMs, 'fr', 'error');
  scene.attention = attentionTo([...known, first, second]).attention;
  scene.click(row);
  scene.click(row);
  await hasRows(page, failed.length + 2);
  const asked = remote.takeRequests();
  assert.equal(new Set(asked).size, asked.length, 'it was read once');
});

test('shows another group in the tab of the last click, unless its range or filters were changed or it was opened from the menu', async () => {
  const scene = new BoardScene(pages, remote);
  const recent = [5, 6].map((minutes) =>
    add(`recent-${minutes}`, pageNowMs - minutes * 60 * minuteMs, 'en', 'error', { errorCode: 503 }),
  );
  // Created before the time since which failures are counted.
  const completedAt = pageNowMs - 60 * minuteMs;
  const slow = add('slow', pageNowMs - 40 * 60 * minuteMs, 'en', 'error', { errorCode: 504, completedAt });
  const { attention, row } = attentionTo([before, ...failed, ...others, ...recent, slow]);
  scene.attention = attention;
  const rowOf = (code: number) => {
    const group = attention.groups.find((each) => each.code === code) ?? assert.fail('there is such a group');
    return { type: 'failureGroup', group: group.id } as const;
  };
  const first = await scene.open({}, says, row);
  await (await explain(first.page)).waitFor();
  await first.page.getByRole('button', { name: 'Read Again' }).waitFor();
  remote.takeRequests();
  scene.click(rowOf(503));
  await hasRows(first.page, recent.length);
  await first.page.getByRole('region', { name: 'What changed' }).waitFor({ state: 'detached' });
  assert.deepEqual(remote.takeRequests(), [], 'the same jobs are counted');
  scene.click(rowOf(504));
  await hasRows(first.page, 1);
  await first.page.getByText(/^since Nov 18, 2026, 8:59\sPM$/).waitFor();
  await first.page.getByRole('button', { name: /^Remove Status/ }).click();
  await first.page.getByRole('button', { name: /^Remove Status/ }).waitFor({ state: 'detached' });

  const second = await scene.open({}, says, rowOf(503));
  await hasRows(second.page, recent.length);
  scene.openFromMenu(rowOf(503));
  const third = await scene.open({}, says, rowOf(504));
  await hasRows(third.page, 1);
  scene.switchConnection('Other');
  const fourth = await scene.open({}, says, row);
  await fourth.page.getByRole('button', { name: /^Remove created since/ }).waitFor();
  assert.deepEqual(
    [first, second, third].map(({ panel }) => panel.title.slice(0, 3)),
    ['504', '503', '504'],
    'the others are unchanged',
  );
});
