import { isJobKind, isJobStatus, jobKinds, type Job, type ListEntry, jobKey } from '../../domain/jobs/job.ts';
import type { JobList } from '../../domain/jobs/jobList.ts';
import { findContradiction, type Contradiction } from '../../domain/filter/jobFilter.ts';
import { listId, type ListKey } from '../../domain/jobs/listKey.ts';
import type { PagedList } from '../list/jobPager.ts';
import type { ListQuery } from '../../domain/jobs/listParams.ts';
import { ChangeSet, unloadedList, type ListRecord, type StoreChange } from './listState.ts';
import { describeError } from '../../domain/failure.ts';
import { DisposableOwner } from '../disposable.ts';
import { Emitter } from '../emitter.ts';
import type { Log } from '../ports.ts';

/** A list as it was read, and what was asked for it. */
export interface ReadList {
  readonly query: ListQuery;
  readonly paged: PagedList;
}

/** One answer on its way into a list. */
interface Reading extends ReadList {
  readonly key: ListKey;
  /** When it was asked for: a number that grows with every request. */
  readonly askedAt: number;
  /** The list as it was. */
  readonly before: ListRecord;
  /** The other lists of that kind. */
  readonly others: ListRecord[];
  /** All that the answer brings is new to the list. */
  readonly isGrown: boolean;
}

/**
 * The loaded lists. Sees to it that a job stands in one list of its kind only, where the newest observation puts it,
 * and that nothing stands where it contradicts the question.
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

  /** Known kinds first, then those that items brought. */
  get kinds(): readonly string[] {
    return [...new Set<string>([...jobKinds, ...this.all().map(({ key }) => key.kind)])];
  }

  all(): readonly ListRecord[] {
    return [...this.#records.values()];
  }

  record(key: ListKey): ListRecord {
    return this.#records.get(listId(key)) ?? unloadedList(key);
  }

  /** A loaded or watched job, as it was observed last. */
  job(kind: string, id: string): Job | undefined {
    return jobIn(this.#records.values(), kind, id) ?? this.#seen.aside(kind, id);
  }

  update(key: ListKey, changes: Partial<ListRecord>): void {
    this.#records.set(listId(key), { ...this.record(key), ...changes });
    this.#changed.list(key);
  }

  /** Tells in one event of all that has changed since it was told last. */
  tell(): void {
    const change = this.#changed.take();
    if (change !== undefined) this.#changes.fire(change);
  }

  /** Forgets everything, and tells that. */
  reset(): void {
    this.#records.clear();
    this.#seen.clear();
    this.#changed.take();
    this.#changes.fire({ type: 'reset' });
  }

  /**
   * Puts a list as it was read into its place. What has only grown costs what was added to it.
   * @param askedAt when it was asked for: a number that grows with every request.
   * @returns lists that should be read again: jobs have left this one that were seen there as well, and had to stand back.
   */
  accept(key: ListKey, { query, paged }: ReadList, askedAt: number): readonly ListKey[] {
    const before = this.record(key);
    const others = this.all().filter((other) => other.key.kind === key.kind && listId(other.key) !== listId(key));
    const added = before.paged && paged.jobs.addedSince(before.paged.jobs);
    const wasWhole = before.jobs === before.paged?.jobs;
    const reading: Reading = { query, paged, askedAt, key, before, others, isGrown: added !== undefined && wasWhole };
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
   * Takes in a job that was seen outside the lists. It leaves a list whose status it no longer has.
   * @returns the loaded list in which it stands now at the service, but not yet here.
   */
  observe(job: Job, askedAt: number): ListKey | undefined {
    const known = this.job(job.kind, job.id);
    if (known !== undefined && this.#seen.isNewer(known, askedAt)) return undefined;
    this.#seen.note(job, askedAt);
    if (known?.raw !== job.raw) this.#changed.job(job);
    const shownIn = this.all().filter(({ key, jobs }) => key.kind === job.kind && jobs.has(job.kind, job.id));
    for (const record of shownIn) {
      const { key, jobs, paged } = record;
      this.#records.set(listId(key), {
        ...record,
        jobs: isOf(key, job) ? jobs.append([job]) : jobs.filter((each) => each.id !== job.id),
        paged: paged?.jobs.has(job.kind, job.id) ? { ...paged, jobs: paged.jobs.append([job]) } : paged,
      });
      if (!isOf(key, job)) this.#changed.list(key);
    }
    if (shownIn.some(({ key }) => isOf(key, job))) {
      this.#seen.takeBack(job);
      return undefined;
    }
    this.#seen.cacheUnlisted(job);
    const home = shownIn.length === 0 ? undefined : this.record({ kind: job.kind, status: job.status });
    return home?.loaded === true ? home.key : undefined;
  }

  /** Whether a job that was read is shown in its list; or the same job as something asked for later has seen it, to be shown instead. */
  #placed(job: Job, reading: Reading): boolean | Job {
    const { key, query, askedAt, before, others, isGrown } = reading;
    // What was added to the list as it came is new to it, and need not be looked for there.
    const shown = isGrown ? undefined : before.jobs.get(job.kind, job.id);
    // Not observed anew: it stays where it was put.
    if (!isGrown && before.paged?.jobs.get(job.kind, job.id) === job) return shown !== undefined;
    const elsewhere = shown === undefined ? jobIn(others, job.kind, job.id) : undefined;
    const known = shown ?? elsewhere ?? this.#seen.aside(job.kind, job.id);
    if (known !== undefined && this.#seen.isNewer(known, askedAt)) {
      if (known === elsewhere || !isOf(key, known)) return false;
      this.#seen.takeBack(known);
      return known;
    }
    this.#seen.note(job, askedAt);
    if (known !== undefined && known.raw !== job.raw) this.#changed.job(job);
    if (!this.#belongs(key, job, query)) return false;
    this.#seen.takeBack(job);
    if (elsewhere !== undefined) this.#takeOut(job, others);
    return true;
  }

  /** Whether a job just read is shown in this list as far as the query goes. */
  #belongs(key: ListKey, job: Job, query: ListQuery): boolean {
    if (job.kind !== key.kind) {
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
      this.#keepObserved({ kind: job.kind, status: job.status }, job);
      return false;
    }
    return true;
  }

  #takeOut(job: Job, others: ListRecord[]): void {
    for (const [index, other] of others.entries()) {
      if (!other.jobs.has(job.kind, job.id)) continue;
      this.update(other.key, { jobs: other.jobs.filter((each) => each.id !== job.id) });
      others[index] = this.record(other.key);
    }
  }

  /** Jobs of kinds and statuses that we do not know have lists of their own, made of what has been seen. */
  #keepObserved(key: ListKey, job: Job): void {
    if (!this.kinds.includes(key.kind)) this.#changed.kind();
    this.update(key, { loaded: true, jobs: this.record(key).jobs.append([job]) });
  }
}

function jobIn(lists: Iterable<ListRecord>, kind: string, id: string): Job | undefined {
  for (const { key, jobs } of lists) {
    const job = key.kind === kind ? jobs.get(kind, id) : undefined;
    if (job !== undefined) return job;
  }
  return undefined;
}

/** Whether a list is the one for jobs of that kind and status, whatever the filter. */
function isOf({ kind, status }: ListKey, job: Job): boolean {
  return kind === job.kind && (status === undefined || status === job.status);
}

function isJobOutside(entry: ListEntry, jobs: JobList): entry is Job {
  return entry.type === 'job' && !jobs.has(entry.kind, entry.id);
}

/** Whether the service had a job in this list, but another list was thought to have it now. */
function isHidden({ kind, id }: Job, { key, jobs, paged }: ListRecord): boolean {
  const held = jobs.has(kind, id) ? undefined : paged?.jobs.get(kind, id);
  return held !== undefined && isOf(key, held);
}

/** More jobs than anybody has pages open of. */
const mostAside = 1000;

/** When jobs were seen as they are, and what became of those that no list shows. */
export class Observations {
  /** When the answer that brought a job was asked for: a number that grows with every request. */
  readonly #askedAt = new WeakMap<Job, number>();
  readonly #aside = new Map<string, Job>();

  note(job: Job, askedAt: number): void {
    this.#askedAt.set(job, askedAt);
  }

  /** Whether a job was seen so by something that was asked for after this. */
  isNewer(job: Job, askedAt: number): boolean {
    return (this.#askedAt.get(job) ?? 0) > askedAt;
  }

  /** Keeps a job that no list shows: it has left the one in which it was, or only a watch has seen it. The oldest go first. */
  cacheUnlisted(job: Job): void {
    this.takeBack(job);
    this.#aside.set(jobKey(job), job);
    const [oldest] = this.#aside.keys();
    if (oldest !== undefined && this.#aside.size > mostAside) this.#aside.delete(oldest);
  }

  takeBack(job: Job): void {
    if (this.#aside.size > 0) this.#aside.delete(jobKey(job));
  }

  aside(kind: string, id: string): Job | undefined {
    return this.#aside.size === 0 ? undefined : this.#aside.get(jobKey({ kind, id }));
  }

  clear(): void {
    this.#aside.clear();
  }
}
