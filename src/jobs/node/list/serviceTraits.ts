import type { ListEntry } from '../../common/job.ts';
import type { ListParams } from '../../common/listParams.ts';
import { BoundedMap } from '../../../base/boundedMap.ts';

/** The parameters that take several values, each with the field of a job that has one of them. */
const severalFields = { statuses: 'status', kinds: 'kind' } as const;
export type SeveralName = keyof typeof severalFields;

/** The relevant properties of a response: how many items it has, and whether there is more. */
interface Answered {
  readonly entries: { readonly length: number };
  readonly hasMore: boolean;
}

export const severalNames: readonly SeveralName[] = ['statuses', 'kinds'];

/** This many responses that fit raise a limit that was lowered by one that was too large, unless that was in vain before. */
const minPatience = 4;
/** Questions of a service that are remembered as answered. */
const maxQuestions = 100;

/** What is known about a service's paging. Remembered per connection while the window is open; starts without assumptions. */
export class ServiceTraits {
  #unrefused = Infinity;
  /** The largest limit to try for now: the response to more was too large, or was refused although it had been accepted. */
  #fitting = Infinity;
  /** Responses to that limit since it was set; negative if it was raised and none has come yet. */
  #fitted = 0;
  /** This many responses that fit raise it. */
  #patience = minPatience;
  #granted = 0;
  readonly #answered = new BoundedMap<string, true>(maxQuestions);
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
  /** By parameter, the values that were seen to be taken when several were asked for. */
  readonly valuesTaken: Readonly<Record<SeveralName, Set<string>>> = { statuses: new Set(), kinds: new Set() };
  /** Filters that the service was seen to obey, by endpoint and name. */
  readonly obeyedFilters = new Set<string>();

  /** Largest limit that may be requested; infinite while none was refused or had too large a response. */
  get maxLimit(): number {
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

  /** Records what the jobs of a response show of how the service takes several values. */
  noteSeveral(params: ListParams, entries: readonly ListEntry[]): void {
    for (const name of severalNames) {
      const asked: readonly string[] = params[name] ?? [];
      if (asked.length < 2) continue;
      const values = new Set(
        entries
          .flatMap((entry) => (entry.type === 'job' ? [entry[severalFields[name]]] : []))
          .filter((value) => asked.includes(value)),
      );
      if (values.size > 1) for (const value of values) this.valuesTaken[name].add(value);
    }
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
const maxServices = 100;

/** The traits of services, by the base URL of their connections; of those that were used last. */
export class KnownServices {
  readonly #traits = new BoundedMap<string, ServiceTraits>(maxServices);

  of(baseUrl: string): ServiceTraits {
    const known = this.#traits.get(baseUrl) ?? new ServiceTraits();
    this.#traits.set(baseUrl, known);
    return known;
  }
}
