import type { Failure } from '../../../base/failure.ts';
import { JobList } from '../../common/jobList.ts';
import { type ListKey, listId } from '../../common/listKey.ts';
import type { PagedList } from '../list/jobPager.ts';
import type { ListQuery } from '../../common/listParams.ts';
import { jobKey, type Job } from '../../common/job.ts';

/** The activity of a list. */
export type Activity = 'none' | 'loading' | 'loadingMore' | 'refreshing';

/** Failure of the last attempt; shown in a separate row, together with the loaded rows. */
export interface ListFailure {
  readonly failure: Failure;
  /** Time of the last attempt, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Time of the first of the consecutive failures; the loaded rows have not been updated since. */
  readonly sinceMs: number;
  readonly during: Exclude<Activity, 'none'>;
}

/** The exact number of jobs that match a list, counted on demand. */
export interface ExactCount {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** One list as views see it. Immutable; after a change the store provides a new one. */
export interface ListState {
  readonly key: ListKey;
  readonly jobs: JobList;
  /** The first page has been received. */
  readonly loaded: boolean;
  readonly hasMore: boolean;
  /** The responses imply that every matching job has been received. */
  readonly isComplete: boolean;
  readonly activity: Activity;
  readonly failure: ListFailure | undefined;
  /** `stuck`: the service reports more items but sends nothing new. `moved`: earlier rows may be out of date. */
  readonly notice: 'stuck' | 'moved' | undefined;
  readonly exact: ExactCount | undefined;
}

/** A list with internal data of the store. */
export interface ListRecord extends ListState {
  /** All entries as the service returned them; `jobs` has only those that belong in this list. */
  readonly paged: PagedList | undefined;
  readonly query: ListQuery | undefined;
}

/** Returns a list before the first request. */
export function unloadedList(key: ListKey): ListRecord {
  return {
    key,
    jobs: JobList.empty,
    loaded: false,
    hasMore: false,
    isComplete: false,
    activity: 'none',
    failure: undefined,
    notice: undefined,
    exact: undefined,
    paged: undefined,
    query: undefined,
  };
}

/** A change in the store, so that views update nothing else. */
export type StoreChange =
  /** Another service, filter or grouping: all lists are new. */
  | { readonly type: 'reset' }
  | {
      readonly type: 'lists';
      /** Lists whose rows were added, removed or moved, or whose state (loading, failure, more) changed. */
      readonly lists: readonly ListKey[];
      /** Jobs whose content changed, by `jobKey`; their rows may be in another list now. */
      readonly jobs: ReadonlySet<string>;
      /** An unknown kind was observed for the first time. */
      readonly kinds: boolean;
    };

/** Collects the changes of one step, so that one event reports them. */
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

  /** Returns the event, or undefined if nothing changed. Empties the set. */
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
