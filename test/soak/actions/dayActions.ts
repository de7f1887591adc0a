import { isReached } from '../../support/until.ts';
import { refresh, toggle } from './browseActions.ts';
import type { Action } from './action.ts';
import { outcome } from './submitAction.ts';

/** How long a result that is no longer at hand may take to be read again. */
const readMs = 5_000;

/** Opens a job that is done and finds a word in its transcript, where it has one and the service gives it. */
export const searchTranscript: Action = async (window) => {
  const { workbench, tree } = window;
  const done = tree.root.getByRole('treeitem', { name: /^job .*, done, / });
  const page = workbench.page.locator('iframe.webview').filter({ visible: true }).first();
  const isOpen = await window.withSome(done, async (row, timeout) => {
    await row.click({ timeout });
    await page.waitFor({ timeout });
  });
  if (!isOpen) return toggle(window);
  const search = page.contentFrame().locator('#active-frame').contentFrame().getByRole('searchbox');
  if (!(await isReached(search.waitFor({ timeout: readMs })))) return;
  await search.fill('the');
  await search.press('Enter');
  await search.fill('');
};

/** Marks new failures as handled, and half the time takes that back. */
export const handleFailures: Action = async (window) => {
  const { workbench, tree, random } = window;
  await workbench.runCommand('Notifications: Clear All Notifications');
  const isMarked = await window.withSome(tree.row(/^(?:New failures|Error \d+)/), async (row, timeout) => {
    await row.hover({ timeout });
    await row.click({ button: 'right', timeout });
    await workbench.page.getByRole('menuitem').first().waitFor({ timeout });
    await tree.pickEntry('Mark as Handled');
  });
  if (!isMarked) return refresh(window);
  if (random.chance(0.5)) await workbench.runCommand('Transcription: Undo Mark as Handled');
};

/**
 * Resubmits a failed job, as far as it can be. Whatever the outcome, the service has seen one POST for each confirmed request.
 * @param confirmed called when a request is about to be sent.
 */
export function resubmitAction(confirmed: () => void): Action {
  return async (window) => {
    const { workbench, tree } = window;
    const failed = tree.root.getByRole('treeitem', { name: /^job .*, failed, pre-recorded, / });
    await workbench.runCommand('Notifications: Clear All Notifications');
    const isAsked = await window.withSome(failed, async (row, timeout) => {
      await row.click({ button: 'right', timeout });
      await workbench.page.getByRole('menuitem').first().waitFor({ timeout });
      await tree.pickEntry('Resubmit Failed…');
    });
    if (!isAsked) return toggle(window);
    const refused = workbench.notifications.withText(/be resubmitted/).first();
    const choice = workbench.page.locator('.quick-input-widget .quick-input-title', {
      hasText: 'Resubmit Failed Jobs',
    });
    await refused.or(choice).first().waitFor();
    if (await refused.isVisible()) return;
    const box = workbench.page.locator('.quick-input-widget .monaco-list-row').first().getByRole('checkbox');
    if (!(await box.isChecked())) await box.click();
    await workbench.quickInput.accept();
    const submit = workbench.dialogButton(/^Submit/);
    await submit.waitFor();
    confirmed();
    await submit.click();
    await workbench.notifications.withText(sent).first().waitFor();
  };
}

/** Any of the messages that report how a batch ended, also one of a single request. */
const sent = new RegExp(`${outcome.source}|Batch sent|The batch stopped|The batch was stopped`, 'u');
