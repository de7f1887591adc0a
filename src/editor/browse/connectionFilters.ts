import type { Memento } from 'vscode';
import { isUnfiltered, noFilter, type JobFilter } from '../../domain/filter/jobFilter.ts';
import type { Locale } from '../../domain/format.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { Log } from '../../service/ports.ts';
import { filterKey } from './filterKey.ts';

/** What filters are kept with. */
export interface FilterSurroundings {
  readonly log: Log;
  readonly store: JobStore;
  readonly memory: Memento;
  readonly locale: Locale;
}

/** The filter in use: each connection has its own, which the workspace remembers. */
export class ConnectionFilters {
  readonly #needs: FilterSurroundings;
  #connection: string | undefined;
  #wanted = noFilter;
  #text = '';

  constructor(needs: FilterSurroundings) {
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
    const { tellSetAside } = await import('./tellSetAside.ts');
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
  const { filterText } = await import('../../domain/filter/filterText.ts');
  return filterText(filter, locale);
}
