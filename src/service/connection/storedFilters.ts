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
    return this.#keyOf(connection) !== undefined;
  }

  /** The stored filter, or none. An unreadable one is moved to quarantine, where later filters do not overwrite it. */
  async read(connection: string): Promise<{ readonly filter: JobFilter; readonly quarantined?: QuarantinedFilter }> {
    const key = this.#keyOf(connection);
    if (key === undefined) return { filter: noFilter };
    const value = this.#state.get(key);
    const read = decodeStoredFilter(value);
    if (!(read instanceof Undecodable)) return { filter: read };
    await quarantine(this.#state, key, quarantineKey, { connection, value });
    return { filter: noFilter, quarantined: { value, why: read.message } };
  }

  async write(connection: string, filter: JobFilter): Promise<void> {
    const stored = isUnfiltered(filter) ? undefined : encodeStoredFilter(filter);
    const isLater = filter.time.type === 'yesterday';
    await Promise.all([
      this.#state.update(filterKey(connection), isLater ? undefined : stored),
      this.#state.update(laterFilterKey(connection), isLater ? stored : undefined),
    ]);
    if (isUnfiltered(filter)) return;
    const formOf = (each: JobFilter): string => JSON.stringify(encodeStoredFilter(each));
    const others = this.recent(connection).filter((each) => formOf(each) !== formOf(filter));
    await this.#state.update(recentKey(connection), [filter, ...others].slice(0, mostRecent).map(encodeStoredFilter));
  }

  /** Where its filter is; undefined when it has none. If there are two, version 0.1.0 has written the first one since. */
  #keyOf(connection: string): string | undefined {
    return [filterKey(connection), laterFilterKey(connection)].find((key) => this.#state.get(key) !== undefined);
  }

  /** The filters of a connection that were used last, newest first. Unreadable ones are left out. */
  recent(connection: string): readonly JobFilter[] {
    const stored = this.#state.get(recentKey(connection));
    return (Array.isArray(stored) ? stored : []).slice(0, mostRecent).flatMap((each) => {
      const read = decodeStoredFilter(each);
      return read instanceof Undecodable ? [] : [read];
    });
  }
}

/** The name dates from version 0.1.0 and is kept for compatibility with stored data. */
const quarantineKey = 'filters.setAside';

const mostRecent = 5;

/** Workspace state key of the filters that were used with a connection. */
function recentKey(connection: string): string {
  return `recentFilters/${connection}`;
}

/** Workspace state key of a filter that version 0.1.0 cannot read: it would move it into its quarantine. */
function laterFilterKey(connection: string): string {
  return `laterFilter/${connection}`;
}

/** Workspace state key of a connection's filter. */
function filterKey(connection: string): string {
  return `filter/${connection}`;
}
