import { Failure } from '../../domain/failure.ts';
import { isJobKind, type Job } from '../../domain/jobs/job.ts';
import type { HttpClientDeps } from '../http/httpClient.ts';
import type { Connection, KeySource } from '../ports.ts';
import { bulkLimit } from '../list/jobPager.ts';
import { ConnectedApi, type ConnectedApiDeps } from '../api/connectedApi.ts';
import { DisposableOwner } from '../disposable.ts';
import type { KeyHome } from './keyStore.ts';
import { KnownServices } from '../list/serviceTraits.ts';
import type { SampleConnection } from './sampleConnection.ts';

/** How far a page that came back, or a notification, looks for its job: items of the kind's list. */
const searchedItems = 2000;

/** Where we stand with the service. */
export type ConnectionState =
  | { readonly type: 'none' }
  /** The setting `connection` names one that the user does not have. */
  | { readonly type: 'unknown'; readonly name: string; readonly fromFolder: boolean }
  /** For the moment that the secret store takes to answer. */
  | { readonly type: 'lookingForKey'; readonly connection: Connection }
  | { readonly type: 'noKey'; readonly connection: Connection }
  | { readonly type: 'ready'; readonly connection: Connection; readonly keyFrom: KeyHome | 'sample' };

/** The connection in use. */
export interface ConnectionInUse {
  readonly state: ConnectionState;
  /** The same object for as long as nothing about the connection changes. */
  readonly current: Connection | undefined;
  readonly keyOf: KeySource;
  /** Where its requests really go. @throws Failure */
  reach(): Promise<Connection>;
}

/** What it takes to talk to services. */
export interface ActiveServiceDeps {
  readonly active: ConnectionInUse;
  readonly sample: SampleConnection;
  readonly http: HttpClientDeps;
  readonly loadHttp: ConnectedApiDeps['loadHttp'];
}

/** The service of the connection in use, and those that submissions under way still talk to. Owns every `ConnectedApi` but passing ones. */
export class ActiveService extends DisposableOwner {
  readonly #deps: ActiveServiceDeps;
  readonly #submitting = new Map<Connection, ConnectedApi>();
  /** What services have shown, while the window lives. */
  readonly #known = new KnownServices();
  #api: ConnectedApi | undefined;

  constructor(deps: ActiveServiceDeps) {
    super();
    this.#deps = deps;
    this.own({ dispose: () => this.#api?.dispose() });
  }

  /** Undefined while there is no connection, or no key for it. */
  get api(): ConnectedApi | undefined {
    return this.#api;
  }

  /** The connection in use with its service, while both are there. */
  get pair(): { readonly connection: Connection; readonly source: ConnectedApi } | undefined {
    const { current } = this.#deps.active;
    return current === undefined || this.#api === undefined ? undefined : { connection: current, source: this.#api };
  }

  /** Turns to the connection that is active now. What the former one still had under way is cancelled, submissions are not. */
  connect(): ConnectedApi | undefined {
    const { active } = this.#deps;
    this.#api?.dispose();
    this.#api =
      active.state.type === 'ready'
        ? this.open(() => active.reach(), active.keyOf, active.current?.baseUrl)
        : undefined;
    return this.#api;
  }

  /** The service in use. @throws Failure `noConnection` or `noKey` */
  connected(): ConnectedApi {
    if (this.#api !== undefined) return this.#api;
    throw new Failure(this.#deps.active.current === undefined ? 'noConnection' : 'noKey');
  }

  /** Looks for one job in its kind's list, within a bound. @throws Failure */
  async findJob(kind: string, id: string, signal: AbortSignal): Promise<Job | undefined> {
    if (!isJobKind(kind)) return undefined;
    // As much code as finding by words takes, which is read then, too.
    const { searchJob } = await import('../jobSearch.ts');
    const bounds = { limit: bulkLimit, most: searchedItems, signal };
    return searchJob(this.connected(), { endpoint: kind, params: {} }, id, bounds);
  }

  /** Where to submit: it stays with the connection that was confirmed, whatever the view changes to meanwhile. @throws Failure */
  toSubmit(): { readonly connection: Connection; readonly api: ConnectedApi } {
    this.connected();
    const { active, sample } = this.#deps;
    const connection = active.current;
    if (connection === undefined) throw new Failure('noConnection');
    const reach = async (): Promise<Connection> => (connection === sample.connection ? sample.reach() : connection);
    const api = this.#submitting.get(connection) ?? this.own(this.open(reach, active.keyOf, connection.baseUrl));
    this.#submitting.set(connection, api);
    return { connection, api };
  }

  /** Another service, as when a connection is tried before it is stored. It holds nothing once its requests are over; disposing of it ends them. */
  open(reach: () => Promise<Connection>, keyOf: KeySource, baseUrl = ''): ConnectedApi {
    const { http, loadHttp } = this.#deps;
    return new ConnectedApi({ reach, keyOf, httpDeps: http, loadHttp, traits: this.#known.of(baseUrl) });
  }
}
