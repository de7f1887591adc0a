import * as vscode from 'vscode';
import type { Memento } from 'vscode';
import { isUnfiltered, noFilter, type JobFilter } from '../../domain/filter/jobFilter.ts';
import type { Locale } from '../../domain/format.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Log } from '../../service/ports.ts';
import { filterKey, type SetAside } from './storedFilters.ts';
import { showMessage } from '../messages.ts';

/** What filters are kept with. */
export interface ConnectionFiltersDeps {
  readonly log: Log;
  readonly store: JobStore;
  readonly memory: Memento;
  readonly locale: Locale;
}

/** The filter in use: each connection has its own, which the workspace remembers. */
export class ConnectionFilters {
  readonly #needs: ConnectionFiltersDeps;
  #connection: string | undefined;
  #wanted = noFilter;
  #text = '';

  constructor(needs: ConnectionFiltersDeps) {
    this.#needs = needs;
  }

  /** The filter in words; empty when there is none. */
  get text(): string {
    return this.#text;
  }

  /** Brings back the filter that a connection had. Nothing is loaded for one that had none. */
  async restore(connection: string | undefined): Promise<void> {
    this.#connection = connection;
    const { log, memory } = this.#needs;
    if (connection === undefined || memory.get(filterKey(connection)) === undefined) return this.#use(noFilter);
    const { StoredFilters } = await import('./storedFilters.ts');
    const { filter, setAside } = await new StoredFilters(memory).read(connection);
    if (this.#connection === connection) await this.#use(filter);
    if (setAside === undefined) return;
    tellSetAside(log, setAside);
  }

  /** Sets a filter and remembers it. */
  async set(filter: JobFilter): Promise<void> {
    const connection = this.#connection;
    await this.#use(filter);
    if (connection === undefined) return;
    const { StoredFilters } = await import('./storedFilters.ts');
    await new StoredFilters(this.#needs.memory).write(connection, filter);
  }

  async #use(filter: JobFilter): Promise<void> {
    this.#wanted = filter;
    const text = isUnfiltered(filter) ? '' : await textOf(filter, this.#needs.locale);
    if (this.#wanted !== filter) return;
    this.#text = text;
    const { store } = this.#needs;
    if (JSON.stringify(filter) !== JSON.stringify(store.filter)) store.setFilter(filter);
  }
}

async function textOf(filter: JobFilter, locale: Locale): Promise<string> {
  const { describeFilter } = await import('../../domain/filter/describeFilter.ts');
  return describeFilter(filter, locale);
}

/** Says that a stored filter could not be read, and offers to show it. */
export function tellSetAside(log: Log, { value, why }: SetAside): void {
  log.warn(`the stored filter was set aside: ${why}`);
  const show = async (): Promise<void> => {
    const content = JSON.stringify(value, undefined, 2);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'json', content }));
  };
  const sentence = vscode.l10n.t(
    'The filter stored for this connection is damaged or from another version. It was set aside, and no filter is set.',
  );
  void showMessage('warning', sentence, [{ title: vscode.l10n.t('Show It'), run: show }]);
}
