import { Failure, isFailure } from '../../domain/failure.ts';
import type { ListEndpoint, ListParams } from '../../domain/jobs/listParams.ts';
import type { HttpClient, HttpClientDeps } from '../http/httpClient.ts';
import { nonThrowingLog } from '../nonThrowingLog.ts';
import type { JobsApi } from './jobsApi.ts';
import type { Connection, ListPage, KeySource, PageSource, RequestSink, SubmitOutcome } from '../ports.ts';
import { PageReader } from '../list/pageReader.ts';
import { ServiceTraits } from '../list/serviceTraits.ts';
import type { Disposable } from '../disposable.ts';

/** The parts of the HTTP bundle, which is loaded with the first request or warmed before it. */
interface HttpParts {
  readonly HttpClient: typeof HttpClient;
  readonly JobsApi: typeof JobsApi;
}

/** What a connection needs to talk. */
export interface ConnectedApiDeps {
  /** The connection to send to; starts the sample service when that is the one. @throws Failure */
  readonly reach: () => Promise<Connection>;
  readonly keyOf: KeySource;
  readonly surroundings: HttpClientDeps;
  readonly loadHttp: () => Promise<HttpParts>;
  /** What earlier connections to the same service have shown. */
  readonly traits?: ServiceTraits;
}

/** A connection that is open: its true address, and what talks to it. */
interface OpenConnection {
  readonly connection: Connection;
  readonly api: JobsApi;
  /** Reads its lists, knowing what the service takes. */
  readonly pages: PageReader;
  readonly client: HttpClient;
}

/** The interface of one connection, ready to be asked: what it takes to talk is loaded with the first question. */
export class ConnectedApi implements PageSource, RequestSink, Disposable {
  readonly #deps: ConnectedApiDeps;
  readonly #deviationsSeen = new Set<string>();
  /** What is known of the service, also from before. */
  readonly traits: ServiceTraits;
  #opening: Promise<OpenConnection> | undefined;
  #disposed = false;

  constructor(deps: ConnectedApiDeps) {
    this.#deps = deps;
    this.traits = deps.traits ?? new ServiceTraits();
  }

  async listJobs(endpoint: ListEndpoint, params: ListParams, signal?: AbortSignal): Promise<ListPage> {
    const { pages } = await this.#open();
    const page = await pages.listJobs(endpoint, params, signal);
    this.#logDeviations(endpoint, page);
    return page;
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
      // It never should. From here on the request may have left, so that nothing thrown says that it has not.
      return { type: 'unknown', failure: isFailure(error) ? error : new Failure('offline', { cause: String(error) }) };
    }
  }

  /** The connection as requests see it; for the sample service with its true address. @throws Failure */
  async connection(): Promise<Connection> {
    return (await this.#open()).connection;
  }

  dispose(): void {
    this.#disposed = true;
    // A connection that never opened has nothing to close.
    void this.#opening?.then(
      ({ client }) => client.dispose(),
      () => undefined,
    );
  }

  /** Logs what the contract does not lead one to expect in an answer, once per shape, whoever reads it. */
  #logDeviations(endpoint: ListEndpoint, { deviations }: ListPage): void {
    for (const { kind, path } of deviations) {
      const shape = `${endpoint}: ${kind} ${path}`;
      if (this.#deviationsSeen.has(shape)) continue;
      this.#deviationsSeen.add(shape);
      nonThrowingLog(this.#deps.surroundings.log).info(`unexpected in the answers of ${shape}`);
    }
  }

  async #open(): Promise<OpenConnection> {
    if (this.#disposed) throw new Failure('cancelled');
    this.#opening ??= this.#build();
    try {
      return await this.#opening;
    } catch (error) {
      this.#opening = undefined;
      throw error;
    }
  }

  async #build(): Promise<OpenConnection> {
    const { reach, keyOf, surroundings, loadHttp } = this.#deps;
    const [connection, parts] = await Promise.all([reach(), loadHttp()]);
    const client = new parts.HttpClient(connection, keyOf, surroundings);
    const api = new parts.JobsApi(connection, client);
    return { connection, api, pages: new PageReader(api, this.traits), client };
  }
}
