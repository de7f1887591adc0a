import { isJobKind, isJobStatus, type Job, type ListEntry, isSameContent, jobKey } from '../../common/job.ts';
import type { JobList } from '../../common/jobList.ts';
import { findContradiction, type Contradiction } from '../../common/jobFilter.ts';
import { hasKind, isListOf, listId, type ListKey } from '../../common/listKey.ts';
import type { PagedList } from '../list/jobPager.ts';
import type { ListQuery } from '../../common/listParams.ts';
import { ChangeSet, unloadedList, type ListRecord, type StoreChange } from './listState.ts';
import { describeError } from '../../../base/failure.ts';
import { BoundedMap } from '../../../base/boundedMap.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Log } from '../../../base/log.ts';

/** A list as it was read, with its query. */
export interface ReadList {
  readonly query: ListQuery;
  readonly paged: PagedList;
}

/** A response that is being merged into a list. */
interface Reading extends ReadList {
  readonly key: ListKey;
  /** Number of the request. */
  readonly requestNumber: number;
  /** The list before the merge. */
  readonly before: ListRecord;
  /** The other lists of the same kind. */
  readonly others: ListRecord[];
  /** The response contains only entries that are new to the list. */
  readonly isGrown: boolean;
}

/**
 * The loaded lists. A job is shown in only one list of its kind, where the newest observation puts it, and never in a list
 * whose query it contradicts.
 */
export class JobLists extends DisposableOwner {
  readonly #records = new Map<string, ListRecord>();
  readonly #seen = new Observations();
  readonly #changed = new ChangeSet();
  readonly #changes: Emitter<StoreChange>;
  readonly #contradictions: Emitter<Contradiction | 'kind'>;

  constructor(log: Log) {
    super();
    const listenerFailed = (error: unknown): void => log.error(`jobs: ${describeError(error)}`);
    this.#changes = this.own(new Emitter(listenerFailed));
    this.#contradictions = this.own(new Emitter(listenerFailed));
  }

  get onDidChange(): Emitter<StoreChange>['event'] {
    return this.#changes.event;
  }

  get onDidContradict(): Emitter<Contradiction | 'kind'>['event'] {
    return this.#contradictions.event;
  }

  all(): readonly ListRecord[] {
    return [...this.#records.values()];
  }

  record(key: ListKey): ListRecord {
    return this.#records.get(listId(key)) ?? unloadedList(key);
  }

  /** Returns a loaded or watched job, as last observed. */
  job(kind: string, id: string): Job | undefined {
    return jobIn(this.#records.values(), kind, id) ?? this.#seen.unlisted(kind, id);
  }

  update(key: ListKey, changes: Partial<ListRecord>): void {
    this.#records.set(listId(key), { ...this.record(key), ...changes });
    this.#changed.list(key);
  }

  /** Fires one event for all changes since the last one. */
  flush(): void {
    const change = this.#changed.take();
    if (change !== undefined) this.#changes.fire(change);
  }

  /**
   * Begins a request. @returns its number; later requests have higher ones. The caller ends it after merging its
   * responses, or when it fails.
   */
  beginRequest(): number {
    return this.#seen.begin();
  }

  endRequest(requestNumber: number): void {
    this.#seen.end(requestNumber);
  }

  /** Clears everything and fires an event. */
  reset(): void {
    this.#records.clear();
    this.#seen.clear();
    this.#changed.take();
    this.#changes.fire({ type: 'reset' });
  }

  /**
   * Merges a list after it was read. If it only grew, the cost depends only on the added entries.
   * @param requestNumber number of the request, which has not ended.
   * @returns lists that should be reread: their jobs were hidden because this list showed them, and have left this list
   * now.
   */
  accept(key: ListKey, { query, paged }: ReadList, requestNumber: number): readonly ListKey[] {
    const before = this.record(key);
    const others = this.all().filter((other) => other.key.kind === key.kind && listId(other.key) !== listId(key));
    const added = before.paged && paged.jobs.addedSince(before.paged.jobs);
    const wasWhole = before.jobs === before.paged?.jobs;
    const reading: Reading = {
      query,
      paged,
      requestNumber,
      key,
      before,
      others,
      isGrown: added !== undefined && wasWhole,
    };
    const leftOut = new Set<ListEntry>();
    const later: Job[] = [];
    for (const entry of added ?? paged.jobs.entries) {
      const placed = entry.type !== 'job' || this.#placed(entry, reading);
      if (placed === false) leftOut.add(entry);
      else if (placed !== true) later.push(placed);
    }
    const all = later.length === 0 ? paged.jobs : paged.jobs.append(later);
    const isLeft = (entry: ListEntry): boolean => !leftOut.has(entry);
    let jobs = all;
    if (added === undefined) jobs = all.filter(isLeft);
    else if (!wasWhole || leftOut.size > 0) jobs = before.jobs.append([...added.filter(isLeft), ...later]);
    this.update(key, {
      jobs,
      paged: all === paged.jobs ? paged : { ...paged, jobs: all },
      query,
      loaded: true,
      hasMore: paged.hasMore,
      isComplete: paged.isComplete,
      failure: undefined,
      notice: paged.stuck ? 'stuck' : paged.moved ? 'moved' : undefined,
      exact: paged.isComplete ? undefined : before.exact,
    });
    const gone =
      added === undefined ? before.jobs.entries.filter((entry): entry is Job => isJobOutside(entry, jobs)) : [];
    for (const job of gone) if (jobIn(others, job.kind, job.id) === undefined) this.#seen.cacheUnlisted(job);
    return others.filter((other) => gone.some((job) => isHidden(job, other))).map((other) => other.key);
  }

  /**
   * Merges a job that was observed outside the lists. The job is removed from lists that do not match its status.
   * @returns the loaded list that should contain the job but does not show it yet.
   */
  observe(job: Job, requestNumber: number): ListKey | undefined {
    const known = this.job(job.kind, job.id);
    if (known !== undefined && this.#seen.isNewer(known, requestNumber)) return undefined;
    this.#seen.note(job, requestNumber);
    if (known === undefined || !isSameContent(known, job)) this.#changed.job(job);
    const shownIn = this.all().filter(({ jobs }) => jobs.has(job.kind, job.id));
    for (const record of shownIn) {
      const { key, jobs, paged } = record;
      this.#records.set(listId(key), {
        ...record,
        jobs: isListOf(key, job) ? jobs.append([job]) : jobs.filter((each) => !isSameJob(each, job)),
        paged: paged?.jobs.has(job.kind, job.id) ? { ...paged, jobs: paged.jobs.append([job]) } : paged,
      });
      if (!isListOf(key, job)) this.#changed.list(key);
    }
    if (shownIn.some(({ key }) => isListOf(key, job))) {
      this.#seen.dropUnlisted(job);
      return undefined;
    }
    this.#seen.cacheUnlisted(job);
    const isHome = ({ key, loaded }: ListRecord): boolean =>
      loaded && key.status === job.status && hasKind(key, job.kind);
    return shownIn.length === 0 ? undefined : this.all().find(isHome)?.key;
  }

  /**
   * True if a job that was read is shown in its list. Returns a job instead if a later request observed a newer
   * version, to be shown in its place.
   */
  #placed(job: Job, reading: Reading): boolean | Job {
    const { key, query, requestNumber, before, others, isGrown } = reading;
    // Added entries are new to the list, so it need not be searched for them.
    const shown = isGrown ? undefined : before.jobs.get(job.kind, job.id);
    // The job was not read again, so it keeps its position.
    if (!isGrown && before.paged?.jobs.get(job.kind, job.id) === job) return shown !== undefined;
    const elsewhere = shown === undefined ? jobIn(others, job.kind, job.id) : undefined;
    const known = shown ?? elsewhere ?? this.#seen.unlisted(job.kind, job.id);
    if (known !== undefined && this.#seen.isNewer(known, requestNumber)) {
      if (known === elsewhere || !isListOf(key, known)) return false;
      this.#seen.dropUnlisted(known);
      return known;
    }
    this.#seen.note(job, requestNumber);
    if (known !== undefined && !isSameContent(known, job)) this.#changed.job(job);
    if (!this.#belongs(key, job, query)) return false;
    this.#seen.dropUnlisted(job);
    if (elsewhere !== undefined) this.#takeOut(job, others);
    return true;
  }

  /** True if the query of this list allows a job that was just read. */
  #belongs(key: ListKey, job: Job, query: ListQuery): boolean {
    if (!hasKind(key, job.kind)) {
      if (isJobKind(job.kind)) this.#contradictions.fire('kind');
      else this.#keepObserved({ kind: job.kind, status: undefined }, job);
      return false;
    }
    const against = findContradiction(job, query.params);
    if (against !== undefined) {
      this.#contradictions.fire(against);
      return false;
    }
    if (key.status !== undefined && !isJobStatus(job.status)) {
      this.#keepObserved({ kind: key.kind, status: job.status }, job);
      return false;
    }
    return true;
  }

  #takeOut(job: Job, others: ListRecord[]): void {
    for (const [index, other] of others.entries()) {
      if (!other.jobs.has(job.kind, job.id)) continue;
      this.update(other.key, { jobs: other.jobs.filter((each) => !isSameJob(each, job)) });
      others[index] = this.record(other.key);
    }
  }

  /** Adds jobs of unknown kinds and statuses to their own lists, which are built from observed jobs. */
  #keepObserved(key: ListKey, job: Job): void {
    if (!this.all().some((other) => other.key.kind === key.kind)) this.#changed.kind();
    this.update(key, { loaded: true, jobs: this.record(key).jobs.append([job]) });
  }
}

function jobIn(lists: Iterable<ListRecord>, kind: string, id: string): Job | undefined {
  for (const { key, jobs } of lists) {
    const job = hasKind(key, kind) ? jobs.get(kind, id) : undefined;
    if (job !== undefined) return job;
  }
  return undefined;
}

function isSameJob(one: Job, other: Job): boolean {
  return one.id === other.id && one.kind === other.kind;
}

function isJobOutside(entry: ListEntry, jobs: JobList): entry is Job {
  return entry.type === 'job' && !jobs.has(entry.kind, entry.id);
}

/** True if the service returned a job in this list that is hidden because another list showed a newer observation. */
function isHidden({ kind, id }: Job, { key, jobs, paged }: ListRecord): boolean {
  const held = jobs.has(kind, id) ? undefined : paged?.jobs.get(kind, id);
  return held !== undefined && isListOf(key, held);
}

/** More jobs than pages that a user can have open. */
const maxUnlistedJobs = 1000;

/** Numbers requests, so that no newer response is overwritten by an older one, and caches jobs that no list shows. */
class Observations {
  /** Number of the last request. */
  #lastRequest = 0;
  /** Requests whose responses have not been merged yet, the oldest first. */
  readonly #open = new Set<number>();
  /**
   * The request that returned a job. Not recorded while no older request is open, because then no older response can
   * arrive. This applies to most jobs.
   */
  readonly #requestNumber = new WeakMap<Job, number>();
  readonly #unlisted = new BoundedMap<string, Job>(maxUnlistedJobs);

  begin(): number {
    this.#open.add(++this.#lastRequest);
    return this.#lastRequest;
  }

  end(requestNumber: number): void {
    this.#open.delete(requestNumber);
  }

  note(job: Job, requestNumber: number): void {
    const [oldest = requestNumber] = this.#open;
    if (oldest < requestNumber) this.#requestNumber.set(job, requestNumber);
  }

  /** True if a job was returned by a later request than this one. */
  isNewer(job: Job, requestNumber: number): boolean {
    return (this.#requestNumber.get(job) ?? 0) > requestNumber;
  }

  /** Caches a job that no list shows: it has left its list, or was observed only by a watch. The oldest are dropped first. */
  cacheUnlisted(job: Job): void {
    this.#unlisted.set(jobKey(job), job);
  }

  dropUnlisted(job: Job): void {
    if (this.#unlisted.size > 0) this.#unlisted.delete(jobKey(job));
  }

  unlisted(kind: string, id: string): Job | undefined {
    return this.#unlisted.size === 0 ? undefined : this.#unlisted.get(jobKey({ kind, id }));
  }

  clear(): void {
    this.#unlisted.clear();
  }
}
