import * as vscode from 'vscode';
import { formatWhen } from '../../../base/format.ts';
import { pendingCount, type Batch } from '../common/batch.ts';
import { batchFates, batchSource, jobsOfBatch } from '../common/batchSummary.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { showLogStep, showMessage } from '../../../platform/editor/messages.ts';
import { pickOne, plainLabel, type Choice } from '../../../platform/editor/quickPick.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import type { Submissions } from './submissions.ts';
import { resubmitBatch } from './batchActions.ts';
import { showBatchSummary } from './batchDocument.ts';
import { resumeBatch } from './submitBatch.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';

/**
 * Returns the batches of a connection as quick pick items, newest first. Unreadable ones are omitted.
 * @param describes true to report unreadable ones.
 */
export async function batchChoices(
  { batches, services }: Submissions,
  connection: Connection,
  describes = true,
): Promise<readonly (vscode.QuickPickItem & { readonly id: string })[]> {
  const listed = await batches.list(connection);
  const unreadable = describes ? listed.filter(({ batch }) => batch === undefined) : [];
  for (const { id, why } of unreadable) services.log.warn(`batch ${id}: ${why}`);
  if (unreadable.length > 0) {
    const text = vscode.l10n.t("{0} batches can't be read and are not shown.", unreadable.length);
    void showMessage('warning', text, [showLogStep()]);
  }
  return listed.flatMap(({ id, batch }) => {
    if (batch === undefined) return [];
    const when = formatWhen(batch.plan.startedAtMs, services.clock.now(), services.settings.get('times'), locale);
    const damage = batch.damaged === 0 ? [] : [vscode.l10n.t('record damaged')];
    return [
      {
        id,
        label: vscode.l10n.t('Batch of {0}', batch.plan.total),
        iconPath: new vscode.ThemeIcon('list-ordered'),
        description: [plainLabel(batchSource(batch)), batchFates(batch), when, ...damage].join(' · '),
      },
    ];
  });
}

/**
 * Shows the actions for a batch and runs the selected one.
 * @param requests its submissions as quick pick items.
 * @returns the selected submission, or else true to show the list again.
 */
export async function offerBatchActions(
  submissions: Submissions,
  service: SubmitTarget,
  id: string,
  batch: Batch,
  requests: readonly Choice<Submission>[],
): Promise<Submission | boolean> {
  const pending = pendingCount(batch);
  const { failed } = jobsOfBatch(batch);
  const answer = await pickOne<'show' | 'goOn' | 'resubmit' | Submission>({
    title: vscode.l10n.t('Batch of {0}', batch.plan.total),
    placeholder: batchFates(batch),
    choices: [
      ...(pending === 0
        ? []
        : [
            {
              label: `$(debug-continue) ${vscode.l10n.t('Submit the Remaining {0}', pending)}`,
              value: 'goOn' as const,
            },
          ]),
      ...(failed.length === 0
        ? []
        : [
            {
              label: `$(debug-restart) ${vscode.l10n.t('Resubmit {0} Failed…', failed.length)}`,
              value: 'resubmit' as const,
            },
          ]),
      { label: `$(list-ordered) ${vscode.l10n.t('Show Batch')}`, value: 'show' },
      { label: vscode.l10n.t('Requests'), kind: vscode.QuickPickItemKind.Separator },
      ...requests,
    ],
    canGoBack: true,
  });
  if (answer.type === 'picked') {
    if (typeof answer.value !== 'string') return answer.value;
    if (answer.value === 'show') await showBatchSummary(service.connection, id);
    else if (answer.value === 'resubmit') await resubmitBatch(submissions, id);
    else await resumeBatch(submissions, service, id);
  }
  return answer.type === 'back';
}
