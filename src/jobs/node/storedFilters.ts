import { Undecodable } from '../../base/decode/decoder.ts';
import { filterKeys, isUnfiltered, noFilter, type JobFilter } from '../common/jobFilter.ts';
import { decodeStoredFilter, encodeStoredFilter } from '../common/storedFilter.ts';
import { type StateStore, quarantine } from '../../base/stateStore.ts';

/** A stored filter that could not be read. */
export interface QuarantinedFilter {
  readonly value: unknown;
  /** For the log. */
  readonly why: string;
}

/** Stores the filter of each connection in the workspace state. */
export class StoredFilters {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Returns the stored filter; without one, `noFilter`. Moves an unreadable one to quarantine, where later filters do not overwrite it. */
  async read(connection: string): Promise<{ readonly filter: JobFilter; readonly quarantined?: QuarantinedFilter }> {
    const key = filterKeys(connection).find((each) => this.#state.get(each) !== undefined);
    if (key === undefined) return { filter: noFilter };
    const value = this.#state.get(key);
    const read = decodeStoredFilter(value);
    if (!(read instanceof Undecodable)) return { filter: read };
    await quarantine(this.#state, key, quarantineKey, { connection, value });
    return { filter: noFilter, quarantined: { value, why: read.message } };
  }

  async write(connection: string, filter: JobFilter): Promise<void> {
    const stored = isUnfiltered(filter) ? undefined : encodeStoredFilter(filter);
    const [current, former] = filterKeys(connection);
    await Promise.all([this.#state.update(current, stored), this.#state.update(former, undefined)]);
    if (isUnfiltered(filter)) return;
    // Those of a later version stay until others take their places.
    const others = this.#recent(connection).filter((each) => JSON.stringify(each) !== JSON.stringify(stored));
    await this.#state.update(recentKey(connection), [stored, ...others].slice(0, maxRecent));
  }

  /** Returns the recently used filters of a connection, newest first. Skips unreadable ones. */
  recent(connection: string): readonly JobFilter[] {
    return this.#recent(connection).flatMap((each) => {
      const read = decodeStoredFilter(each);
      return read instanceof Undecodable ? [] : [read];
    });
  }

  #recent(connection: string): readonly unknown[] {
    const stored = this.#state.get(recentKey(connection));
    return Array.isArray(stored) ? stored.slice(0, maxRecent) : [];
  }
}

const quarantineKey = 'filters.setAside';

const maxRecent = 5;

/** Returns the workspace state key of the recent filters of a connection. */
function recentKey(connection: string): string {
  return `recentFilters/${connection}`;
}
