import type { Locator } from 'playwright-core';
import type { NonEmpty } from '../../../src/sample/random.ts';
import type { SoakWindow } from '../soakWindow.ts';
import type { MessageKey } from '../texts.ts';
import type { Action } from './action.ts';

const statuses: NonEmpty<MessageKey> = ['Queued', 'Processing', 'Done', 'Failed'];

export const refresh: Action = async ({ workbench, texts }) => workbench.runCommand(texts.command('command.refresh'));

/** Expands or collapses a kind or a group. */
export const toggle: Action = async (window) => {
  const parents = window.tree.root.locator('[role="treeitem"][aria-expanded]');
  await window.withSome(parents, ({ row }, timeout) => row.locator('.monaco-tl-twistie').click({ timeout }));
};

/** Clicks Load More or a row that offers a retry; if there is none, toggles a group. */
export const loadMore: Action = async (window) => {
  const { tree, texts } = window;
  const rows = tree.row(
    texts.start('Load More', 'Retry', 'The list ends here · Reload', 'The list changed while loading · Reload'),
  );
  if (!(await window.withSome(rows, ({ row }, timeout) => row.click({ timeout })))) await toggle(window);
};

/** Scrolls down or up. If the key was rejected, a message replaces the tree until someone refreshes. */
export const scroll: Action = async (window) => {
  const { workbench, tree, random } = window;
  if ((await tree.root.count()) === 0) return refresh(window);
  await tree.root.focus();
  await workbench.page.keyboard.press(random.chance(0.6) ? 'PageDown' : 'PageUp');
};

/** Filters by one status, or clears the filter. */
export const filter: Action = async (window) => {
  await clearFilter(window);
  if (window.random.chance(0.5)) return;
  const { texts } = window;
  const { quickInput } = window.workbench;
  await window.workbench.runCommand(texts.command('command.filter'));
  await quickInput.shown(texts.start('Filter Jobs'));
  await quickInput.pick(texts.message('Status'));
  await quickInput.shown(texts.start('Filter Jobs: Status'));
  await quickInput.toggle(texts.message(window.random.pick(statuses)));
  await window.accept('Filter Jobs: Status');
  await quickInput.item(texts.message('Show matching jobs')).waitFor();
  await window.accept('Filter Jobs');
  await quickInput.hidden();
  // The next call of `clearFilter` searches for this button.
  await clearButton(window).waitFor();
};

/** Clears the filter, if one is set. */
export async function clearFilter(window: SoakWindow): Promise<void> {
  const button = clearButton(window);
  if ((await button.count()) === 0) return;
  await button.click();
  await button.waitFor({ state: 'detached' });
}

function clearButton({ workbench, texts }: SoakWindow): Locator {
  return workbench.page.locator('.sidebar').getByRole('button', { name: texts.title('command.clearFilter') });
}
