import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { answer } from '../../support/faults/plays.ts';
import { useRemoteService } from '../../support/remote/remoteService.ts';
import { until } from '../../support/until.ts';
import { axeViolations } from '../../support/workbench/axeViolations.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const nowMs = Date.now();
const remote = await useRemoteService({ count: 60_000, clock: () => nowMs });
const session = useWorkbench(import.meta.filename, { userSettings: remote.userSettings, env: remote.env });

async function board(): Promise<FrameLocator> {
  return session().workbench.webview(/^Board/);
}

test('a service that fails is told on the board, which tries again', async () => {
  const { workbench } = session();
  await workbench.showView('Transcription Jobs');
  await workbench.tree('Jobs').row('Live').first().waitFor();
  remote.break(answer(403, 'no'));
  await workbench.runCommand('Transcription: Open Board');
  const page = await board();
  const again = page.getByRole('button', { name: 'Try Again' });
  await again.waitFor();
  assert.deepEqual(await axeViolations(page), []);
  remote.break();
  await again.click();
  const read = page.getByText(/^Read [\d,]+ of [\d,]+ at/);
  await read.waitFor();
  remote.break(answer(403, 'no'));
  await page.getByRole('button', { name: 'Read Again' }).click();
  await again.waitFor();
  assert.ok(await read.isVisible(), 'the figures that are left say when they were read');
  remote.break();
  await again.click();
  // It is there again once everything is read.
  await page.getByRole('button', { name: 'Read Again' }).waitFor();
  assert.ok(await read.isVisible());
});

test('more jobs than are read without being asked are sampled, with intervals and the price of reading them', async () => {
  const page = await board();
  remote.takeAllRequests();
  await page.getByRole('button', { name: '90 days' }).click();
  await page.getByText(/^Sampled at .*: \d+ of 60,000 jobs, \d+ of \d+ requests$/).waitFor();
  const asked = remote.takeRequests().length;
  assert.ok(asked <= 400, `${asked} requests`);
  await page.getByRole('button', { name: /^Read All Jobs \(\d+ requests\)$/ }).waitFor();
  await page.getByRole('button', { name: /^Failed [\d,]+ ±[\d,]+$/ }).waitFor();
  await page.locator('.figures', { hasText: /60,000/ }).waitFor();
  await page.getByText('Bars are estimates, with 95% intervals').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Show as Table' }).click();
  const cells = page.locator('.pulse-table tbody tr').first().locator('td');
  assert.match(await cells.first().innerText(), /^[\d,]+ \([\d,]+–[\d,]+\)$/);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Show as Chart' }).click();
});

test('a service that asks to slow down is told, and cancelling keeps the sample that came', async () => {
  const page = await board();
  let probes = 0;
  const isProbe = ({ path }: { readonly path: string }): boolean => /[?&]limit=1(&|$)/.test(path);
  remote.break(
    answer(429, '', { 'retry-after': '1' }),
    (request) => isProbe(request) && ++probes > 60 && probes % 2 === 0,
  );
  await page.getByRole('button', { name: 'Read Again' }).click();
  await page.getByText('The service asked to slow down').waitFor();
  await page.getByText(/^Sampling: \d+ jobs/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText(/^Sampled until .*, stopped early: \d+ of 60,000 jobs/).waitFor();
  await page.getByText('The service asked to slow down').waitFor();
  assert.ok(Number(await page.getByRole('grid').getAttribute('aria-rowcount')) > 20);
  remote.break();
});

test('reading everything is a button, and cancelling it keeps what came', async () => {
  const page = await board();
  await page.getByRole('button', { name: /^Read All Jobs/ }).click();
  await page.getByText(/^Reading: [\d,]{5,} jobs/).waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText(/^Canceled: [\d,]+ jobs were read/).waitFor();
  await until(
    'the table has them',
    async () => Number(await page.getByRole('grid').getAttribute('aria-rowcount')) > 100,
  );
});
