import { sampleName } from '../common/connectionInput.ts';
import type { ConnectionDefaults, Connection } from '../common/connection.ts';
import { Failure } from '../../base/failure.ts';
import type { Disposable } from '../../base/disposable.ts';
import { sampleBaseUrl } from '../../known/knownService.ts';

/** A running sample service, as `startSampleService` returns it. */
export interface RunningSample {
  readonly baseUrl: string;
  readonly key: string;
  stop(): Promise<void>;
}

/** Loads the sample service's own bundle and starts it. */
export type SampleStarter = (options: {
  readonly count?: number;
  /** Life of the jobs: new ones keep arriving. With an incident, one customer's jobs fail with one code. */
  readonly life: 'arrivals' | 'incident';
}) => Promise<RunningSample>;

/** Environment variable with the number of sample jobs, for tests and demonstrations. */
const countVariable = 'TRANSCRIPTION_SAMPLE_JOBS';
/** Environment variable that switches on an incident, when it is `1`. */
const incidentVariable = 'TRANSCRIPTION_SAMPLE_INCIDENT';

/** The built-in connection `Sample`: a service inside the extension that starts with the first request and stops with the window. */
export class SampleConnection implements Disposable {
  /** The public connection. Its address is a placeholder; {@link reach} returns the actual one. */
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
    this.connection = { ...defaults, name: sampleName, baseUrl: sampleBaseUrl };
    const count = environment[countVariable] ?? '';
    const life = environment[incidentVariable] === '1' ? 'incident' : 'arrivals';
    this.#start = async () => start({ life, ...(/^\d{1,6}$/.test(count) && { count: Number(count) }) });
  }

  /**
   * Returns the connection with the port on which the service listens. Starts the service if it is not running.
   * @throws Failure `offline` if it cannot start.
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

  /** Returns the service's generated key, for its own address only. The key is kept in memory. */
  keyFor(connection: Connection): string | undefined {
    return connection.baseUrl === this.#running?.baseUrl ? this.#running.key : undefined;
  }

  dispose(): void {
    this.#disposed = true;
    // A failure to stop needs no report: the port closes with the process at the latest.
    void this.#starting?.then(
      (running) => running.stop(),
      () => undefined,
    );
  }
}
