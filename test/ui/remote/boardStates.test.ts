import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { Play } from '../../support/faults/faultServer.ts';
import { speak } from '../../support/l10n/speak.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const nowMs = Date.now();
const remote = await useRemoteService({ count: 0, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, { userSettings: remote.userSettings, env: remote.env });

async function board(): Promise<FrameLocator> {
  return session().workbench.webview(/^(?:Board|Tableau)/);
}

const jobs = 24_000;
const items = Array.from({ length: jobs }, (_, place) => {
  const serial = (place * 7919) % jobs;
  const createdMs = nowMs - (serial + 1) * 20_000;
  return { id: `job-${serial}`, kind: 'pre-recorded', status: 'done', created_at: new Date(createdMs).toISOString() };
});

/** Lists many jobs in no order. */
const unordered: Play = ({ request, response }) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://127.0.0.1');
  const time = (name: string, otherwise: number): number => {
    const given = searchParams.get(name);
    return given === null ? otherwise : Date.parse(given);
  };
  const [after, before] = [time('after_date', 0), time('before_date', Infinity)];
  const matching = items.filter(({ created_at: created }) => {
    const at = Date.parse(created);
    return pathname.endsWith('/pre-recorded') && at > after && at < before;
  });
  const offset = Number(searchParams.get('offset') ?? 0);
  const end = offset + Number(searchParams.get('limit') ?? 20);
  const page = { items: matching.slice(offset, end), next: end < matching.length ? 'more' : null };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page));
};

test('an account without jobs is told', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  await workbench.runCommand('Transcription: Open Board');
  const page = await board();
  await page.getByText('Read 0 of 0 at').waitFor();
  await page.getByText('No jobs in this time range.').waitFor();
  assert.equal(await page.getByRole('grid').count(), 0);
  assert.deepEqual(await axeViolations(page), []);
});

test('jobs that can be neither read nor sampled are counted by time', async () => {
  remote.break(unordered, ({ method }) => method === 'GET');
  const page = await board();
  await page.getByRole('button', { name: 'Read Again' }).click();
  await page
    .getByText(/^24,000 jobs: too many to read all, and their order allows no sample. Counted by time/)
    .waitFor();
  const rows = page.getByRole('region', { name: 'Jobs over time, counted' }).getByRole('row');
  const counts = await rows.locator('td:nth-child(3)').allInnerTexts();
  assert.ok(counts.length >= 5, `${counts.length} ranges`);
  assert.equal(
    counts.reduce((sum, each) => sum + Number(each.replaceAll(',', '')), 0),
    jobs,
  );
  await page.getByRole('button', { name: /^Read All Jobs \(\d+ requests\)$/ }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  remote.break();
});

test('in French, the board is French', async () => {
  const { editor, workbench } = session();
  for (let serial = 0; serial < 3; serial++) remote.sample.add({ status: 'error', fails: true });
  await speak(editor, workbench, 'fr');
  const page = await board();
  await page.getByText(/^3 lues sur 3 à \d\d:\d\d$/).waitFor();
  await page.getByText('Taux d’échec').waitFor();
  await page.getByText('3 lignes').waitFor();
  await page.getByRole('button', { name: 'Afficher en table' }).click();
  const text = await page.locator('main').innerText();
  assert.doesNotMatch(text, /\b(?:Jobs|Failed|Status|Time|rows|Read|hours|days|none)\b/);
  assert.equal(await page.locator(':root').getAttribute('lang'), 'fr');
  assert.deepEqual(await axeViolations(page), []);
});
