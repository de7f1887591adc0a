import type { ConnectionInUse } from '../../connections/common/connectionState.ts';
import { Failure } from '../../base/failure.ts';
import { isJobKind, type Job } from '../common/job.ts';
import type { HttpClientDeps, RequestObserver } from '../../platform/http/httpClient.ts';
import type { CreationHint } from '../common/listParams.ts';
import type { Connection, KeySource } from '../../connections/common/connection.ts';
import { ConnectedApi, type ConnectedApiDeps } from './connectedApi.ts';
import { BoundedMap } from '../../base/boundedMap.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { ListReader } from './list/listReader.ts';
import { KnownServices } from './list/serviceTraits.ts';
import type { SampleConnection } from '../../connections/node/sampleConnection.ts';
import { findCreated, locateJob, type SoughtJob } from './jobSearch.ts';
import type { KeyMask } from '../../platform/http/keyMask.ts';
import { SentKeys } from '../../platform/http/sentKeys.ts';
import { Emitter } from '../../base/emitter.ts';
import { ServiceHealth } from './serviceHealth.ts';
import type { RequestSink } from './api/jobsApi.ts';

/** Every edit of a connection creates a new one. Submissions over connections older than these end early, not with the window. */
const maxSubmitting = 10;

/** Dependencies of {@link ActiveService}. */
export interface ActiveServiceDeps {
  readonly active: ConnectionInUse;
  readonly sample: SampleConnection;
  readonly http: HttpClientDeps;
  readonly loadHttp: ConnectedApiDeps['loadHttp'];
}

/** The destination of a submission. */
export interface SubmitTarget {
  /** As configured by the user. */
  readonly connection: Connection;
  readonly api: RequestSink & { readonly lists: ListReader };
}

/**
 * The service of the active connection, and the services of pending submissions. Owns every `ConnectedApi` except
 * temporary ones.
 */
export class ActiveService extends DisposableOwner {
  /** Fires when the service of another connection is in use, or none. */
  readonly onDidChange: Emitter<void>['event'];
  readonly #changed = this.own(new Emitter<void>());
  readonly #deps: ActiveServiceDeps;
  readonly #submitting = new BoundedMap<Connection, ConnectedApi>(maxSubmitting);
  /** Known properties of services, kept while the window is open. */
  readonly #known = new KnownServices();
  #api: ConnectedApi | undefined;
  /** The state of the service in use, according to all requests to it. */
  readonly health: ServiceHealth;
  readonly #sentKeys = new SentKeys();

  constructor(deps: ActiveServiceDeps) {
    super();
    this.#deps = deps;
    this.onDidChange = this.#changed.event;
    this.health = this.own(new ServiceHealth(deps.http.clock));
    this.own({
      dispose: () => {
        for (const api of [this.#api, ...this.#submitting.values()]) api?.dispose();
      },
    });
  }

  /** Undefined if there is no connection, or no key for it. */
  get api(): ConnectedApi | undefined {
    return this.#api;
  }

  /** The active connection with its service, if both are available. */
  get current(): { readonly connection: Connection; readonly source: ListReader } | undefined {
    const { current } = this.#deps.active;
    return current === undefined || this.#api === undefined
      ? undefined
      : { connection: current, source: this.#api.lists };
  }

  /** Switches to the connection that is active now. Cancels pending requests of the previous one except submissions. */
  connect(): ConnectedApi | undefined {
    const { active } = this.#deps;
    this.#api?.dispose();
    this.health.reset();
    this.#api =
      active.state.type === 'ready'
        ? this.open(
            () => active.reach(),
            active.keyOf,
            active.current?.baseUrl,
            () => this.health.observe(),
          )
        : undefined;
    this.#changed.fire();
    return this.#api;
  }

  /** Returns the reader of the active service. @throws Failure `noConnection` or `noKey` */
  connected(): ListReader {
    if (this.#api !== undefined) return this.#api.lists;
    throw new Failure(this.#deps.active.current === undefined ? 'noConnection' : 'noKey');
  }

  /**
   * Searches for one job: with one request if a hint leads to it, otherwise in the list of its kind, up to a limit.
   * @throws Failure
   */
  async findJob(kind: string, id: string, signal: AbortSignal, hint?: CreationHint): Promise<Job | undefined> {
    if (!isJobKind(kind)) return undefined;
    // Loaded lazily, because the search code is large.
    return locateJob(this.connected(), { ...hint, kind, id }, signal);
  }

  /** Finds one job with one request, by its hint. @throws Failure */
  async findCreated(job: SoughtJob, signal: AbortSignal): Promise<Job | undefined> {
    return findCreated(this.connected(), job, signal);
  }

  /**
   * Returns the destination of a submission, which stays with the confirmed connection even if another becomes active.
   * @throws Failure
   */
  toSubmit(): SubmitTarget {
    this.connected();
    const { active, sample } = this.#deps;
    const connection = active.current;
    if (connection === undefined) throw new Failure('noConnection');
    const reach = async (): Promise<Connection> => (connection === sample.connection ? sample.reach() : connection);
    const observe = (): RequestObserver | undefined =>
      connection === active.current ? this.health.observe() : undefined;
    const api = this.#submitting.get(connection) ?? this.open(reach, active.keyOf, connection.baseUrl, observe);
    if (this.isDisposed) api.dispose();
    this.#submitting.set(connection, api);
    return { connection, api };
  }

  /** Masks the keys that were sent from this window in texts of services that leave the editor. */
  get keyMask(): KeyMask {
    return this.#sentKeys.mask;
  }

  /**
   * Opens a temporary service, for example for a connection that is tried before it is stored. Disposing of it cancels
   * its requests.
   */
  open(
    reach: () => Promise<Connection>,
    keyOf: KeySource,
    baseUrl = '',
    observe?: HttpClientDeps['observe'],
  ): ConnectedApi {
    const { loadHttp } = this.#deps;
    const httpDeps = { ...this.#deps.http, sentKeys: this.#sentKeys, ...(observe && { observe }) };
    return new ConnectedApi({ reach, keyOf, httpDeps, loadHttp, traits: this.#known.of(baseUrl) });
  }
}
