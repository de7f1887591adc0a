import type { ConnectionInUse } from '../../connections/common/connectionState.ts';
import { Failure } from '../../base/failure.ts';
import { isJobKind, type Job } from '../common/job.ts';
import type { HttpClientDeps } from '../../platform/http/httpClient.ts';
import type { CreationHint } from '../common/listParams.ts';
import type { Connection, KeySource } from '../../connections/common/connection.ts';
import { ConnectedApi, type ConnectedApiDeps } from './connectedApi.ts';
import { BoundedMap } from '../../base/boundedMap.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { ListReader } from './list/listReader.ts';
import { KnownServices } from './list/serviceTraits.ts';
import type { SampleConnection } from '../../connections/node/sampleConnection.ts';
import { findCreated, locateJob, type SoughtJob } from './jobSearch.ts';
import { KeyMask } from '../../platform/http/keyMask.ts';

/** Connections change with every edit of theirs: a submission over one before these ends by itself, and not with the window. */
const maxSubmitting = 10;
/** Keys that are masked. Connections that were tried count, too. */
const maxMaskedKeys = 20;

/** Dependencies of {@link ActiveService}. */
export interface ActiveServiceDeps {
  readonly active: ConnectionInUse;
  readonly sample: SampleConnection;
  readonly http: HttpClientDeps;
  readonly loadHttp: ConnectedApiDeps['loadHttp'];
}

/** The service of the active connection, and those of pending submissions. Owns every `ConnectedApi` except temporary ones. */
export class ActiveService extends DisposableOwner {
  readonly #deps: ActiveServiceDeps;
  readonly #submitting = new BoundedMap<Connection, ConnectedApi>(maxSubmitting);
  /** What was learned about services, kept while the window is open. */
  readonly #known = new KnownServices();
  #api: ConnectedApi | undefined;
  /** The keys that were sent from this window, newest last: services may repeat theirs in what is loaded of them. */
  #sentKeys: readonly string[] = [];
  #keyMask = new KeyMask();

  constructor(deps: ActiveServiceDeps) {
    super();
    this.#deps = deps;
    this.own({
      dispose: () => {
        for (const api of [this.#api, ...this.#submitting.values()]) api?.dispose();
      },
    });
  }

  /** Undefined while there is no connection, or no key for it. */
  get api(): ConnectedApi | undefined {
    return this.#api;
  }

  /** The active connection with its service, when both are available. */
  get pair(): { readonly connection: Connection; readonly source: ListReader } | undefined {
    const { current } = this.#deps.active;
    return current === undefined || this.#api === undefined
      ? undefined
      : { connection: current, source: this.#api.lists };
  }

  /** Switches to the connection that is active now. Cancels pending requests of the former one except submissions. */
  connect(): ConnectedApi | undefined {
    const { active } = this.#deps;
    this.#api?.dispose();
    this.#api =
      active.state.type === 'ready'
        ? this.open(() => active.reach(), active.keyOf, active.current?.baseUrl)
        : undefined;
    return this.#api;
  }

  /** The lists of the active service. @throws Failure `noConnection` or `noKey` */
  connected(): ListReader {
    if (this.#api !== undefined) return this.#api.lists;
    throw new Failure(this.#deps.active.current === undefined ? 'noConnection' : 'noKey');
  }

  /** Searches for one job: with one request where a hint leads to it, otherwise in the list of its kind, up to a limit. @throws Failure */
  async findJob(kind: string, id: string, signal: AbortSignal, hint?: CreationHint): Promise<Job | undefined> {
    if (!isJobKind(kind)) return undefined;
    // Loaded lazily, because the search code is large.
    return locateJob(this.connected(), { ...hint, kind, id }, signal);
  }

  /** Finds one job with one request, where its hint leads to. @throws Failure */
  async findCreated(job: SoughtJob, signal: AbortSignal): Promise<Job | undefined> {
    return findCreated(this.connected(), job, signal);
  }

  /** Destination of a submission: stays with the confirmed connection even if another becomes active. @throws Failure */
  toSubmit(): { readonly connection: Connection; readonly api: ConnectedApi } {
    this.connected();
    const { active, sample } = this.#deps;
    const connection = active.current;
    if (connection === undefined) throw new Failure('noConnection');
    const reach = async (): Promise<Connection> => (connection === sample.connection ? sample.reach() : connection);
    const api = this.#submitting.get(connection) ?? this.open(reach, active.keyOf, connection.baseUrl);
    if (this.isDisposed) api.dispose();
    this.#submitting.set(connection, api);
    return { connection, api };
  }

  /** Masks the keys that were sent from this window, for texts of services that leave the editor. */
  get keyMask(): KeyMask {
    return this.#keyMask;
  }

  #noteKey(key: string): void {
    if (this.#sentKeys.includes(key)) return;
    this.#sentKeys = [...this.#sentKeys, key].slice(-maxMaskedKeys);
    this.#keyMask = new KeyMask(...this.#sentKeys);
  }

  /** A temporary service, such as for a connection tried before it is stored. Disposing of it cancels its requests. */
  open(reach: () => Promise<Connection>, keyOf: KeySource, baseUrl = ''): ConnectedApi {
    const { http, loadHttp } = this.#deps;
    const noted: KeySource = async (connection) => {
      const key = await keyOf(connection);
      if (key !== undefined) this.#noteKey(key);
      return key;
    };
    return new ConnectedApi({ reach, keyOf: noted, httpDeps: http, loadHttp, traits: this.#known.of(baseUrl) });
  }
}
