import { isFailure } from '../../domain/failure.ts';
import type { ListEndpoint, ListParams } from '../../domain/jobs/listParams.ts';
import type { ListPage, PageSource } from '../ports.ts';
import { BoundedMap } from '../boundedMap.ts';

/** Statuses by which services are known to refuse a `limit` that is too large. */
const refusals: ReadonlySet<number> = new Set([400, 413, 422]);

/**
 * Reads pages from a service and learns how many items it returns at once. A limit that is refused, or whose response is too
 * large, is lowered, to one if necessary. One that was refused from the beginning is not tried again; one that was accepted before, or
 * whose response was too large, is, more and more rarely, because other items may be smaller. Every reader of lists uses this class.
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
      if (asked === 1) return this.#pageOfTooLarge(params, error);
      if (isFailure(error, 'tooLarge')) return this.#askForLess(endpoint, params, asked, error, signal);
      if (!isLimitRefusal(error) || this.traits.isOther(questionOf(endpoint, params), asked)) throw error;
      // If something else is wrong with the request, it is refused for a single item, too.
      const single = await this.#ask(endpoint, params, 1, signal).catch(() => undefined);
      if (single === undefined) throw error;
      return this.#askForLess(endpoint, params, asked, error, signal);
    }
  }

  /** Halves the limit until a request succeeds; rounded up, because pages of two show more of a list than single items do. */
  async #askForLess(
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
        return await this.#ask(endpoint, params, limit, signal);
      } catch (error) {
        if (limit === 1) return this.#pageOfTooLarge(params, error);
        if (!(isFailure(error, 'tooLarge') || isLimitRefusal(error))) throw error;
        why = error;
        before = limit;
      }
    }
  }

  /**
   * A page for a single item whose answer is too large, so that the list goes on after it.
   * @throws the failure when it is another one, or the answers to so many single items are too large that the service ignores the limit.
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

  async #ask(
    endpoint: ListEndpoint,
    params: ListParams,
    limit: number,
    signal: AbortSignal | undefined,
  ): Promise<ListPage> {
    const page = await this.#source.listJobs(endpoint, { ...params, limit }, signal);
    this.traits.note(limit, page, questionOf(endpoint, params));
    if (page.entries.length > 0) this.traits.tooLargeOffsets.clear();
    // `next` was null before the end once, so null no longer means the end.
    const hasMore = page.hasMore || (this.traits.nextIsUnreliable && page.entries.length > 0);
    return { ...page, hasMore, limit };
  }
}

/** What is asked for, whichever page of it. */
function questionOf(endpoint: ListEndpoint, params: ListParams): string {
  return JSON.stringify([endpoint, { ...params, limit: 0, offset: 0 }]);
}

function isLimitRefusal(error: unknown): boolean {
  return isFailure(error, 'rejected') && refusals.has(error.facts.status ?? 0);
}

/** A source that remembers the traits of its service. */
export type TraitAwareSource = PageSource & { readonly traits: ServiceTraits };

/** The source, wrapped in a {@link PageReader} unless it remembers its traits already. */
export function withTraits(source: PageSource): TraitAwareSource {
  return isTraitAware(source) ? source : new PageReader(source);
}

function isTraitAware(source: PageSource): source is TraitAwareSource {
  return 'traits' in source && source.traits instanceof ServiceTraits;
}

/** The relevant properties of a response: how many items it has, and whether there is more. */
interface Answered {
  readonly entries: { readonly length: number };
  readonly hasMore: boolean;
}

/** This many responses that fit raise a limit that was lowered by one that was too large, unless that was in vain before. */
const leastPatience = 4;
/** Questions of a service that are remembered as answered. */
const mostQuestions = 100;

/** Single items in a row whose answers are too large before the service is taken to ignore the limit. */
const maxTooLarge = 3;

/** What is known about a service's paging. Remembered per connection while the window is open; starts without assumptions. */
export class ServiceTraits {
  #unrefused = Infinity;
  /** The largest limit to try for now: the response to more was too large, or was refused although it had been accepted. */
  #fitting = Infinity;
  /** Responses to that limit since it was set; negative if it was raised and none has come yet. */
  #fitted = 0;
  /** This many responses that fit raise it. */
  #patience = leastPatience;
  #granted = 0;
  readonly #answered = new BoundedMap<string, true>(mostQuestions);
  #shortPage = Infinity;
  /** `next` was null although there were more jobs. */
  nextIsUnreliable = false;
  /** `next` was null on a full page, and another request proved that this was the end. */
  endIsProved = false;
  /** A page with fewer items than requested and without `next` was seen to be the end. */
  shortEndIsProved = false;
  /** `offset` was seen to count items: a page from the last item of another one began with it. */
  offsetIsObeyed = false;
  /** `before_date` was seen to be about the creation of jobs, not about their completion. */
  datesAreOfCreation = false;
  /** Offsets of single items whose answers were too large, since any answer had an item. */
  readonly tooLargeOffsets = new Set<number>();
  /** Filters that the service was seen to obey, by endpoint and name. */
  readonly obeyedFilters = new Set<string>();

  /** Largest limit that may be requested; infinite while none was refused or had too large a response. */
  get mostLimit(): number {
    return Math.min(this.#unrefused, this.#fitting);
  }

  /** The largest page that the service returned while there were more jobs; undefined until it returned fewer than requested. */
  get clamp(): number | undefined {
    return this.#shortPage === Infinity ? undefined : this.#shortPage;
  }

  /**
   * Whether a refusal is about something other than the limit: one this large was accepted for other questions, and this question never was.
   * A service can begin to refuse a limit that it has accepted, or refuse it for a part of a list.
   */
  isOther(question: string, limit: number): boolean {
    return limit <= this.#granted && !this.#answered.has(question);
  }

  /**
   * Lowers the largest limit to request, because one was refused or its response was too large: for good if it was never accepted, otherwise
   * for a while, since then it depends on the items or the moment.
   */
  lower(refused: number, limit: number, isTooLarge: boolean): void {
    if (!isTooLarge && refused > this.#granted) {
      this.#unrefused = Math.min(this.#unrefused, limit);
      return;
    }
    // Half of it had fitted before it was raised, so a response to no more than that tells nothing of the trial.
    if (this.#fitted < 0 && refused > this.#fitting / 2) this.#patience *= 2;
    this.#fitting = Math.min(this.#fitting, limit);
    this.#fitted = 0;
  }

  /** Records a response to a request with this limit. */
  note(limit: number, { entries: { length }, hasMore }: Answered, question: string): void {
    this.#granted = Math.max(this.#granted, limit);
    this.#answered.set(question, true);
    // A page that is half empty would have fitted anyway.
    if (length > limit / 2) {
      if (this.#fitted < 0 && limit > this.#fitting / 2) {
        if (this.#patience > leastPatience) this.#patience /= 2;
        this.#fitted = 0;
      }
      if (limit === this.#fitting && ++this.#fitted >= this.#patience) {
        this.#fitting *= 2;
        this.#fitted = -1;
      }
    }
    if (hasMore && length > 0 && length < limit) this.noteShort(length);
  }

  /** Records that a page had only this many items although there are more. */
  noteShort(count: number): void {
    this.#shortPage = Math.min(this.#shortPage, count);
  }

  /** Whether a page has fewer items than the service would send if there were more, as far as is known. */
  isShort(count: number, limit: number): boolean {
    return count < Math.min(limit, this.#shortPage);
  }
}

/** Addresses can be typed and tried without end. */
const mostServices = 100;

/** The traits of services, by the base URL of their connections; of those that were used last. */
export class KnownServices {
  readonly #traits = new BoundedMap<string, ServiceTraits>(mostServices);

  of(baseUrl: string): ServiceTraits {
    const known = this.#traits.get(baseUrl) ?? new ServiceTraits();
    this.#traits.set(baseUrl, known);
    return known;
  }
}
