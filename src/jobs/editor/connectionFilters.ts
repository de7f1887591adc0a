import { isUnfiltered, noFilter, type JobFilter } from '../common/jobFilter.ts';
import type { Locale } from '../../base/format.ts';
import type { JobStore } from '../node/store/jobStore.ts';
import { describeFilter } from '../common/describeFilter.ts';
import type { Log } from '../../base/log.ts';
import type { StateStore } from '../../base/stateStore.ts';
import { showQuarantined } from './showQuarantined.ts';
import { StoredFilters } from '../node/storedFilters.ts';

/** Manages the current filter. Each connection has its own, stored in the workspace state. */
export class ConnectionFilters {
  readonly #jobs: JobStore;
  readonly #locale: Locale;
  readonly #log: Log;
  readonly #stored: StoredFilters;
  #connection: string | undefined;

  /** @param state of the workspace */
  constructor(jobs: JobStore, state: StateStore, locale: Locale, log: Log) {
    this.#jobs = jobs;
    this.#locale = locale;
    this.#log = log;
    this.#stored = new StoredFilters(state);
  }

  /** The filter as text; empty when none is set. */
  get text(): string {
    const { filter } = this.#jobs;
    return isUnfiltered(filter) ? '' : describeFilter(filter, this.#locale);
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
    if (quarantined !== undefined) showQuarantined(this.#log, quarantined);
  }

  /** Sets a filter and remembers it. */
  async set(filter: JobFilter): Promise<void> {
    this.#use(filter);
    if (this.#connection !== undefined) await this.#stored.write(this.#connection, filter);
  }

  #use(filter: JobFilter): void {
    if (JSON.stringify(filter) !== JSON.stringify(this.#jobs.filter)) this.#jobs.setFilter(filter);
  }
}
