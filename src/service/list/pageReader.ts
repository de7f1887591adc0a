import { isFailure } from '../../domain/failure.ts';
import type { ListEndpoint, ListParams } from '../../domain/jobs/listParams.ts';
import type { ListPage, PageSource } from '../ports.ts';
import { ServiceTraits } from './serviceTraits.ts';

/** Statuses by which services are known to refuse a `limit` that they find too large. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Reads pages from a service and learns how many items it gives at once. A limit that is refused, or whose answer is too large, is
 * lowered, to one if need be, and not tried again. All reading of lists goes through it.
 */
export class PageReader implements PageSource {
  readonly #source: PageSource;
  readonly traits: ServiceTraits;

  constructor(source: PageSource, traits: ServiceTraits = new ServiceTraits()) {
    this.#source = source;
    this.traits = traits;
  }

  async listJobs(endpoint: ListEndpoint, params: ListParams, signal?: AbortSignal): Promise<ListPage> {
    const { limit } = params;
    if (limit === undefined) return this.#source.listJobs(endpoint, params, signal);
    const asked = Math.min(limit, this.traits.mostLimit);
    try {
      return await this.#ask(endpoint, params, asked, signal);
    } catch (error) {
      if (asked === 1) throw error;
      if (isFailure(error, 'tooLarge')) return this.#askForLess(endpoint, params, asked, signal);
      if (!isLimitRefusal(error) || this.traits.isGranted(asked)) throw error;
      // Something else may be wrong with the request: then it is refused for a single item, too.
      const single = await this.#ask(endpoint, params, 1, signal).catch(() => undefined);
      if (single === undefined) throw error;
      return asked === 2 ? single : this.#askForLess(endpoint, params, asked, signal);
    }
  }

  /** Halves the limit until an answer comes. */
  async #askForLess(
    endpoint: ListEndpoint,
    params: ListParams,
    refused: number,
    signal: AbortSignal | undefined,
  ): Promise<ListPage> {
    for (let limit = Math.floor(refused / 2); ; limit = Math.floor(limit / 2)) {
      this.traits.lower(limit);
      try {
        return await this.#ask(endpoint, params, limit, signal);
      } catch (error) {
        if (limit === 1 || !(isFailure(error, 'tooLarge') || isLimitRefusal(error))) throw error;
      }
    }
  }

  async #ask(
    endpoint: ListEndpoint,
    params: ListParams,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<ListPage> {
    const page = await this.#source.listJobs(endpoint, { ...params, limit }, signal);
    this.traits.note(limit, page);
    // Where null has been seen before the end, it says nothing.
    const hasMore = page.hasMore || (this.traits.nextIsUnreliable && page.entries.length > 0);
    return { ...page, hasMore, limit };
  }
}

function isLimitRefusal(error: unknown): boolean {
  return isFailure(error, 'rejected') && refusals.has(error.facts.status ?? 0);
}

/** A source that knows its service. */
export type KnowingSource = PageSource & { readonly traits: ServiceTraits };

/** A source as one that knows its service; as it is when it does already. */
export function knowing(source: PageSource): KnowingSource {
  return isKnowing(source) ? source : new PageReader(source);
}

function isKnowing(source: PageSource): source is KnowingSource {
  return source.traits !== undefined;
}
