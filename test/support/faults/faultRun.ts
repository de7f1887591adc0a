import { HttpClient } from '../../../src/platform/http/httpClient.ts';
import { JobsApi } from '../../../src/jobs/node/api/jobsApi.ts';
import { ListReader } from '../../../src/jobs/node/list/listReader.ts';
import type { Connection } from '../../../src/connections/common/connection.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import type { Clock } from '../../../src/base/clock.ts';
import { connectionDefaults } from '../builders/workConnection.ts';

/** A key that may appear nowhere except in requests to the service. */
export const sentinelKey = 'sk-sentinel-4f1c"\\<b>ü';

/** The real time, but without waiting: a delay advances the clock at once. */
export class SkippingClock implements Clock {
  /** The requested delays, in milliseconds. */
  readonly delaysMs: number[] = [];

  now(): number {
    return Date.now() + this.delaysMs.reduce((sum, each) => sum + each, 0);
  }

  after(delayMs: number, callback: () => void): Disposable {
    const timer = setImmediate(() => {
      this.delaysMs.push(delayMs);
      callback();
    });
    return { dispose: () => clearImmediate(timer) };
  }
}

/** A client for a service at a base URL, with the sentinel as its key. The caller disposes `client`. */
export interface FaultRun {
  readonly api: JobsApi;
  readonly lists: ListReader;
  readonly client: HttpClient;
  readonly clock: SkippingClock;
  /** The lines of the log. */
  readonly lines: readonly string[];
}

export function faultRun(baseUrl: string, requestTimeoutMs = 30_000, key: string | undefined = sentinelKey): FaultRun {
  const connection: Connection = {
    ...connectionDefaults,
    name: 'Faulty',
    baseUrl,
    timeoutSeconds: requestTimeoutMs / 1000,
  };
  const lines: string[] = [];
  const write = (line: string): void => {
    lines.push(line);
  };
  const clock = new SkippingClock();
  const client = new HttpClient(connection, async () => key, {
    clock,
    log: { debug: write, info: write, warn: write, error: write },
    random: () => 0.5,
  });
  const api = new JobsApi(connection, client);
  return { api, lists: new ListReader(() => Promise.resolve(api)), client, clock, lines };
}
