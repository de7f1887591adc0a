import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import type { JsonObject } from '../../src/base/json/json.ts';
import { fixtureItem } from '../support/details/fixtureItems.ts';
import { pseudo, pseudoLocale } from '../support/l10n/pseudo.ts';
import { addBoardJobs, BoardScene } from '../support/page/boardScene.ts';
import { echoingJob, otherSession, translatedJob } from '../support/page/jobItems.ts';
import { JobScene, unfoldSections } from '../support/page/jobScene.ts';
import { setPageLanguage } from '../support/page/pageLanguage.ts';
import type { PageOptions } from '../support/page/pagePanel.ts';
import { pageNowMs } from '../support/page/pageTabs.ts';
import { usePages } from '../support/page/usePages.ts';
import { useRemoteService } from '../support/remote/remoteService.ts';
import { axeViolations } from '../support/workbench/axeViolations.ts';

const pages = usePages();
const remote = await useRemoteService({ count: 0, clock: () => pageNowMs });
addBoardJobs(remote.sample);

test('a job is shown in French if the editor is French', async () => {
  setPageLanguage('fr');
  const { page } = await new JobScene(pages).open(fixtureItem('preRecordedFailed'));
  assert.equal(await page.locator(':root').getAttribute('lang'), 'fr');
  assert.equal(await page.locator('header .status').innerText(), 'En échec');
  const text = await page.locator('main').innerText();
  assert.match(text, /20 nov\. 2026/);
  assert.match(text, /12,4/);
  assert.doesNotMatch(text, /\b(?:Failed|Created|Completed|Processing|Copy|Open|Overview|Status)\b/);
  assert.deepEqual(await axeViolations(page), []);
});

test('the name of a translation is written as in French', async () => {
  setPageLanguage('fr');
  const { page } = await new JobScene(pages).open(translatedJob);
  assert.equal(await page.locator('.transcript-tools [aria-pressed]').innerText(), 'Traduction\u202f: en');
});

test('a board is shown in French if the editor is French', async () => {
  setPageLanguage('fr');
  const { page } = await new BoardScene(pages, remote).open({}, /^Lu à 13:00\s: 240\stâches$/);
  await page.getByText('Taux d’échec').waitFor();
  await page.getByText('240 lignes').waitFor();
  await page.getByText(/^4,2\s%$/).waitFor();
  await page.getByRole('button', { name: 'Afficher en table' }).click();
  const text = await page.locator('main').innerText();
  assert.doesNotMatch(text, /\b(?:Jobs|Failed|Status|Time|rows|Read|hours|days|none)\b/);
  assert.equal(await page.locator(':root').getAttribute('lang'), 'fr');
  assert.deepEqual(await axeViolations(page), []);
});

/** Returns the texts of a page, visible or read aloud, that are not data of jobs. */
async function ownTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const data =
      'h1, .outside, .key, .outline, .said, time, [datetime], .speaker, .reason, .dim > bdi, .grid-cell, .id';
    const clone = document.body.cloneNode(true) as HTMLElement;
    for (const each of clone.querySelectorAll(`${data}, script, canvas`)) each.remove();
    const words = (element: Element): string[] => [
      ...[...element.childNodes]
        .filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
        .map((each) => each.textContent ?? ''),
      ...['aria-label', 'placeholder', 'aria-description', 'aria-valuetext'].map(
        (name) => element.getAttribute(name) ?? '',
      ),
    ];
    return [...clone.querySelectorAll('*')]
      .flatMap(words)
      .map((each) => each.trim())
      .filter((each) => each !== '');
  });
}

/** Returns texts in plain letters, which were never translated, except names that are the same in every language. */
function plainWords(texts: readonly string[], data: RegExp): readonly string[] {
  const same =
    /JSON|cURL|\bsh\b|\bIDs?\b|\b(?:sec|min|hr|hours?|days?)\b|\b[AP]M\b|GMT[+\d]*|\b[A-Z][a-z]{2} \d{1,2}\b|\bago\b|\byesterday\b/g;
  return texts.filter((text) => /[A-Za-z]{2,}/.test(text.replaceAll(data, '').replaceAll(same, '')));
}

async function openAllSections(item: JsonObject, options: PageOptions): Promise<Page> {
  const { page } = await new JobScene(pages).open(item, options);
  await unfoldSections(page);
  return page;
}

const pseudoPages: Readonly<Record<string, readonly [data: RegExp, open: (options: PageOptions) => Promise<Page>]>> = {
  'a done job': [
    /Too long|French|\btitle\b|\b(?:en|fr|srt|vtt)\b|(?:result|\w+_config)\.[\w.[\]]+|\b(?:file|result): /g,
    (options) => openAllSections(translatedJob, options),
  ],
  'a failed job with its request': [
    /\b(?:fr|title)\b|language(?:_config\.languages)?/g,
    (options) => openAllSections(echoingJob, options),
  ],
  'a live session': [
    /wav\/pcm|solaria-1|bullet_points|\b(?:en|title|room)\b|client: /g,
    (options) => openAllSections(fixtureItem('liveDone'), options),
  ],
  'a comparison': [
    /Room B2|Town hall, main stage|wav\/pcm|solaria-1|bullet_points|seed: |client: /g,
    async (options) => (await new JobScene(pages).compare([fixtureItem('liveDone'), otherSession], options)).page,
  ],
  'a board': [
    /acme|c\d|Remote|customer|hostile|<img src=x onerror=alert\(1\)>/g,
    async (options) => {
      const { page } = await new BoardScene(pages, remote).open(options, /240/);
      await page.locator('.grid-body [role=row]').first().click();
      return page;
    },
  ],
};

for (const [name, [data, open]] of Object.entries(pseudoPages)) {
  test(`${name} has no text that was never translated`, async () => {
    setPageLanguage(pseudoLocale);
    const page = await open({});
    const texts = await ownTexts(page);
    assert.ok(texts.length > 20, texts.join('\n'));
    assert.ok(
      texts.some((text) => text === pseudo('Status') || text === pseudo('Parameter') || text === pseudo('Overview')),
      texts.join('\n'),
    );
    assert.deepEqual(plainWords(texts, data), []);
  });

  if (name !== 'a comparison') {
    test(`${name} has room for texts that are a third longer, at 300 pixels`, async () => {
      setPageLanguage(pseudoLocale);
      const page = await open({ size: { width: 300, height: 700 } });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 300);
    });
  }
}
