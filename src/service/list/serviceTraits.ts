/** The relevant properties of a response: how many items it has, and whether there is more. */
interface Answered {
  readonly entries: { readonly length: number };
  readonly hasMore: boolean;
}

/** What is known of a service's paging. Kept per connection while the window lives; starts without assumptions. */
export class ServiceTraits {
  #mostLimit = Infinity;
  #granted = 0;
  #shortPage = Infinity;
  /** `next` was null although there were more jobs. */
  nextIsUnreliable = false;

  /** Largest limit that may be requested; infinite while none was refused. */
  get mostLimit(): number {
    return this.#mostLimit;
  }

  /** The most items that the service was seen to give while there were more; undefined until it gave fewer than asked for. */
  get clamp(): number | undefined {
    return this.#shortPage === Infinity ? undefined : this.#shortPage;
  }

  /** Whether a limit this large was accepted before. */
  isGranted(limit: number): boolean {
    return limit <= this.#granted;
  }

  /** Lowers the largest limit to request. */
  lower(limit: number): void {
    this.#mostLimit = Math.min(this.#mostLimit, Math.max(1, limit));
    this.#granted = Math.min(this.#granted, this.#mostLimit);
  }

  /** Records a response to a request with this limit. */
  note(limit: number, { entries, hasMore }: Answered): void {
    this.#granted = Math.max(this.#granted, limit);
    if (hasMore && entries.length > 0 && entries.length < limit) this.noteShort(entries.length);
  }

  /** Records that only this many items came although there are more. */
  noteShort(count: number): void {
    this.#shortPage = Math.min(this.#shortPage, count);
  }

  /** Whether fewer items came than would have if there were more: at the end of the list, as far as the service has shown. */
  isShort(count: number, limit: number): boolean {
    return count < Math.min(limit, this.#shortPage);
  }
}

/** The traits of services, by the base URL of their connections. */
export class KnownServices {
  readonly #traits = new Map<string, ServiceTraits>();

  of(baseUrl: string): ServiceTraits {
    const known = this.#traits.get(baseUrl) ?? new ServiceTraits();
    this.#traits.set(baseUrl, known);
    return known;
  }
}
