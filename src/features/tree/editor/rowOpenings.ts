import { flag, formVersion, list, record, text } from '../../../base/decode/decoder.ts';
import type { Log } from '../../../base/log.ts';
import { readStored, type StateStore } from '../../../base/stateStore.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';

const storedAs = 'openGroups';
/** Maximum number of stored rows. Groups and connections come and go, so only the latest rows are kept. */
const maxKept = 200;
const storedOpenings = record({ version: formVersion(1), groups: list(record({ id: text, isOpen: flag })) });

/**
 * Rows that the user has opened or closed, by the IDs of their nodes. All are stored for the next window except saved views, whose jobs are
 * counted when they are opened.
 */
export class RowOpenings {
  readonly #state: StateStore;
  readonly #log: Log;
  readonly #openings: Map<string, boolean>;

  /** @param state the workspace state; an unreadable value is set aside */
  constructor(state: StateStore, log: Log) {
    this.#state = state;
    this.#log = log;
    const read = readStored(state, storedAs, storedOpenings, (line) => log.warn(line));
    const groups = read?.groups.slice(-maxKept) ?? [];
    this.#openings = new Map(groups.map(({ id, isOpen }) => [id, isOpen]));
  }

  /** True if a row is open, false if closed; undefined if the user has neither opened nor closed it. */
  get(id: string): boolean | undefined {
    return this.#openings.get(id);
  }

  /** @param isKept true to store it for the next window */
  set(id: string, isOpen: boolean, isKept: boolean): void {
    // The latest rows are at the end.
    this.#openings.delete(id);
    this.#openings.set(id, isOpen);
    if (!isKept) return;
    const groups = [...this.#openings].slice(-maxKept).map(([each, open]) => ({ id: each, isOpen: open }));
    void runQuietly(this.#log, async () => this.#state.update(storedAs, { version: 1, groups }));
  }
}
