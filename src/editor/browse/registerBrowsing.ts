import * as vscode from 'vscode';
import { commandIds } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { BrowseNeeds } from './browseNeeds.ts';
import { registerFilter } from './registerFilter.ts';
import { watchContradictions } from './watchContradictions.ts';

/**
 * Registers what is around the tree: filter, find, count, export, and the word about services that do not heed a filter.
 * What the commands do is loaded when it is asked for.
 */
export function registerBrowsing(needs: BrowseNeeds): vscode.Disposable {
  const { log } = needs;
  const exportOf = async (row: unknown): Promise<void> => {
    const { exportJobs } = await import('./exportJobs.ts');
    await exportJobs(needs, row);
  };
  let finding: vscode.Disposable | undefined;
  return vscode.Disposable.from(
    registerFilter(needs),
    watchContradictions(log, needs.store, needs.connection),
    registerCommand(log, commandIds.findJob, async () => {
      const { findJob } = await import('./findJob.ts');
      finding?.dispose();
      finding = findJob(needs);
    }),
    registerCommand(log, commandIds.countJobs, async (node) => {
      const { countJobs } = await import('./countJobs.ts');
      await countJobs(needs, node);
    }),
    // The title of a view hands over the row that has the focus, which says nothing about what is meant.
    registerCommand(log, commandIds.exportJobs, () => exportOf(undefined)),
    registerCommand(log, commandIds.exportRow, exportOf),
    { dispose: () => void finding?.dispose() },
  );
}
