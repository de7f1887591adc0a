import type { ListEntry } from '../../common/job.ts';
import type { ListParams } from '../../common/listParams.ts';
import { BoundedMap } from '../../../base/boundedMap.ts';

/** The parameters that accept several values, each with the corresponding field of a job. */
const severalFields = { statuses: 'status', kinds: 'kind' } as const;
export type SeveralName = keyof typeof severalFields;

/** The relevant properties of a response: the number of items, and whether there are more. */
interface Answered {
  readonly entries: { readonly length: number };
  readonly hasMore: boolean;
}

export const severalNames: readonly SeveralName[] = ['statuses', 'kinds'];

/** Number of fitting responses after which a lowered limit is raised. Grows when raising it fails. */
const minPatience = 4;
/** Maximum number of queries remembered as answered. */
const maxQuestions = 100;

/** Known properties of a service's paging. Kept per connection while the window is open; starts without assumptions. */
export class ServiceTraits {
  #unrefused = Infinity;
  /**
   * The largest limit to try for now: the response to a larger one was too large, or was refused although it had been
   * accepted before.
   */
  #fitting = Infinity;
  /** Responses to that limit since it was set; negative if it was raised and no response has arrived yet. */
  #fitted = 0;
  /** Number of fitting responses that raise it. */
  #patience = minPatience;
  #granted = 0;
  readonly #answered = new BoundedMap<string, true>(maxQuestions);
  #shortPage = Infinity;
  /** `next` was null although there were more jobs. */
  nextIsUnreliable = false;
  /** `next` was null on a full page, and another request proved that this was the end. */
  endIsProved = false;
  /** A page with fewer items than requested and without `next` was proved to be the end. */
  shortEndIsProved = false;
  /** `offset` is known to count items: a page requested from the last item of another page began with that item. */
  offsetIsObeyed = false;
  /** `before_date` is known to apply to the creation of jobs, not to their completion. */
  datesAreOfCreation = false;
  /** Offsets of single items whose responses were too large, since any response had an item. */
  readonly tooLargeOffsets = new Set<number>();
  /** The values that the service is known to apply when several are requested, by parameter. */
  readonly valuesTaken: Readonly<Record<SeveralName, Set<string>>> = { statuses: new Set(), kinds: new Set() };
  /** Filters that the service is known to obey, by endpoint and name. */
  readonly obeyedFilters = new Set<string>();

  /** Largest limit to request; infinite while none was refused or had a response that was too large. */
  get maxLimit(): number {
    return Math.min(this.#unrefused, this.#fitting);
  }

  /**
   * The largest page that the service returned while there were more jobs; undefined until it returned fewer items than
   * requested.
   */
  get clamp(): number | undefined {
    return this.#shortPage === Infinity ? undefined : this.#shortPage;
  }

  /**
   * True if a refusal has a reason other than the limit: the service accepted this limit for other queries, but never
   * this query. A service can begin to refuse a limit that it has accepted, or refuse it for a part of a list.
   */
  isOther(question: string, limit: number): boolean {
    return limit <= this.#granted && !this.#answered.has(question);
  }

  /**
   * Lowers the largest limit to request, because one was refused or its response was too large. Permanent if the limit
   * was never accepted; otherwise temporary, because the cause is then the items or the moment.
   */
  lower(refused: number, limit: number, isTooLarge: boolean): void {
    if (!isTooLarge && refused > this.#granted) {
      this.#unrefused = Math.min(this.#unrefused, limit);
      return;
    }
    // Half of it had fitted before it was raised, so a response to at most that limit shows nothing about the trial.
    if (this.#fitted < 0 && refused > this.#fitting / 2) this.#patience *= 2;
    this.#fitting = Math.min(this.#fitting, limit);
    this.#fitted = 0;
  }

  /** Records a response to a request with this limit. */
  note(limit: number, { entries: { length }, hasMore }: Answered, question: string): void {
    this.#granted = Math.max(this.#granted, limit);
    this.#answered.set(question, true);
    // A page that is at most half full would have fitted anyway.
    if (length > limit / 2) {
      if (this.#fitted < 0 && limit > this.#fitting / 2) {
        if (this.#patience > minPatience) this.#patience /= 2;
        this.#fitted = 0;
      }
      if (limit === this.#fitting && ++this.#fitted >= this.#patience) {
        this.#fitting *= 2;
        this.#fitted = -1;
      }
    }
    if (hasMore && length > 0 && length < limit) this.noteShort(length);
  }

  /** Records what the jobs of a response show about how the service handles several values. */
  noteSeveral(params: ListParams, entries: readonly ListEntry[]): void {
    for (const name of severalNames) {
      const requested: readonly string[] = params[name] ?? [];
      if (requested.length < 2) continue;
      const values = new Set(
        entries
          .flatMap((entry) => (entry.type === 'job' ? [entry[severalFields[name]]] : []))
          .filter((value) => requested.includes(value)),
      );
      if (values.size > 1) for (const value of values) this.valuesTaken[name].add(value);
    }
  }

  /** Records that a page had only this many items although there are more. */
  noteShort(count: number): void {
    this.#shortPage = Math.min(this.#shortPage, count);
  }

  /** True if a page has fewer items than the service is known to send if there are more. */
  isShort(count: number, limit: number): boolean {
    return count < Math.min(limit, this.#shortPage);
  }
}

/** Bounds memory, because users can try any number of addresses. */
const maxServices = 100;

/** The traits of the most recently used services, by the base URL of their connections. */
export class KnownServices {
  readonly #traits = new BoundedMap<string, ServiceTraits>(maxServices);

  of(baseUrl: string): ServiceTraits {
    const known = this.#traits.get(baseUrl) ?? new ServiceTraits();
    this.#traits.set(baseUrl, known);
    return known;
  }
}
