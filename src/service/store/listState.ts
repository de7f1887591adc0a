import type { Failure } from '../../domain/failure.ts';
import { JobList } from '../../domain/jobs/jobList.ts';
import { type ListKey, listId } from '../../domain/jobs/listKey.ts';
import type { PagedList } from '../list/jobPager.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { jobKey, type Job } from '../../domain/jobs/job.ts';

/** What a list is busy with. */
export type Activity = 'none' | 'loading' | 'loadingMore' | 'refreshing';

/** Why a list is not as it should be: shown in a row of its own, with the rows that are there. */
export interface ListFailure {
  readonly failure: Failure;
  /** The last attempt, in milliseconds since the epoch. */
  readonly atMs: number;
  /** The first of the attempts that have failed in a row; so old are the rows that are there. */
  readonly sinceMs: number;
  readonly during: Exclude<Activity, 'none'>;
}

/** The exact number of jobs that match a list, counted on demand. */
export interface ExactCount {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
}

/** One list as views see it. Immutable; the store gives a new one when something changes. */
export interface ListState {
  readonly key: ListKey;
  readonly jobs: JobList;
  /** The first page has come. */
  readonly loaded: boolean;
  readonly hasMore: boolean;
  /** What was seen implies that every job that matches has come. */
  readonly isComplete: boolean;
  readonly activity: Activity;
  readonly failure: ListFailure | undefined;
  /** `stuck`: the service says there is more but sends nothing new. `moved`: earlier rows may be out of date. */
  readonly notice: 'stuck' | 'moved' | undefined;
  readonly exact: ExactCount | undefined;
}

/** What the store keeps of a list besides. */
export interface ListRecord extends ListState {
  /** As the service gave it; `jobs` are those of it that belong here. */
  readonly paged: PagedList | undefined;
  readonly query: ListQuery | undefined;
}

/** A list before anything was asked. */
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
