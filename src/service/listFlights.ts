import { listId, type ListKey } from '../domain/jobs/listKey.ts';

/** What may be done to a list: its first page read, one more page or all of them, its head read again or all that is loaded. */
export type Task = 'first' | 'more' | 'all' | 'head' | 'again';

/** Tasks that bring all that a lesser one would. */
const greater: Partial<Record<Task, Task>> = { more: 'all', head: 'again' };

/** Keeps to one task on a list at a time: the same or a greater one is joined, others are waited for. */
export class ListFlights {
  readonly #flights = new Map<string, { readonly task: Task; readonly done: Promise<void> }>();

  /** The end of what a list is busy with. */
  of(key: ListKey): Promise<void> | undefined {
    return this.#flights.get(listId(key))?.done;
  }

  /** Does the work of a task once what is under way on that list is done, or joins that when it brings the same. */
  async run(key: ListKey, task: Task, work: () => Promise<void>): Promise<void> {
    const id = listId(key);
    const underWay = this.#flights.get(id);
    if (underWay !== undefined && (underWay.task === task || underWay.task === greater[task])) return underWay.done;
    const done = after(underWay?.done, work);
    this.#flights.set(id, { task, done });
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
