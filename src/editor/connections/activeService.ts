import type * as vscode from 'vscode';
import { Failure } from '../../domain/failure.ts';
import { isJobKind, type Job } from '../../domain/jobs/job.ts';
import type { HttpClientDeps } from '../../service/http/httpClient.ts';
import type { Connection, KeySource } from '../../service/ports.ts';
import { bulkLimit } from '../../service/list/readAhead.ts';
import type { ActiveConnection } from './activeConnection.ts';
import { ConnectedApi, type ConnectedApiDeps } from '../../service/api/connectedApi.ts';
import type { SampleConnection } from './sampleConnection.ts';

/** How far a page that came back, or a notification, looks for its job: items of the kind's list. */
const searchedItems = 2000;

/** What it takes to talk to services. */
export interface ActiveServiceDeps {
  readonly active: ActiveConnection;
  readonly sample: SampleConnection;
  readonly surroundings: HttpClientDeps;
  readonly loadHttp: ConnectedApiDeps['loadHttp'];
}

/** The service of the connection in use, and those that submissions under way still talk to. Owns every `ConnectedApi` but passing ones. */
export class ActiveService implements vscode.Disposable {
  readonly #needs: ActiveServiceDeps;
  readonly #submitting = new Map<Connection, ConnectedApi>();
  #api: ConnectedApi | undefined;

  constructor(needs: ActiveServiceDeps) {
    this.#needs = needs;
  }

  /** Undefined while there is no connection, or no key for it. */
  get api(): ConnectedApi | undefined {
    return this.#api;
  }

  /** The connection in use with its service, while both are there. */
  get pair(): { readonly connection: Connection; readonly source: ConnectedApi } | undefined {
    const { current } = this.#needs.active;
    return current === undefined || this.#api === undefined ? undefined : { connection: current, source: this.#api };
  }

  /** Turns to the connection that is active now. What the former one still had under way is cancelled, submissions are not. */
  connect(): ConnectedApi | undefined {
    const { active } = this.#needs;
    this.#api?.dispose();
    this.#api = active.state.type === 'ready' ? this.open(() => active.reach(), active.keyOf) : undefined;
    return this.#api;
  }

  /** The service in use. @throws Failure `noConnection` or `noKey` */
  connected(): ConnectedApi {
    if (this.#api !== undefined) return this.#api;
    throw new Failure(this.#needs.active.current === undefined ? 'noConnection' : 'noKey');
  }

  /** Looks for one job in its kind's list, within a bound. @throws Failure */
  async findJob(kind: string, id: string, signal: AbortSignal): Promise<Job | undefined> {
    if (!isJobKind(kind)) return undefined;
    const { searchJob } = await import('../../service/jobSearch.ts');
    const bounds = { limit: bulkLimit, most: searchedItems, signal };
    return searchJob(this.connected(), { endpoint: kind, params: {} }, id, bounds);
  }

  /** Where to submit: it stays with the connection that was confirmed, whatever the view changes to meanwhile. @throws Failure */
  toSubmit(): { readonly connection: Connection; readonly api: ConnectedApi } {
    this.connected();
    const { active, sample } = this.#needs;
    const connection = active.current;
    if (connection === undefined) throw new Failure('noConnection');
    const reach = async (): Promise<Connection> => (connection === sample.connection ? sample.reach() : connection);
    const api = this.#submitting.get(connection) ?? this.open(reach, active.keyOf);
    this.#submitting.set(connection, api);
    return { connection, api };
  }

  /** Another service, as when a connection is tried before it is stored. It holds nothing once its requests are over; disposing of it ends them. */
  open(reach: () => Promise<Connection>, keyOf: KeySource): ConnectedApi {
    const { surroundings, loadHttp } = this.#needs;
    return new ConnectedApi({ reach, keyOf, httpDeps: surroundings, loadHttp });
  }

  dispose(): void {
    this.#api?.dispose();
    for (const api of this.#submitting.values()) api.dispose();
  }
}
