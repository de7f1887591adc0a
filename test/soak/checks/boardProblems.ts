import type { FrameLocator } from 'playwright-core';
import { until } from '../../support/until.ts';
import { showBoard, settled } from '../actions/boardAction.ts';
import { serviceJobs } from '../service/serviceTruth.ts';
import type { SoakWindow } from '../soakWindow.ts';
import type { MessageKey } from '../texts.ts';

const shownDays = 90;
const windowMs = shownDays * 86_400_000;
const kinds = ['pre-recorded', 'live'];
const statuses: Readonly<Record<string, MessageKey>> = {
  queued: 'Queued',
  processing: 'Processing',
  done: 'Done',
  error: 'Failed',
};
const compareMs = 30_000;
const compareEveryMs = 500;

/** Reads the jobs of 90 days on the board and compares its figures with the window's service, which no longer changes. */
export async function boardProblems(window: SoakWindow): Promise<readonly string[]> {
  await window.tidy();
  const { texts, service } = window;
  const page = await showBoard(window);
  const days = new RegExp(`^\\s*${texts.pattern('{0} days', String(shownDays))}\\s*$`, 'u');
  await page.getByRole('button', { name: days }).click();
  await page.locator('.toggle[aria-pressed=true]', { hasText: days }).waitFor();
  await settled(page);
  const jobs = (await Promise.all(kinds.map((kind) => serviceJobs(service.sample, kind, undefined)))).flat();
  const recent = jobs.filter(({ created_at: created }) => Date.parse(created) > Date.now() - windowMs);
  const expected = new Map([['', recent.length]]);
  for (const { status } of recent) {
    const named = statuses[status];
    const label = named === undefined ? status : texts.message(named);
    expected.set(label, (expected.get(label) ?? 0) + 1);
  }
  let problems: readonly string[] = [];
  const compare = async (): Promise<boolean> => {
    const shown = await figuresOf(page);
    const names = new Set([...expected.keys(), ...shown.keys()]);
    problems = [...names].flatMap((name) =>
      shown.get(name) === expected.get(name)
        ? []
        : [`board, ${name}: shows ${shown.get(name)}, the service has ${expected.get(name)}`],
    );
    return problems.length === 0;
  };
  // Only differences that remain at the end are problems.
  await until('the board shows what the service has', compare, compareEveryMs, compareMs).catch(() => undefined);
  return problems;
}

/** Returns the number of rows, under an empty name, and the number for each status. */
async function figuresOf(page: FrameLocator): Promise<ReadonlyMap<string, number>> {
  const rows = Number(await page.getByRole('grid').getAttribute('aria-rowcount')) - 1;
  const values = page.locator('.facet').first().locator('.facet-button');
  const labels = await values.locator('.facet-label').allInnerTexts();
  const numbers = await values.locator('.facet-number').allInnerTexts();
  return new Map([
    ['', rows],
    ...labels.map((label, index) => [label, Number((numbers[index] ?? '').replaceAll(/\D/g, ''))] as const),
  ]);
}
