import { isReached } from '../../support/until.ts';
import type { MessageKey } from '../texts.ts';
import { refresh, toggle } from './browseActions.ts';
import type { Action } from './action.ts';
import { clickJob, jobRows, pickOfRow } from './jobActions.ts';
import { batchEnds } from './batchActions.ts';
import { confirmRequest, outcomes } from './submitAction.ts';

/** Max time to read a result again that is no longer stored. */
const readMs = 5_000;

/** Opens a job that is done and finds a word in its transcript, if it has one and the service returns it. */
export const searchTranscript: Action = async (window) => {
  const { workbench } = window;
  const isOpen = await window.withSome(jobRows(window, 'Done/one job'), (chosen, timeout) =>
    clickJob(window, chosen, timeout),
  );
  if (!isOpen) return toggle(window);
  const page = workbench.page.locator('iframe.webview').filter({ visible: true }).first();
  const search = page.contentFrame().locator('#active-frame').contentFrame().getByRole('searchbox');
  if (!(await isReached(search.waitFor({ timeout: readMs })))) return;
  await search.fill('the');
  await search.press('Enter');
  await search.fill('');
};

/** Marks new failures as handled, and undoes that half the time. */
export const handleFailures: Action = async (window) => {
  const { workbench, tree, random, texts } = window;
  await workbench.runCommand('Notifications: Clear All Notifications');
  const failures = tree.row(texts.start('New failures', 'Error {0}'));
  const isMarked = await window.withSome(failures, async (chosen, timeout) => {
    await chosen.row.hover({ timeout });
    await pickOfRow(window, chosen, 'command.markHandled', timeout);
  });
  if (!isMarked) return refresh(window);
  if (!random.chance(0.5)) return;
  const isUndone = await window.withSome(tree.row(texts.start('New failures')), (chosen, timeout) =>
    pickOfRow(window, chosen, 'command.undoHandled', timeout),
  );
  if (!isUndone) return;
  // It asks which of several.
  const handled = workbench.page.locator('.quick-input-list .monaco-list-row', {
    hasText: texts.start('Handled: {0}'),
  });
  if (await isReached(handled.first().waitFor({ timeout: readMs }))) await handled.first().click();
};

/** Resubmits a failed job, if possible. Whatever the outcome, the service has seen one POST for each confirmed request. */
export const resubmit: Action = async (window) => {
  const { workbench, texts } = window;
  await workbench.runCommand('Notifications: Clear All Notifications');
  const failed = jobRows(window, 'Failed/one job', 'Pre-recorded/one job');
  const isAsked = await window.withSome(failed, (chosen, timeout) =>
    pickOfRow(window, chosen, 'command.resubmitFailed', timeout, 'menu.runAgain'),
  );
  if (!isAsked) return toggle(window);
  const refused = workbench.notifications.withText(texts.start(...refusals)).first();
  const choice = workbench.page.locator('.quick-input-widget .quick-input-title', {
    hasText: texts.start('Resubmit Failed Jobs'),
  });
  const question = workbench.dialogButton(texts.start('Submit'));
  await refused.or(choice).or(question).first().waitFor();
  if (await refused.isVisible()) return;
  // A job without remarks needs no list to select from.
  if (await choice.isVisible()) {
    const box = workbench.page.locator('.quick-input-widget .monaco-list-row').first().getByRole('checkbox');
    if (!(await box.isChecked())) await box.click();
    await window.accept('Resubmit Failed Jobs');
  }
  await confirmRequest(window, [...outcomes, ...batchEnds]);
};

/** Messages to users whose jobs can't be resubmitted. */
export const refusals: readonly MessageKey[] = [
  "This job can't be resubmitted. {0}",
  'None of these {0} jobs can be resubmitted. {1}',
  "None of these {0} jobs can be resubmitted. Live sessions, which can't be sent again: {1}. Pre-recorded jobs: {2}. {3}",
  // The job was chosen before the list showed that it has not failed.
  'Select failed jobs to resubmit them.',
];
