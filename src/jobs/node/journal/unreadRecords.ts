import type { Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Log } from '../../../base/log.ts';

/** Reports records of a store that cannot be read. They stay in their files. */
export class UnreadRecords {
  readonly #store: string;
  readonly #log: Log;
  /** Largest numbers that were logged, by folder. */
  readonly #logged = new Map<string, { readonly damaged: number; readonly later: number }>();
  readonly #found = new Emitter<void>();

  /** @param store what it stores, for the log */
  constructor(store: string, log: Log) {
    this.#store = store;
    this.#log = log;
  }

  /** Fires when the first records of a later version of the product are found. */
  readonly onDidFindLater = (listener: () => void): Disposable => this.#found.event(listener);

  /** Logs the numbers if they are larger than before. */
  note(folder: string, { damaged, later }: { readonly damaged: number; readonly later: number }): void {
    const logged = this.#logged.get(folder) ?? { damaged: 0, later: 0 };
    if (damaged > logged.damaged) this.#log.warn(`${this.#store}: ${folder}: ${damaged} damaged records`);
    if (later > logged.later) this.#log.warn(`${this.#store}: ${folder}: ${later} records of a later version`);
    this.#logged.set(folder, {
      damaged: Math.max(damaged, logged.damaged),
      later: Math.max(later, logged.later),
    });
    if (later > 0 && logged.later === 0) this.#found.fire();
  }
}
