import { attempt, flag, formVersion, list, record, text, Undecodable } from '../../../base/decode/decoder.ts';
import type { Log } from '../../../base/log.ts';
import type { StateStore } from '../../../base/stateStore.ts';
import { runQuietly } from '../../../platform/editor/runCommand.ts';

const storedAs = 'openGroups';
/** Groups come and go, and so do connections: of the rows that were opened or closed the last ones are kept. */
const maxKept = 200;
const storedOpenings = record({ version: formVersion(1), groups: list(record({ id: text, isOpen: flag })) });

/** Which rows the user has opened or closed, by the ids of their nodes; all but saved views, whose jobs are counted when they are opened, also for the next window. */
export class RowOpenings {
  readonly #state: StateStore;
  readonly #log: Log;
  readonly #openings: Map<string, boolean>;

  /** @param state the workspace state; what cannot be read there counts as nothing */
  constructor(state: StateStore, log: Log) {
    this.#state = state;
    this.#log = log;
    const read = attempt(storedOpenings, state.get(storedAs));
    const groups = read instanceof Undecodable ? [] : read.groups.slice(-maxKept);
    this.#openings = new Map(groups.map(({ id, isOpen }) => [id, isOpen]));
  }

  /** Whether a row is open; undefined when the user has neither opened nor closed it. */
  get(id: string): boolean | undefined {
    return this.#openings.get(id);
  }

  /** @param isKept whether it is for the next window, too */
  set(id: string, isOpen: boolean, isKept: boolean): void {
    // The latest stand at the end.
    this.#openings.delete(id);
    this.#openings.set(id, isOpen);
    if (!isKept) return;
    const groups = [...this.#openings].slice(-maxKept).map(([each, open]) => ({ id: each, isOpen: open }));
    void runQuietly(this.#log, async () => this.#state.update(storedAs, { version: 1, groups }));
  }
}
