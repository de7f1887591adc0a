import * as vscode from 'vscode';
import { formatDistance } from '../../../domain/format.ts';
import { pendingCount } from '../../../domain/submission/batch.ts';
import { batchCounts } from '../../../domain/submission/batchSummary.ts';
import type { Connection } from '../../../service/ports.ts';
import { locale } from '../../settings.ts';
import { pickOne } from '../../quickPick.ts';
import type { SubmitTarget, Submissions } from '../submissions.ts';
import { showBatchSummary } from './batchDocument.ts';
import { goOnWithBatch } from './submitBatch.ts';

/** The batches of a connection as entries of a list, the newest first. Those that cannot be read are logged and left out. */
export async function batchChoices(
  submissions: Submissions,
  connection: Connection,
): Promise<readonly (vscode.QuickPickItem & { readonly id: string })[]> {
  const { batches, deps } = submissions;
  const ids = await batches.ids(connection);
  const choices = await Promise.all(
    ids.map(async (id) => {
      const batch = await batches
        .read(await batches.find(connection, id))
        .catch((error: unknown) => deps.log.warn(`batch ${id}: ${String(error)}`));
      if (!batch) return [];
      const when = formatDistance(batch.plan.startedAtMs, deps.clock.now(), locale);
      const label = vscode.l10n.t('Batch of {0}', batch.plan.total);
      return [
        { id, label, iconPath: new vscode.ThemeIcon('list-ordered'), description: `${batchCounts(batch)} · ${when}` },
      ];
    }),
  );
  return choices.flat();
}

/** Asks what to do about a batch and does it. @returns whether the user wants the list back. */
export async function offerBatchActions(submissions: Submissions, service: SubmitTarget, id: string): Promise<boolean> {
  const { batches } = submissions;
  const batch = await batches.read(await batches.find(service.connection, id));
  if (batch === undefined) return true;
  const pending = pendingCount(batch);
  const answer = await pickOne<'show' | 'goOn'>({
    title: vscode.l10n.t('Batch of {0}', batch.plan.total),
    placeholder: batchCounts(batch),
    choices: [
      ...(pending === 0
        ? []
        : [
            {
              label: `$(debug-continue) ${vscode.l10n.t('Submit the Remaining {0}', pending)}`,
              value: 'goOn' as const,
            },
          ]),
      { label: `$(list-ordered) ${vscode.l10n.t('Show Batch')}`, value: 'show' },
    ],
    canGoBack: true,
  });
  if (answer.type === 'picked') {
    if (answer.value === 'show') await showBatchSummary(service.connection, id);
    else await goOnWithBatch(submissions, service, id);
  }
  return answer.type === 'back';
}
