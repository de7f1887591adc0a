import { Failure, isFailure } from '../../base/failure.ts';
import type { HttpClient, HttpClientDeps } from '../../platform/http/httpClient.ts';
import type { JobsApi } from './api/jobsApi.ts';
import type { Connection, KeySource } from '../../connections/common/connection.ts';
import type { SubmitOutcome } from '../common/submission.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { DeviationLog, ListReader } from './list/listReader.ts';
import type { ServiceTraits } from './list/serviceTraits.ts';

/** The parts of the HTTP bundle, which is loaded with the first request or preloaded. */
interface HttpParts {
  readonly HttpClient: typeof HttpClient;
  readonly JobsApi: typeof JobsApi;
}

/** Dependencies of a connection's API. */
export interface ConnectedApiDeps {
  /** Returns the connection to send to. Starts the sample service if the connection is its own. @throws Failure */
  readonly reach: () => Promise<Connection>;
  readonly keyOf: KeySource;
  readonly httpDeps: HttpClientDeps;
  readonly loadHttp: () => Promise<HttpParts>;
  /** Properties of the service known from earlier connections. */
  readonly traits?: ServiceTraits;
}

/** An open connection with its actual address and its API. */
interface OpenConnection {
  readonly connection: Connection;
  readonly api: JobsApi;
}

/** The API of one connection. The HTTP code is loaded with the first request. */
export class ConnectedApi extends DisposableOwner {
  readonly #deps: ConnectedApiDeps;
  readonly lists: ListReader;
  #opening: Promise<OpenConnection> | undefined;

  constructor(deps: ConnectedApiDeps) {
    super();
    this.#deps = deps;
    this.lists = new ListReader(async () => (await this.#open()).api, {
      deviations: new DeviationLog(deps.httpDeps.log),
      ...(deps.traits === undefined ? {} : { traits: deps.traits }),
    });
  }

  async submit(body: string, signal?: AbortSignal): Promise<SubmitOutcome> {
    let api: JobsApi;
    try {
      ({ api } = await this.#open());
    } catch (error) {
      return { type: 'notSent', failure: isFailure(error) ? error : new Failure('noConnection') };
    }
    try {
      return await api.submit(body, signal);
    } catch (error) {
      // Must not happen. The request may have been sent, so an exception here does not mean `notSent`.
      return { type: 'unknown', failure: isFailure(error) ? error : new Failure('offline', { cause: String(error) }) };
    }
  }

  /** Returns the connection that requests use; for the sample service, with its actual address. @throws Failure */
  async connection(): Promise<Connection> {
    return (await this.#open()).connection;
  }

  async #open(): Promise<OpenConnection> {
    if (this.isDisposed) throw new Failure('cancelled');
    this.#opening ??= this.#build();
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #build(): Promise<OpenConnection> {
    const { reach, keyOf, httpDeps, loadHttp } = this.#deps;
    const [connection, parts] = await Promise.all([reach(), loadHttp()]);
    const client = this.own(new parts.HttpClient(connection, keyOf, httpDeps));
    return { connection, api: new parts.JobsApi(connection, client) };
  }
}
