import type { JobFilter } from '../../../jobs/common/jobFilter.ts';
import { Failure, isFailure } from '../../../base/failure.ts';
import { jobKinds, type JobKind } from '../../../jobs/common/job.ts';
import { toListQuery } from '../../../jobs/common/listKey.ts';
import type { Clock } from '../../../base/clock.ts';
import { Emitter } from '../../../base/emitter.ts';
import type { Disposable } from '../../../base/disposable.ts';
import { exactCount, type CountResult } from '../../../jobs/node/exactCount.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';

/** Number of jobs of a kind that match a view, or the failure to count them. */
export type ViewCount = CountResult | { readonly type: 'failed'; readonly failure: Failure };

/** A connection and its lists. */
interface CountedService {
  readonly connection: Connection;
  readonly source: ListReader;
}

/** Dependencies of {@link ViewCounts}. */
export interface ViewCountsDeps {
  readonly clock: Clock;
  /** Returns the connection in use; undefined if there is none. */
  readonly service: () => CountedService | undefined;
  readonly onError: (error: unknown) => void;
}

interface Counted {
  readonly filter: string;
  readonly source: ListReader;
  readonly counts: ReadonlyMap<JobKind, ViewCount> | undefined;
  readonly done: Promise<void>;
}

/** Job counts of saved views, counted on request and cached until the next request to recount. */
export class ViewCounts implements Disposable {
  readonly #deps: ViewCountsDeps;
  readonly #changes: Emitter<string>;
  readonly #counted = new Map<string, Counted>();
  #closing = new AbortController();

  constructor(deps: ViewCountsDeps) {
    this.#deps = deps;
    this.#changes = new Emitter(deps.onError);
  }

  /** Fires with the name of a view whose counts have arrived. */
  readonly onDidChange = (listener: (name: string) => void): Disposable => this.#changes.event(listener);

  /** Returns the counts of a view by kind; undefined before they have been counted. Sends nothing. */
  get(name: string): ReadonlyMap<JobKind, ViewCount> | undefined {
    return this.#counted.get(name)?.counts;
  }

  /** Counts a view unless a count with this filter is complete or running. Never throws. */
  async count(name: string, filter: JobFilter): Promise<void> {
    const service = this.#deps.service();
    // Without a connection the tree has no rows at all.
    if (service === undefined) return;
    const known = this.#counted.get(name);
    if (known?.filter === JSON.stringify(filter) && known.source === service.source) return known.done;
    await this.#start(name, filter, service);
  }

  /** Recounts views that have been counted before, or that are listed in `also`. */
  async recount(filterOf: (name: string) => JobFilter | undefined, also: readonly string[] = []): Promise<void> {
    const names = [...new Set([...this.#counted.keys(), ...also])];
    this.clear();
    await Promise.all(
      names.map(async (name) => {
        const filter = filterOf(name);
        if (filter !== undefined) await this.count(name, filter);
      }),
    );
  }

  /** Clears all counts, and stops counting. */
  clear(): void {
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#counted.clear();
  }

  dispose(): void {
    this.#closing.abort();
    this.#changes.dispose();
  }

  #start(name: string, filter: JobFilter, service: CountedService): Promise<void> {
    const { signal } = this.#closing;
    const arrive = async (): Promise<void> => {
      const counts = await Promise.all(
        jobKinds.map(async (kind) => [kind, await this.#countKind(kind, filter, service, signal)] as const),
      );
      if (this.#counted.get(name) !== counted) return;
      this.#counted.set(name, { ...counted, counts: new Map(counts) });
      this.#changes.fire(name);
    };
    const counted: Counted = {
      filter: JSON.stringify(filter),
      source: service.source,
      counts: undefined,
      done: this.#after(arrive),
    };
    this.#counted.set(name, counted);
    return counted.done;
  }

  /** Runs in another turn, so that the run is registered before it starts. */
  async #after(body: () => Promise<void>): Promise<void> {
    await Promise.resolve();
    return body();
  }

  async #countKind(
    kind: JobKind,
    filter: JobFilter,
    { connection, source }: CountedService,
    signal: AbortSignal,
  ): Promise<ViewCount> {
    const { clock } = this.#deps;
    try {
      const query = toListQuery({ kind, status: undefined }, filter, connection.listSource, clock.now());
      return await exactCount(source, query, { clock, signal });
    } catch (error) {
      return {
        type: 'failed',
        failure: isFailure(error) ? error : new Failure('unexpectedShape', { cause: String(error) }),
      };
    }
  }
}
