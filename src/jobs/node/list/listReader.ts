import { isFailure } from '../../../base/failure.ts';
import { findMetadata } from '../../common/jobFilter.ts';
import { WorkSlices } from '../../../base/clock.ts';
import type { ListEntry } from '../../common/job.ts';
import type { ListEndpoint, ListParams } from '../../common/listParams.ts';
import type { JobsApi } from '../api/jobsApi.ts';
import type { ListPage, PageOptions } from '../../common/decodePage.ts';
import type { Log } from '../../../base/log.ts';
import { ServiceTraits } from './serviceTraits.ts';

/** The part of the API that reads lists. */
export type ListApi = Pick<JobsApi, 'listJobs'>;

/** Called before each page is read. The returned function receives the page, or the error if reading failed. */
type PageObserver = () => (page: ListPage | undefined, error?: unknown) => void;

interface ListReaderOptions extends Pick<PageOptions, 'sharesText'> {
  /** Properties of the service that are already known. */
  readonly traits?: ServiceTraits;
  readonly deviations?: DeviationLog;
  readonly observe?: PageObserver;
  /** Makes the entries of pages smaller, for a reader that keeps them. */
  readonly makeLean?: (entries: readonly ListEntry[]) => Promise<readonly ListEntry[]>;
}

/** Statuses by which services are known to refuse a `limit` that is too large. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);
/** Number of consecutive single items with responses over the size limit after which the service is assumed to ignore `limit`. */
const maxTooLarge = 3;

/**
 * Reads the lists of a service; all code that lists jobs uses this class. Learns how many items the service returns at
 * once. A limit that is refused, or whose response is too large, is lowered, to one if necessary. A limit that was
 * refused from the beginning is not tried again. A limit that was accepted before, or whose response was too large, is
 * tried again, less and less often, because other items may be smaller.
 */
export class ListReader {
  readonly #open: () => Promise<ListApi>;
  readonly #options: ListReaderOptions;
  /** Known properties of the service. */
  readonly traits: ServiceTraits;

  /** @param open the API, opened with the first request */
  constructor(open: () => Promise<ListApi>, options: ListReaderOptions = {}) {
    this.#open = open;
    this.#options = options;
    this.traits = options.traits ?? new ServiceTraits();
  }

  /** Returns a reader of the same service with other options. */
  with(options: Omit<ListReaderOptions, 'traits' | 'deviations'>): ListReader {
    return new ListReader(this.#open, { ...this.#options, ...options, traits: this.traits });
  }

  /**
   * Reads one page.
   * @throws Failure of any code; `cancelled` when the signal fires. ParameterError, before anything is sent.
   */
  async readPage(endpoint: ListEndpoint, params: ListParams, signal?: AbortSignal): Promise<ListPage> {
    const { makeLean, observe } = this.#options;
    const report = observe?.();
    try {
      const page = await this.#readWithinLimit(endpoint, params, signal);
      report?.(page);
      const entries = makeLean === undefined ? page.entries : await makeLean(page.entries);
      await new WorkSlices().run(findMetadata(entries, params));
      return { ...page, entries };
    } catch (error) {
      report?.(undefined, error);
      throw error;
    }
  }

  async #readWithinLimit(
    endpoint: ListEndpoint,
    params: ListParams,
    signal: AbortSignal | undefined,
  ): Promise<ListPage> {
    const { limit } = params;
    if (limit === undefined) return this.#query(endpoint, params, signal);
    const requested = Math.min(limit, this.traits.maxLimit);
    try {
      return await this.#readLearning(endpoint, params, requested, signal);
    } catch (error) {
      if (requested === 1) return this.#pageOfTooLarge(params, error);
      if (isFailure(error, 'tooLarge')) return this.#readLess(endpoint, params, requested, error, signal);
      if (!isLimitRefusal(error) || this.traits.isOther(queryKey(endpoint, params), requested)) throw error;
      // If something else is wrong with the request, it is refused for a single item, too.
      const single = await this.#readLearning(endpoint, params, 1, signal).catch(() => undefined);
      if (single === undefined) throw error;
      return this.#readLess(endpoint, params, requested, error, signal);
    }
  }

  /** Halves the limit until a request succeeds. Rounds up, because pages of two show more of a list than single items do. */
  async #readLess(
    endpoint: ListEndpoint,
    params: ListParams,
    refused: number,
    reason: unknown,
    signal: AbortSignal | undefined,
  ): Promise<ListPage> {
    let why = reason;
    let before = refused;
    for (;;) {
      const limit = Math.ceil(before / 2);
      this.traits.lower(before, limit, isFailure(why, 'tooLarge'));
      try {
        return await this.#readLearning(endpoint, params, limit, signal);
      } catch (error) {
        if (limit === 1) return this.#pageOfTooLarge(params, error);
        if (!(isFailure(error, 'tooLarge') || isLimitRefusal(error))) throw error;
        why = error;
        before = limit;
      }
    }
  }

  /**
   * Returns a page for a single item whose response is too large, so that reading continues after it.
   * @throws the failure if it is a different one, or if so many single items are too large that the service must be
   * ignoring the limit.
   */
  #pageOfTooLarge({ offset = 0 }: ListParams, failure: unknown): ListPage {
    if (!isFailure(failure, 'tooLarge')) throw failure;
    this.traits.tooLargeOffsets.add(offset);
    if (this.traits.tooLargeOffsets.size > maxTooLarge) throw failure;
    return {
      entries: [
        { type: 'unreadable', raw: JSON.stringify(`too large to read, at offset ${offset}`), isTooLarge: true },
      ],
      hasMore: true,
      serviceDateMs: undefined,
      deviations: [],
      limit: 1,
    };
  }

  async #readLearning(
    endpoint: ListEndpoint,
    params: ListParams,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<ListPage> {
    const page = await this.#query(endpoint, { ...params, limit }, signal);
    this.traits.note(limit, page, queryKey(endpoint, params));
    this.traits.noteSeveral(params, page.entries);
    if (page.entries.length > 0) this.traits.tooLargeOffsets.clear();
    // `next` was once null before the end, so null no longer means the end.
    const hasMore = page.hasMore || (this.traits.nextIsUnreliable && page.entries.length > 0);
    return { ...page, hasMore, limit };
  }

  async #query(endpoint: ListEndpoint, params: ListParams, signal: AbortSignal | undefined): Promise<ListPage> {
    const api = await this.#open();
    const page = await api.listJobs(endpoint, params, signal, this.#options.sharesText);
    this.#options.deviations?.report(endpoint, page.deviations);
    return page;
  }
}

/** Key of a query, the same for all its pages. */
function queryKey(endpoint: ListEndpoint, params: ListParams): string {
  return JSON.stringify([endpoint, { ...params, limit: 0, offset: 0 }]);
}

function isLimitRefusal(error: unknown): boolean {
  return isFailure(error, 'rejected') && refusals.has(error.facts.status ?? 0);
}

/** Maximum number of logged deviations per service. */
const maxLoggedShapes = 50;

/** Logs how responses deviate from the contract: each deviation once, and at most 50 of them. */
export class DeviationLog {
  readonly #log: Pick<Log, 'info'>;
  readonly #shapes = new Set<string>();

  constructor(log: Pick<Log, 'info'>) {
    this.#log = log;
  }

  report(endpoint: ListEndpoint, deviations: ListPage['deviations']): void {
    for (const { kind, path } of deviations) {
      const shape = `${endpoint}: ${kind} ${path}`;
      if (this.#shapes.has(shape) || this.#shapes.size > maxLoggedShapes) continue;
      this.#shapes.add(shape);
      this.#log.info(
        this.#shapes.size > maxLoggedShapes
          ? 'more is unexpected in the answers than is told here'
          : `unexpected in the answers of ${shape}`,
      );
    }
  }
}
