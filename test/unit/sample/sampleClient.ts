import type { SampleService, SampleServiceOptions } from '../../../src/sample/sampleService.ts';
import { startSampleService } from '../../../src/sample/sampleService.ts';

/** A job item as received. */
export interface Item {
  readonly id: string;
  readonly request_id: string;
  readonly version: number;
  readonly status: string;
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly kind: string;
  readonly custom_metadata?: Record<string, unknown> | null;
  readonly error_code?: number | null;
  readonly request_params?: Record<string, unknown>;
  readonly [field: string]: unknown;
}

/** A page or an error as received. */
interface Body {
  readonly first: string;
  readonly current: string;
  readonly next: string | null;
  readonly items: readonly Item[];
  readonly id: string;
  readonly result_url: string;
  readonly statusCode: number;
  readonly message: string;
  readonly request_id: string;
  readonly timestamp: string;
  readonly path: string;
  readonly validation_errors?: readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Body;
}

/** The options of a request besides the key. */
interface Call {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

/** The initial time of {@link Sample}. */
export const start = Date.parse('2026-05-20T12:00:00.000Z');

/** A sample service whose clock only the test moves, with an HTTP client. */
export class Sample implements AsyncDisposable {
  readonly service: SampleService;
  readonly #time: { now: number };

  static async open(options: SampleServiceOptions = {}): Promise<Sample> {
    const time = { now: start };
    return new Sample(await startSampleService({ clock: () => time.now, ...options }), time);
  }

  private constructor(service: SampleService, time: { now: number }) {
    this.service = service;
    this.#time = time;
  }

  get now(): number {
    return this.#time.now;
  }

  set now(at: number) {
    this.#time.now = at;
  }

  async get(path: string, init: Call = {}): Promise<Answer> {
    const response = await fetch(this.service.baseUrl + path, {
      ...init,
      headers: { 'x-service-key': this.service.key, ...init.headers },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: JSON.parse(text) as Body };
  }

  async post(body: unknown, headers: Record<string, string> = { 'content-type': 'application/json' }): Promise<Answer> {
    return this.get('/v2/pre-recorded', {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  async items(path: string): Promise<readonly Item[]> {
    return (await this.get(path)).body.items;
  }

  async ids(path: string): Promise<readonly string[]> {
    return (await this.items(path)).map((item) => item.id);
  }

  /** Every job of both kinds, in list order. */
  async all(): Promise<readonly Item[]> {
    return this.items('/v2/transcription?limit=10000');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.service.stop();
  }
}
