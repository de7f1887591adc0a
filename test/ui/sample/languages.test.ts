import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Locator } from 'playwright-core';
import { pseudo, pseudoLocale, teachPseudo } from '../../support/l10n/pseudo.ts';
import { speak } from '../../support/l10n/speak.ts';
import { isReached, until } from '../../support/until.ts';
import { useWorkbench } from '../../support/workbench/useWorkbench.ts';

const session = useWorkbench(import.meta.filename);

test('in French, the palette, the welcome text and the explanations of fields are French', async () => {
  const { editor, workbench } = session();
  const { page } = workbench;
  await speak(editor, workbench, 'fr');
  const title = 'Transcription: Se connecter à un service…';
  assert.equal((await workbench.offeredCommands(title))[0], title);
  await workbench.showView('Transcription Jobs');
  await workbench.welcome.getByRole('button', { name: 'Essayer avec des exemples' }).waitFor();

  const file = await workbench.openFile('interview.transcription.json');
  await file.goTo(7, 6);
  const hover = page.locator('.monaco-hover', { hasText: 'Distingue les locuteurs qui partagent un même canal.' });
  await until('the hover is French', async () => {
    // Repeated because the editor's JSON service may not have loaded the schema yet.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+K');
    await page.keyboard.press('Control+I');
    return isReached(hover.waitFor({ timeout: 2_000 }));
  });
  assert.doesNotMatch(await hover.innerText(), /Separates the speakers/);
  await page.keyboard.press('Escape');
});

test('in a language that is all accents, the welcome text, the palette, questions and rows have no plain word beside the data of jobs', async () => {
  const { editor, workbench } = session();
  teachPseudo(editor);
  await speak(editor, workbench, pseudoLocale);
  await workbench.showView(pseudo('Transcription Jobs'));
  await workbench.welcome.getByRole('button', { name: pseudo('Connect to a service') }).waitFor();
  assert.deepEqual(plainWords(await workbench.welcome.innerText()), []);

  const category = `${pseudo('Transcription')}:`;
  const offered = (await workbench.offeredCommands(category)).filter((label) => label.startsWith(category));
  assert(offered.length >= 8, `only ${offered.length} commands: ${offered.join(', ')}`);
  assert.deepEqual(
    offered.flatMap((label) => plainWords(label, 'JSON', 'cURL', 'API')),
    [],
  );

  await workbench.welcome.getByRole('button', { name: pseudo('Try it with sample jobs') }).click();
  await workbench.tree(pseudo('Jobs')).row(pseudo('Pre-recorded')).first().waitFor();
  for (const [command, step] of [
    ['Filter Jobs…', 'Conditions that jobs must meet'],
    ['New Request File…', 'What should be transcribed?'],
  ] as const) {
    await workbench.ask(`${pseudo('Transcription')}: ${pseudo(command)}`, pseudo(step));
    // List elements are reused, and their hidden parts still contain text from the palette.
    const said = await workbench.page.locator('.quick-input-list .label-name:visible').allInnerTexts();
    assert(said.length > 2);
    assert.deepEqual(plainWords(said.join(' ')), [], said.join(' | '));
    await workbench.quickInput.cancel();
  }

  const tree = workbench.tree(pseudo('Jobs'));
  await tree.expand(new RegExp(`^${pseudo('Done')}`));
  await tree.row(pseudo('Load More')).first().waitFor();
  const readRows = async (): Promise<RowWords[]> => Promise.all((await tree.rows.all()).map(rowWords));
  let rows = await readRows();
  // While the tree is being drawn, its elements may show other rows.
  await until('the tree has come to rest', async () => {
    const before = rows;
    rows = await readRows();
    return isDeepStrictEqual(rows, before);
  });
  const isJob = ({ label, level }: RowWords): boolean => level === '3' && label !== pseudo('Load More');
  for (const row of rows) {
    assert.deepEqual(plainWords(row.said.join(' '), isJob(row) ? row.label : ''), [], row.said.join(' | '));
  }
  const jobs = rows.filter(isJob);
  assert(jobs.length > 5, `${jobs.length} rows of jobs`);
});

/** Relative times from `Intl`, which does not support the pseudo-language and uses English. */
const timeWords =
  /\bnow\b|\byesterday\b|\b\d+ (?:second|minute|hour|day|week|month)s? ago\b|\blast (?:week|month)\b|\b[A-Z][a-z]{2} \d{1,2}\b/g;

/** Words in plain letters, after removing data and job ids. */
function plainWords(text: string, ...data: readonly string[]): readonly string[] {
  const left = data.reduce((rest, each) => (each === '' ? rest : rest.replaceAll(each, '')), text);
  return (
    left
      .replaceAll(timeWords, '')
      .replaceAll(/\b[0-9a-f]{8}\b/g, '')
      .match(/[A-Za-z]{2,}/g) ?? []
  );
}

interface RowWords {
  readonly label: string;
  readonly said: readonly string[];
  readonly level: string | null;
}

async function rowWords(row: Locator): Promise<RowWords> {
  const label = await textOf(row.locator('.label-name'));
  const said = [label, await textOf(row.locator('.label-description')), (await row.getAttribute('aria-label')) ?? ''];
  return { label, said, level: await row.getAttribute('aria-level') };
}

async function textOf(locator: Locator): Promise<string> {
  return (await locator.innerText({ timeout: 1_000 }).catch(() => '')).trim();
}
