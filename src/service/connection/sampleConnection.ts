import { sampleName } from '../../domain/connection/connectionInput.ts';
import type { ConnectionDefaults } from '../../domain/connection/connection.ts';
import { Failure } from '../../domain/failure.ts';
import type { Connection } from '../ports.ts';
import type { Disposable } from '../disposable.ts';

/** A sample service that runs, as `startSampleService` gives it. */
export interface RunningSample {
  readonly baseUrl: string;
  readonly key: string;
  stop(): Promise<void>;
}

/** Loads the sample service's own bundle and starts it. */
export type SampleStarter = (options: { readonly count?: number }) => Promise<RunningSample>;

/** How many jobs the sample service has, for tests and demonstrations. */
const countVariable = 'TRANSCRIPTION_SAMPLE_JOBS';

/** The built-in connection `Sample`: a service inside the extension that starts with the first request and stops with the window. */
export class SampleConnection implements Disposable {
  /** What the rest of the program knows. Its address leads nowhere; {@link reach} gives the real one. */
  readonly connection: Connection;
  readonly #start: () => Promise<RunningSample>;
  #starting: Promise<RunningSample> | undefined;
  #running: RunningSample | undefined;
  #disposed = false;

  constructor(
    defaults: ConnectionDefaults,
    start: SampleStarter,
    environment: Readonly<Record<string, string | undefined>>,
  ) {
    // RFC 6761 6.4: no resolver knows a name below "invalid", so a request by mistake reaches nobody.
    this.connection = { ...defaults, name: sampleName, baseUrl: 'http://sample.invalid' };
    const count = environment[countVariable] ?? '';
    this.#start = async () => start(/^\d{1,7}$/.test(count) ? { count: Number(count) } : {});
  }

  /**
   * The connection at the port where the service listens; starts it when it does not run.
   * @throws Failure `offline` when it cannot start.
   */
  async reach(): Promise<Connection> {
    if (this.#disposed) throw new Failure('cancelled');
    this.#starting ??= this.#start();
    try {
      this.#running = await this.#starting;
    } catch (error) {
      this.#starting = undefined;
      throw new Failure('offline', { cause: error instanceof Error ? error.message : 'the sample service' });
    }
    return { ...this.connection, baseUrl: this.#running.baseUrl };
  }

  /** The service's own key, for its own address alone. It is kept in memory only. */
  keyFor(connection: Connection): string | undefined {
    return connection.baseUrl === this.#running?.baseUrl ? this.#running.key : undefined;
  }

  dispose(): void {
    this.#disposed = true;
    // Nobody is left to tell when it does not stop; the port closes with the process at the latest.
    void this.#starting?.then(
      (running) => running.stop(),
      () => undefined,
    );
  }
}
