import { Undecodable } from '../../domain/decode/decoder.ts';
import { isUnfiltered, noFilter, type JobFilter } from '../../domain/filter/jobFilter.ts';
import { decodeStoredFilter, encodeStoredFilter } from '../../domain/filter/storedFilter.ts';
import type { StateStore } from '../ports.ts';
import { quarantine } from '../quarantine.ts';

/** A stored filter that could not be read. */
export interface QuarantinedFilter {
  readonly value: unknown;
  /** For the log. */
  readonly why: string;
}

/** The filter of each connection, stored with the workspace. */
export class StoredFilters {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Whether a filter is stored for a connection, so that callers wait only when there is one. */
  has(connection: string): boolean {
    return this.#state.get(filterKey(connection)) !== undefined;
  }

  /** The stored filter, or none. An unreadable one is moved to quarantine, where later filters do not overwrite it. */
  async read(connection: string): Promise<{ readonly filter: JobFilter; readonly quarantined?: QuarantinedFilter }> {
    const key = filterKey(connection);
    const value = this.#state.get(key);
    if (value === undefined) return { filter: noFilter };
    const read = decodeStoredFilter(value);
    if (!(read instanceof Undecodable)) return { filter: read };
    await quarantine(this.#state, key, quarantineKey, { connection, value });
    return { filter: noFilter, quarantined: { value, why: read.message } };
  }

  async write(connection: string, filter: JobFilter): Promise<void> {
    await this.#state.update(filterKey(connection), isUnfiltered(filter) ? undefined : encodeStoredFilter(filter));
  }
}

/** The name dates from version 0.1.0 and is kept for compatibility with stored data. */
const quarantineKey = 'filters.setAside';

/** Workspace state key of a connection's filter. */
function filterKey(connection: string): string {
  return `filter/${connection}`;
}
