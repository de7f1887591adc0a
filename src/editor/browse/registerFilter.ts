import * as vscode from 'vscode';
import { noFilter } from '../../domain/filter/jobFilter.ts';
import { commandIds } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { BrowseNeeds } from './browseNeeds.ts';

/** Registers the commands about the filter. */
export function registerFilter({ log, store, connection, filters, locale }: BrowseNeeds): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(log, commandIds.filter, async () => {
      const { askForFilter } = await import('./askForFilter.ts');
      const filter = await askForFilter(store, () => connection.current, locale);
      if (filter !== undefined) await filters.set(filter);
    }),
    registerCommand(log, commandIds.clearFilter, () => filters.set(noFilter)),
  );
}
