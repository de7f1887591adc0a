import * as vscode from 'vscode';
import { numberText } from '../../domain/format.ts';
import { writeExport } from '../../service/export/exporter.ts';
import { bulkLimit } from '../../service/list/readAhead.ts';
import { asTreeNode } from '../jobs/asTreeNode.ts';
import { withCancel } from '../withCancel.ts';
import type { BrowseNeeds } from './browseNeeds.ts';
import { asUserError, reportExport } from './exportReport.ts';
import { askFormat, askTarget, exportableOf } from './exportSteps.ts';
import { openTarget } from './workspaceTarget.ts';

/** Writes the jobs of a list, a kind or all of them to a file. @param row undefined for all of them. */
export async function exportJobs({ log, store, source, locale }: BrowseNeeds, row: unknown): Promise<void> {
  const pages = source();
  const what = await exportableOf(asTreeNode(row), store);
  const format = await askFormat(what);
  if (format === undefined) return;
  const uri = await askTarget(what, format, Date.now());
  if (uri === undefined) return;
  const target = await openTarget(uri).catch((error: unknown) => {
    throw asUserError(error, uri);
  });
  const outcome = await withCancel(vscode.l10n.t('Exporting jobs: {0}', what.text), (signal, report) =>
    writeExport(what.batches(pages, bulkLimit, signal), format, target, (written) =>
      report(vscode.l10n.t('{0} jobs', numberText(written, locale))),
    ),
  );
  if (outcome.type === 'partial' && outcome.why === 'failed') log.error(`export: ${String(outcome.error)}`);
  // The message may stay on the screen for long: the command is over all the same.
  void reportExport(outcome, uri, locale);
}
