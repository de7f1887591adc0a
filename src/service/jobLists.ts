import { isJobKind, isJobStatus, jobKinds, type Job } from '../domain/job.ts';
import { contradiction, type Contradiction } from '../domain/jobFilter.ts';
import { listId, type ListKey } from '../domain/listKey.ts';
import type { ListQuestion, PagedList } from './jobPager.ts';
import { unloadedList, type ListRecord } from './listState.ts';
import type { ChangeSet } from './storeChange.ts';

/** An answer to a list's question, and when it was asked for: a number that grows with every request. */
export interface Answer {
  readonly question: ListQuestion;
  readonly paged: PagedList;
  readonly askedAt: number;
}

/**
 * The loaded lists. Sees to it that a job stands in one list of its kind only, where the newest observation puts it,
 * and that nothing stands where it contradicts the question.
 */
export class JobLists {
  readonly #records = new Map<string, ListRecord>();
  readonly #changed: ChangeSet;
  readonly #contradicted: (contradiction: Contradiction | 'kind') => void;

  constructor(changed: ChangeSet, contradicted: (contradiction: Contradiction | 'kind') => void) {
    this.#changed = changed;
    this.#contradicted = contradicted;
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

  /** A loaded job, as it was observed last. */
  job(kind: string, id: string): Job | undefined {
    return jobIn(this.#records.values(), kind, id);
  }

  update(key: ListKey, changes: Partial<ListRecord>): void {
    this.#records.set(listId(key), { ...this.record(key), ...changes });
    this.#changed.list(key);
  }

  clear(): void {
    this.#records.clear();
  }

  /** Puts a list as it was read into its place. What has only grown costs what was added to it. */
  accept(key: ListKey, { question, paged, askedAt }: Answer): void {
    const before = this.record(key);
    const others = this.all().filter((other) => other.key.kind === key.kind && listId(other.key) !== listId(key));
    const added = before.paged && paged.jobs.addedSince(before.paged.jobs);
    const wasWhole = before.jobs === before.paged?.jobs;
    const takeIn = (job: Job): boolean => {
      // What was added to the list as it came is new to it, and need not be looked for there.
      const shown = added && wasWhole ? undefined : before.jobs.get(job.kind, job.id);
      // Not observed anew: it stays where it was put.
      if (!added && before.paged?.jobs.get(job.kind, job.id) === job) return shown !== undefined;
      const old = shown ?? jobIn(others, job.kind, job.id);
      if (old !== undefined && old.raw !== job.raw) this.#changed.job(job);
      return this.#belongs(key, job, question, askedAt, others);
    };
    const taken = added?.filter((entry) => entry.type !== 'job' || takeIn(entry));
    const isWhole = wasWhole && taken?.length === added?.length;
    this.update(key, {
      jobs: taken === undefined ? paged.jobs.filter(takeIn) : isWhole ? paged.jobs : before.jobs.append(taken),
      paged,
      question,
      loaded: true,
      hasMore: paged.hasMore,
      failure: undefined,
      notice: paged.stuck ? 'stuck' : paged.moved ? 'moved' : undefined,
      exact: paged.hasMore ? before.exact : undefined,
      askedAt,
    });
  }

  /** Takes in a job that was seen outside the lists. It leaves a list whose status it no longer has. */
  observe(job: Job, askedAt: number): void {
    for (const { key, jobs, paged } of this.all()) {
      const shown = key.kind === job.kind ? jobs.get(job.kind, job.id) : undefined;
      if (shown === undefined) continue;
      if (shown.raw !== job.raw) this.#changed.job(job);
      const stays = key.status === undefined || key.status === job.status;
      const record = this.record(key);
      this.#records.set(listId(key), {
        ...record,
        jobs: stays ? jobs.append([job]) : jobs.filter((each) => each.id !== job.id),
        paged: paged === undefined ? undefined : { ...paged, jobs: paged.jobs.append([job]) },
        askedAt,
      });
      if (!stays) this.#changed.list(key);
    }
  }

  /** Whether a job just read is shown in this list; takes it out of the others of its kind. */
  #belongs(key: ListKey, job: Job, question: ListQuestion, askedAt: number, others: ListRecord[]): boolean {
    if (job.kind !== key.kind) {
      if (isJobKind(job.kind)) this.#contradicted('kind');
      else this.#keepObserved({ kind: job.kind, status: undefined }, job);
      return false;
    }
    const against = contradiction(job, question.params);
    if (against !== undefined) {
      this.#contradicted(against);
      return false;
    }
    if (key.status !== undefined && !isJobStatus(job.status)) {
      this.#keepObserved({ kind: job.kind, status: job.status }, job);
      return false;
    }
    for (const [index, other] of others.entries()) {
      if (!other.jobs.has(job.kind, job.id)) continue;
      if (other.askedAt > askedAt) return false;
      this.update(other.key, { jobs: other.jobs.filter((each) => each.id !== job.id) });
      others[index] = this.record(other.key);
    }
    return true;
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
