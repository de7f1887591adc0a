import { jobKey, type Job } from '../domain/jobs/job.ts';
import { listId, type ListKey } from '../domain/jobs/listKey.ts';

/** What has changed in the store, so that views touch nothing else. */
export type StoreChange =
  /** Another service, filter or grouping: all lists are new. */
  | { readonly type: 'reset' }
  | {
      readonly type: 'lists';
      /** Lists whose rows came, went or moved, or whose state (loading, failure, more) changed. */
      readonly lists: readonly ListKey[];
      /** Jobs whose content changed, by `jobKey`; their rows may be elsewhere now. */
      readonly jobs: ReadonlySet<string>;
      /** A kind that we do not know was observed for the first time. */
      readonly kinds: boolean;
    };

/** Collects what one step changes, so that it is told in one event. */
export class ChangeSet {
  readonly #lists = new Map<string, ListKey>();
  readonly #jobs = new Set<string>();
  #kinds = false;

  list(key: ListKey): void {
    this.#lists.set(listId(key), key);
  }

  job(job: Job): void {
    this.#jobs.add(jobKey(job));
  }

  kind(): void {
    this.#kinds = true;
  }

  /** The event, or undefined when nothing changed; the set is empty afterwards. */
  take(): StoreChange | undefined {
    if (this.#lists.size === 0 && this.#jobs.size === 0 && !this.#kinds) return undefined;
    const change: StoreChange = {
      type: 'lists',
      lists: [...this.#lists.values()],
      jobs: new Set(this.#jobs),
      kinds: this.#kinds,
    };
    this.#lists.clear();
    this.#jobs.clear();
    this.#kinds = false;
    return change;
  }
}
