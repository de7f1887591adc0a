import * as vscode from 'vscode';
import { formatWhen } from '../../../base/format.ts';
import { batchFates, batchSource } from '../common/batchCounts.ts';
import { withJobs } from '../common/batchRows.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { showLogStep, showMessage } from '../../../platform/editor/messages.ts';
import { plainLabel } from '../../../platform/editor/quickPick.ts';
import type { SubmissionOutcome } from '../../../jobs/common/submission.ts';
import type { Submissions } from './submissions.ts';

/** A batch as quick pick item. */
interface BatchChoice extends vscode.QuickPickItem {
  readonly id: string;
  /** Outcome of the only request; undefined for a batch of several requests, or none, and for a list, whose page is found by its name. */
  readonly alone: SubmissionOutcome | undefined;
}

/**
 * Returns the batches of a connection as quick pick items, newest first. Unreadable ones are omitted.
 * @param describes true to report unreadable ones.
 */
export async function batchChoices(
  { batches, services }: Submissions,
  connection: Connection,
  describes = true,
): Promise<readonly BatchChoice[]> {
  const listed = await batches.list(connection);
  const unreadable = describes ? listed.filter(({ batch }) => batch === undefined) : [];
  for (const { id, why } of unreadable) services.log.warn(`batch ${id}: ${why}`);
  if (unreadable.length > 0) {
    const text = vscode.l10n.t("{0} batches can't be read and are not shown.", unreadable.length);
    void showMessage('warning', text, [showLogStep()]);
  }
  return listed.flatMap(({ id, batch: recorded }) => {
    if (recorded === undefined) return [];
    const batch = withJobs(recorded, (job) => services.jobs.get('pre-recorded', job));
    const when = formatWhen(batch.plan.startedAtMs, services.clock.now(), services.settings.get('times'), locale);
    const damage = batch.damaged === 0 ? [] : [vscode.l10n.t('record damaged')];
    return [
      {
        id,
        alone:
          batch.plan.total === 1 && batch.plan.source.type !== 'list'
            ? [...batch.items.values()][0]?.outcome
            : undefined,
        label: vscode.l10n.t('Batch of {0}', batch.plan.total),
        iconPath: new vscode.ThemeIcon('list-ordered'),
        description: [plainLabel(batchSource(batch)), batchFates(batch), when, ...damage].join(' · '),
      },
    ];
  });
}
