import * as vscode from 'vscode';
import { formatNumber } from '../../../base/format.ts';
import { isQueryable, type ListKey } from '../../../jobs/common/listKey.ts';
import { describeListKey } from '../../../jobs/common/jobRow.ts';
import { exactCount } from '../../../jobs/node/exactCount.ts';
import { asTreeNode } from '../../tree/common/commandArguments.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { showMessage } from '../../../platform/editor/messages.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import type { Services } from '../../../services.ts';

/** Counts the jobs of a list and shows the number in its row. @param given argument of the command */
export async function countJobs(services: Services, given: unknown): Promise<void> {
  const node = asTreeNode(given);
  if (node?.type === 'group') await count(services, node.key);
  else if (node?.type === 'kind') await count(services, { kind: node.kind, status: undefined });
}

async function count({ jobs, clock, service }: Services, key: ListKey): Promise<void> {
  // A list built from observed jobs already shows all of them.
  if (!isQueryable(key)) return;
  const { filter } = jobs;
  const title = vscode.l10n.t('Counting jobs: {0}', describeListKey(key));
  const result = await withCancel(title, async (signal) =>
    exactCount(service.connected(), jobs.queryOf(key), { clock, signal }),
  );
  if (jobs.filter !== filter) return;
  switch (result.type) {
    case 'exact':
      return jobs.setExactCount(key, { count: result.count, atMs: result.atMs });
    case 'atLeast': {
      const min = formatNumber(result.count, locale);
      return showMessage(
        'information',
        vscode.l10n.t(
          "{0}: at least {1} jobs. The service's list can't be counted any further.",
          describeListKey(key),
          min,
        ),
      );
    }
    case 'unreliable':
      return showMessage(
        'warning',
        vscode.l10n.t(
          "{0}: can't be counted, because the service returns other jobs than requested.",
          describeListKey(key),
        ),
      );
  }
}
