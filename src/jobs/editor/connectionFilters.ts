import { isUnfiltered, noFilter, type JobFilter } from '../common/jobFilter.ts';
import type { Locale } from '../../base/format.ts';
import type { JobStore } from '../node/store/jobStore.ts';
import { describeFilter } from '../common/describeFilter.ts';
import type { Log } from '../../base/log.ts';
import type { StateStore } from '../../base/stateStore.ts';
import { showQuarantined } from './showQuarantined.ts';
import { StoredFilters } from '../node/storedFilters.ts';

/** Dependencies of {@link ConnectionFilters}. */
export interface ConnectionFiltersDeps {
  readonly log: Log;
  readonly store: JobStore;
  /** Workspace state. */
  readonly state: StateStore;
  readonly locale: Locale;
}

/** Manages the current filter. Each connection has its own, stored in the workspace state. */
export class ConnectionFilters {
  readonly #deps: ConnectionFiltersDeps;
  readonly #stored: StoredFilters;
  #connection: string | undefined;

  constructor(deps: ConnectionFiltersDeps) {
    this.#deps = deps;
    this.#stored = new StoredFilters(deps.state);
  }

  /** The filter as text; empty when none is set. */
  get text(): string {
    const { store, locale } = this.#deps;
    return isUnfiltered(store.filter) ? '' : describeFilter(store.filter, locale);
  }

  /** Recently used filters of the current connection, newest first. */
  async recent(): Promise<readonly JobFilter[]> {
    return this.#connection === undefined ? [] : this.#stored.recent(this.#connection);
  }

  /** Restores the filter stored for a connection. */
  async restore(connection: string | undefined): Promise<void> {
    this.#connection = connection;
    if (connection === undefined) return this.#use(noFilter);
    const { filter, quarantined } = await this.#stored.read(connection);
    if (this.#connection === connection) this.#use(filter);
    if (quarantined !== undefined) showQuarantined(this.#deps.log, quarantined);
  }

  /** Sets a filter and remembers it. */
  async set(filter: JobFilter): Promise<void> {
    this.#use(filter);
    if (this.#connection !== undefined) await this.#stored.write(this.#connection, filter);
  }

  #use(filter: JobFilter): void {
    const { store } = this.#deps;
    if (JSON.stringify(filter) !== JSON.stringify(store.filter)) store.setFilter(filter);
  }
}
