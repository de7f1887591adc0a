import * as vscode from 'vscode';
import { noFilter } from '../../domain/filter/jobFilter.ts';
import type { Locale } from '../../domain/jobView/viewFacts.ts';
import type { JobStore } from '../../service/jobStore.ts';
import type { Connection, Log } from '../../service/ports.ts';
import { commandIds } from '../ids.ts';
import { registerCommand } from '../runCommand.ts';
import type { ConnectionFilters } from './connectionFilters.ts';

/** What filtering is made from. */
export interface FilterNeeds {
  readonly log: Log;
  readonly store: JobStore;
  readonly connection: { readonly current: Connection | undefined };
  readonly filters: ConnectionFilters;
  readonly locale: () => Locale;
}

/** Registers the commands about the filter. */
export function registerFilter({ log, store, connection, filters, locale }: FilterNeeds): vscode.Disposable {
  return vscode.Disposable.from(
    registerCommand(log, commandIds.filter, async () => {
      const { askForFilter } = await import('./askForFilter.ts');
      const filter = await askForFilter(store, () => connection.current, locale());
      if (filter !== undefined) await filters.set(filter);
    }),
    registerCommand(log, commandIds.clearFilter, () => filters.set(noFilter)),
  );
}
