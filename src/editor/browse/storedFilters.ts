import type * as vscode from 'vscode';
import { Undecodable } from '../../domain/decode/decoder.ts';
import { isUnfiltered, noFilter, type JobFilter } from '../../domain/filter/jobFilter.ts';
import { decodeStoredFilter, storedFilter } from '../../domain/filter/storedFilter.ts';
import { quarantine } from '../../service/quarantine.ts';

/** What was stored and could not be read. */
export interface SetAside {
  readonly value: unknown;
  /** For the log. */
  readonly why: string;
}

/** The filter of each connection, kept with the workspace. */
export class StoredFilters {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento) {
    this.#state = state;
  }

  /** The stored filter, or none. What cannot be read is set aside, where no later filter overwrites it. */
  async read(connection: string): Promise<{ readonly filter: JobFilter; readonly setAside?: SetAside }> {
    const key = filterKey(connection);
    const value = this.#state.get<unknown>(key);
    if (value === undefined) return { filter: noFilter };
    const read = decodeStoredFilter(value);
    if (!(read instanceof Undecodable)) return { filter: read };
    await quarantine(this.#state, key, setAsideKey, { connection, value });
    return { filter: noFilter, setAside: { value, why: read.message } };
  }

  async write(connection: string, filter: JobFilter): Promise<void> {
    await this.#state.update(filterKey(connection), isUnfiltered(filter) ? undefined : storedFilter(filter));
  }
}

const setAsideKey = 'filters.setAside';

/** Under which name the workspace remembers a connection's filter. */
export function filterKey(connection: string): string {
  return `filter/${connection}`;
}
