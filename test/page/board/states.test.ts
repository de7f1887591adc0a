import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, silence } from '../../support/faults/plays.ts';
import { addBoardJobs, boardJobs, BoardScene, hasRows } from '../../support/page/boardScene.ts';
import { pageNowMs } from '../../support/page/pageTabs.ts';
import { usePages } from '../../support/page/usePages.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';

const pages = usePages();
const empty = await useRemoteService({ count: 0, clock: () => pageNowMs });
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);

test('reports that the range has no jobs, and shows no empty table', async () => {
  const { page } = await new BoardScene(pages, empty).open();
  await page.getByText('Read at 1:00 PM: 0 jobs').waitFor();
  await page.getByText('No jobs in this time range.').waitFor();
  assert.equal(await page.getByRole('grid').count(), 0);
});

test('shows the progress of reading, and keeps the jobs read so far when it is cancelled', async () => {
  remote.break(silence, ({ path }) => path.includes('/live?offset=0'));
  try {
    const { page } = await new BoardScene(pages, remote).open({}, /^Reading: \d+ jobs, \d+ requests$/);
    await page.getByRole('button', { name: 'Cancel' }).press('Enter');
    await page.getByText("Read at 1:00 PM: 100 jobs, in the service's order; there may be more").waitFor();
    await page.getByText('Canceled').waitFor();
    await hasRows(page, 100);
    // The focused button was removed, and the focus moved nearby.
    await page.locator('.basis button:focus', { hasText: /Read On \(up to 2\d\d requests\)/ }).waitFor();
    remote.break();
  } finally {
    remote.break();
  }
});

test('reports and announces why nothing could be read, and reads again on request', async () => {
  remote.break(answer(403, 'no'));
  try {
    const { page } = await new BoardScene(pages, remote).open({}, /./);
    const again = page.getByRole('button', { name: 'Try Again' });
    await again.waitFor();
    const sentence = await page.locator('.basis .tone-error').innerText();
    assert.match(sentence, /refused|rejected|403|key/i);
    await page.getByRole('status').filter({ hasText: sentence }).waitFor({ state: 'attached' });
    assert.equal(await page.getByRole('grid').count(), 0);
    remote.break();
    await again.click();
    await hasRows(page, boardJobs);
    assert.equal(await again.count(), 0);
  } finally {
    remote.break();
  }
});

test('keeps its figures when reading again fails, and shows when they were read', async () => {
  try {
    const { page } = await new BoardScene(pages, remote).open();
    remote.break(answer(403, 'no'));
    await page.getByRole('button', { name: 'Read Again' }).click();
    await page.getByRole('button', { name: 'Try Again' }).waitFor();
    await page.getByText(`Read at 1:00 PM: ${boardJobs} jobs`).waitFor();
    await hasRows(page, boardJobs);
    remote.break();
    await page.getByRole('button', { name: 'Try Again' }).click();
    await page.getByRole('button', { name: 'Read Again' }).waitFor();
  } finally {
    remote.break();
  }
});

test('reports that the service asked to slow down', async () => {
  let refused = 0;
  remote.break(answer(429, '', { 'retry-after': '0' }), () => refused++ < 1);
  try {
    const { page } = await new BoardScene(pages, remote).open();
    await page.getByText('The service asked to slow down').waitFor();
    await hasRows(page, boardJobs);
  } finally {
    remote.break();
  }
});

test('leaves out items without an ID and keys beyond its columns, and reports how many', async () => {
  const jobWith = (id: string, first: number, length: number) => ({
    id,
    kind: 'live',
    status: 'done',
    created_at: '2026-11-20T10:00:00Z',
    custom_metadata: Object.fromEntries(Array.from({ length }, (_, place) => [`key${first + place}`, place])),
  });
  // Of a job with more keys, only the first 200 are read.
  const items = [jobWith('a', 0, 150), jobWith('b', 150, 150), jobWith('c', 0, 300), { status: 'done' }];
  remote.break(({ request, response }) => {
    const { pathname, searchParams } = new URL(request.url ?? '', remote.sample.baseUrl);
    const listed = pathname.endsWith('/live') ? items.slice(Number(searchParams.get('offset'))) : [];
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ items: listed, next: null }));
  });
  try {
    const { page } = await new BoardScene(pages, remote).open();
    await page.getByText('1 items without an ID are left out').waitFor();
    await page.getByText('Only the first 200 keys of a job have columns, and 250 keys in all').waitFor();
    await hasRows(page, 3);
  } finally {
    remote.break();
  }
});

test('restores a hidden board with the jobs it has read, without a request to the service', async () => {
  const { page, panel } = await new BoardScene(pages, remote).open();
  await page.getByRole('button', { name: /^Failed / }).click();
  await page.getByRole('button', { name: 'Remove Status = Failed' }).waitFor();
  remote.takeRequests();
  await panel.reload();
  await page.getByRole('button', { name: 'Remove Status = Failed' }).waitFor();
  assert.deepEqual(remote.takeRequests(), []);
});

test('is drawn in a browser whose locale is not a language tag', async () => {
  const { page } = await new BoardScene(pages, remote).open({
    prepare: (tab) =>
      tab.addInitScript(() => Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix' })),
  });
  await hasRows(page, boardJobs);
});
