import { createHash } from 'node:crypto';
import { Failure } from '../../../base/failure.ts';
import {
  hasResult,
  isJobKind,
  isSameContent,
  jobKey,
  withoutWholeText,
  withWholeText,
  type Job,
  type ListEntry,
} from '../../common/job.ts';
import { ownText } from '../../../base/json/jsonText.ts';
import { makeLeanItem } from '../../common/result/leanItem.ts';
import { readNarrowed, searchJob } from '../jobSearch.ts';
import { findingParams, type ListEndpoint } from '../../common/listParams.ts';
import { WorkSlices } from '../../../base/clock.ts';
import type { ListReader } from '../list/listReader.ts';

/** Access to results, which rows do not keep. */
export interface WholeJobSource {
  /** Returns a job with its result; undefined if that is no longer available. */
  whole(job: Job): Job | undefined;
  /**
   * Returns a job with its result, which is requested from the service if necessary. @throws Failure; `jobNotFound`,
   * `resultGone`
   */
  readWhole(job: Job, signal: AbortSignal): Promise<Job>;
}

/** In characters, for all items together. Rows never keep results, and most pages find them here. */
const maxKept = 16_000_000;
/** Items of the request that reads one job again. The service may ignore the bounds of time. */
const rereadLimit = 20;
/** Max items to read if a service does not find a job by its time of creation. */
const maxSearched = 2_000;

/**
 * The results of loaded jobs, which rows do not keep. Caches the most recently used results up to a bound. Requests the
 * others from the service on demand, with one request if it obeys times of creation.
 */
export class WholeJobs {
  /** Items as received, by `jobKey`, least recently used first. */
  readonly #kept = new Map<string, { readonly raw: string; readonly lean: Job }>();
  #characters = 0;
  readonly #source: ListReader;
  /** Marks the jobs of this source, because another service may have others with the same ids. */
  readonly #service = Symbol('service');

  /** @param source lists jobs with their results */
  constructor(source: ListReader) {
    this.#source = source;
  }

  /** Returns the entries of a page, with jobs without results. Yields regularly. */
  async makeLeanEntries(entries: readonly ListEntry[]): Promise<readonly ListEntry[]> {
    if (!entries.some((entry) => entry.whole !== undefined || (entry.type === 'job' && hasResult(entry))))
      return entries;
    const lean: ListEntry[] = [];
    const slices = new WorkSlices();
    for (const entry of entries) {
      await slices.rest();
      lean.push(this.#makeLeanEntry(entry));
    }
    return lean;
  }

  #makeLeanEntry(entry: ListEntry): ListEntry {
    if (entry.type === 'job') return this.makeLean(entry);
    if (entry.whole === undefined) return entry;
    const { whole: _whole, ...lean } = entry;
    return lean;
  }

  /** Returns the job without its result, which is cached separately. */
  makeLean(job: Job): Job {
    if (job.omitted !== undefined || (job.whole === undefined && !hasResult(job))) return job;
    const key = jobKey(job);
    const received = job.whole?.text ?? job.raw;
    const known = this.#kept.get(key);
    if (known?.raw === received) return known.lean;
    const lean = job.whole === undefined ? this.#withoutResult(job) : withoutWholeText(job, this.#service);
    if (lean !== job) this.#keep(key, received, lean);
    return lean;
  }

  #withoutResult(job: Job): Job {
    const item = makeLeanItem(job.raw);
    if (item === undefined) return job;
    const digest = createHash('sha256').update(item.omitted).digest('base64');
    return { ...job, raw: item.raw, omitted: { characters: item.omitted.length, digest, service: this.#service } };
  }

  /** Returns the job with its result; undefined if that is no longer available. */
  get(job: Job): Job | undefined {
    if (job.omitted === undefined) return withWholeText(job);
    const key = jobKey(job);
    const kept = this.#kept.get(key);
    if (kept?.lean.omitted?.digest !== job.omitted.digest || !this.#isIts(job, kept.lean)) return undefined;
    // Moves the item to the most recently used position.
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const { omitted: _omitted, cutFields: _cutFields, ...whole } = job;
    return { ...whole, raw: kept.raw };
  }

  /**
   * Returns the current job with its result, which is requested from the service if necessary.
   * @throws Failure; `jobNotFound` if it is not among the searched jobs, or belongs to another service; `resultGone` if
   * the service lists it without a result
   */
  async read(job: Job, signal: AbortSignal): Promise<Job> {
    const kept = this.get(job);
    if (kept !== undefined) return kept;
    const endpoint = isJobKind(job.kind) ? job.kind : 'combined';
    let found = await this.#findByCreation(endpoint, job, signal);
    if (found === undefined) {
      const bounds = { limit: rereadLimit, max: maxSearched, signal };
      found = await searchJob(this.#source, { endpoint, params: {} }, job.id, bounds);
    }
    if (found === undefined || jobKey(found) !== jobKey(job)) throw new Failure('jobNotFound');
    if (found.whole === undefined && !hasResult(found)) throw new Failure('resultGone');
    if (!this.#isIts(job, this.makeLean(found))) throw new Failure('jobNotFound');
    return withWholeText(found);
  }

  /**
   * True if a job of this source is the given job. A row of another source may be of another service, unless everything
   * is the same.
   */
  #isIts(job: Job, own: Job): boolean {
    return job.omitted?.service === this.#service || isSameContent(job, own);
  }

  /**
   * Finds the job by its time of creation. Also returns undefined if a service refuses that query: the job may be found
   * without it.
   */
  async #findByCreation(endpoint: ListEndpoint, job: Job, signal: AbortSignal): Promise<Job | undefined> {
    const params = { ...findingParams(job), limit: rereadLimit };
    const { found } = await readNarrowed(this.#source, endpoint, params, job, signal);
    // Two items may have the same id. Prefers the one with the same result.
    return found.find((each) => this.makeLean(each).omitted?.digest === job.omitted?.digest) ?? found[0];
  }

  #keep(key: string, raw: string, lean: Job): void {
    this.#drop(key);
    if (raw.length > maxKept) return;
    this.#kept.set(key, { raw: ownText(raw), lean });
    this.#characters += raw.length;
    for (const oldest of this.#kept.keys()) {
      if (this.#characters <= maxKept) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#characters -= this.#kept.get(key)?.raw.length ?? 0;
    this.#kept.delete(key);
  }
}
