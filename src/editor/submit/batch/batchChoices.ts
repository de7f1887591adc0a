import * as vscode from 'vscode';
import { formatDistance } from '../../../domain/format.ts';
import { pendingCount } from '../../../domain/submission/batch.ts';
import { batchCounts } from '../../../domain/submission/batchSummary.ts';
import { batchIds } from '../../../service/journal/batchLedger.ts';
import type { Connection } from '../../../service/ports.ts';
import { locale } from '../../settings.ts';
import { pickOne } from '../../quickPick.ts';
import type { SubmitTarget, Submissions } from '../submitContext.ts';
import { showBatchSummary } from './batchDocument.ts';
import { goOnWithBatch } from './submitBatch.ts';
import { batchFolders, readStoredBatch, readKeptBatch } from './storedBatch.ts';

/** The batches of a connection as entries of a list, the newest first. Those that cannot be read are logged and left out. */
export async function batchChoices(
  room: Submissions,
  connection: Connection,
): Promise<readonly (vscode.QuickPickItem & { readonly id: string })[]> {
  const ids = await batchIds(...(await batchFolders(room, connection)));
  const choices = await Promise.all(
    ids.map(async (id) => {
      const batch = await readKeptBatch(room, await readStoredBatch(room, connection, id)).catch((error: unknown) =>
        room.log.warn(`batch ${id}: ${String(error)}`),
      );
      if (!batch) return [];
      const when = formatDistance(batch.plan.startedAtMs, room.clock.now(), locale);
      const label = vscode.l10n.t('Batch of {0}', batch.plan.total);
      return [
        { id, label, iconPath: new vscode.ThemeIcon('list-ordered'), description: `${batchCounts(batch)} · ${when}` },
      ];
    }),
  );
  return choices.flat();
}

/** Asks what to do about a batch and does it. @returns whether the user wants the list back. */
export async function offerBatchActions(room: Submissions, service: SubmitTarget, id: string): Promise<boolean> {
  const batch = await readKeptBatch(room, await readStoredBatch(room, service.connection, id));
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
    else await goOnWithBatch(room, service, id);
  }
  return answer.type === 'back';
}
