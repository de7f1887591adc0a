import { listId, type ListKey } from '../domain/listKey.ts';
import type { Activity } from './listState.ts';

/** What a list may be busy with. */
export type Busy = Exclude<Activity, 'none'>;

/** Keeps to one piece of work on a list at a time: the same work is joined, other work waited for. */
export class ListFlights {
  readonly #flights = new Map<string, { readonly busy: Busy; readonly done: Promise<void> }>();

  /** The end of what a list is busy with. */
  of(key: ListKey): Promise<void> | undefined {
    return this.#flights.get(listId(key))?.done;
  }

  /** Does the work once what is under way on that list is done, or joins it when it is the same. */
  async run(key: ListKey, busy: Busy, work: () => Promise<void>): Promise<void> {
    const id = listId(key);
    const underWay = this.#flights.get(id);
    if (underWay?.busy === busy) return underWay.done;
    const done = after(underWay?.done, work);
    this.#flights.set(id, { busy, done });
    try {
      await done;
    } finally {
      if (this.#flights.get(id)?.done === done) this.#flights.delete(id);
    }
  }

  /** Forgets what is under way; whoever called for it ends it. */
  clear(): void {
    this.#flights.clear();
  }
}

async function after(underWay: Promise<void> | undefined, work: () => Promise<void>): Promise<void> {
  await underWay;
  return work();
}
