import { Failure, isFailure } from '../../domain/failure.ts';
import type { ListEndpoint, ListParams } from '../../domain/jobs/listParams.ts';
import type { HttpClient, HttpClientDeps } from '../http/httpClient.ts';
import type { JobsApi } from './jobsApi.ts';
import type { Connection, ListPage, KeySource, PageSource, RequestSink, SubmitOutcome, Log } from '../ports.ts';
import { DisposableOwner } from '../disposable.ts';
import { PageReader, ServiceTraits } from '../list/pageReader.ts';

/** The parts of the HTTP bundle, which is loaded with the first request or preloaded. */
interface HttpParts {
  readonly HttpClient: typeof HttpClient;
  readonly JobsApi: typeof JobsApi;
}

/** Dependencies of a connection's API. */
export interface ConnectedApiDeps {
  /** The connection to send to; starts the sample service when that is the one. @throws Failure */
  readonly reach: () => Promise<Connection>;
  readonly keyOf: KeySource;
  readonly httpDeps: HttpClientDeps;
  readonly loadHttp: () => Promise<HttpParts>;
  /** What was learned from earlier connections to the same service. */
  readonly traits?: ServiceTraits;
}

/** An open connection with its actual address and its API. */
interface OpenConnection {
  readonly connection: Connection;
  readonly api: JobsApi;
  /** `api` with limits adapted to the service and deviations from the contract logged. */
  readonly pages: PageSource;
}

/** The API of one connection. The HTTP code is loaded with the first request. */
export class ConnectedApi extends DisposableOwner implements PageSource, RequestSink {
  readonly #deps: ConnectedApiDeps;
  /** What is known of the service, including from earlier connections. */
  readonly traits: ServiceTraits;
  #opening: Promise<OpenConnection> | undefined;

  constructor(deps: ConnectedApiDeps) {
    super();
    this.#deps = deps;
    this.traits = deps.traits ?? new ServiceTraits();
  }

  async listJobs(endpoint: ListEndpoint, params: ListParams, signal?: AbortSignal): Promise<ListPage> {
    const { pages } = await this.#open();
    return pages.listJobs(endpoint, params, signal);
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

  /** The connection as used for requests; for the sample service with its actual address. @throws Failure */
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
    const api = new parts.JobsApi(connection, client);
    return { connection, api, pages: new PageReader(withDeviationsLogged(api, httpDeps.log), this.traits) };
  }
}

/** How many shapes of one source are logged. */
const maxLoggedShapes = 50;

/** A source that logs deviations of responses from the contract, each shape once and at most 50 shapes. */
export function withDeviationsLogged(source: PageSource, log: Log): PageSource {
  const seen = new Set<string>();
  return {
    listJobs: async (endpoint, params, signal) => {
      const page = await source.listJobs(endpoint, params, signal);
      for (const { kind, path } of page.deviations) {
        const shape = `${endpoint}: ${kind} ${path}`;
        if (seen.has(shape) || seen.size > maxLoggedShapes) continue;
        seen.add(shape);
        log.info(
          seen.size > maxLoggedShapes
            ? 'more is unexpected in the answers than is told here'
            : `unexpected in the answers of ${shape}`,
        );
      }
      return page;
    },
  };
}
