import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Got, PlainResponse, Request } from 'got';
import { Failure } from '../../domain/failure.ts';
import { BodyDecoder } from './bodyDecoder.ts';
import { onRequestCanLeave, requestOnFreshConnection } from './requestConnection.ts';
import { nameTransportFailure } from './transportFailure.ts';

/** One HTTP request, sent at most once. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Milliseconds, from the start to the last byte of the response. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A response without its body. */
export interface HttpResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface HttpResponse extends HttpResponseHead {
  /** The body, or its beginning. */
  readonly text: string;
  /** The body was longer than the limit; the rest was not read. */
  readonly isCut: boolean;
}

export type ExchangeResult =
  | { readonly type: 'answered'; readonly answer: HttpResponse }
  | {
      readonly type: 'broken';
      readonly failure: Failure;
      /** Some of the request may have left this machine. */
      readonly mayHaveLeft: boolean;
      /** Status and headers of a response whose body did not arrive completely. */
      readonly head: HttpResponseHead | undefined;
    };

/** Maximum size of a page after decompression; larger ones fail as `tooLarge`. */
const maxPageBytes = 32 * 1024 * 1024;
/** Bytes to read of the response to an accepted POST, of which only the id is needed. */
const maxAcceptedBytes = 256 * 1024;
/** Bytes to read of the body of an error response, which becomes a message. */
const maxRefusalBytes = 64 * 1024;

/** Maximum number of interim (1xx) responses, such as "103 Early Hints". */
const maxProvisional = 20;

/** Longest time in milliseconds to connect, and again for the TLS handshake, when the request timeout is longer. */
const maxConnectMs = 10_000;

/** Options that all requests share. Loaded with the first request, not with the extension. */
let client: Promise<Got> | undefined;

async function loadClient(): Promise<Got> {
  const { default: got } = await import('got');
  return got.extend({
    headers: { accept: 'application/json', 'accept-encoding': 'gzip, deflate, br' },
    retry: { limit: 0 },
    followRedirect: false,
    throwHttpErrors: false,
  });
}

/**
 * Sends one request and reads the whole response: no retry, no redirect, no cookies, for any status. Never throws.
 *
 * No agent is set: the editor replaces Node's `http.request` to add the user's proxy and certificates, and with
 * `http.proxySupport` "on" it leaves a request that brings an agent alone. Node's global agents keep connections alive.
 */
export async function exchange(request: ExchangeRequest): Promise<ExchangeResult> {
  let mayHaveLeft = false;
  let head: HttpResponseHead | undefined;
  try {
    const { stream: send } = await (client ??= loadClient());
    const connectMs = Math.min(maxConnectMs, request.timeoutMs);
    const stream = send(request.url, {
      method: request.method,
      headers: request.headers,
      ...(request.body !== undefined && { body: request.body }),
      ...(request.method === 'POST' && { request: requestOnFreshConnection }),
      // Not `lookup`: the sockets that the editor puts in place announce no lookup, and its timer would never stop.
      timeout: { connect: connectMs, secureConnect: connectMs, request: request.timeoutMs },
      signal: request.signal,
    });
    stream.once('request', (sent: ClientRequest) => {
      let provisional = 0;
      sent.on('information', () => {
        if (++provisional > maxProvisional)
          stream.destroy(new Failure('offline', { cause: 'provisional answers without end' }));
      });
      onRequestCanLeave(sent, () => {
        mayHaveLeft = true;
      });
    });
    stream.once('response', (response: PlainResponse) => {
      head = { status: response.statusCode, headers: response.headers };
    });
    const body = await readBody(stream, request.method);
    if (head === undefined) throw new Failure('offline', { cause: 'no answer' });
    return { type: 'answered', answer: { ...head, ...body } };
  } catch (error) {
    return { type: 'broken', failure: brokenBy(error, request.signal, mayHaveLeft), mayHaveLeft, head };
  }
}

/** Uses events, which cost less per chunk than a stream iterator. */
function readBody(stream: Request, method: 'GET' | 'POST'): Promise<Pick<HttpResponse, 'text' | 'isCut'>> {
  return new Promise((resolve, reject) => {
    let body = new BodyDecoder(undefined);
    let maxBytes = 0;
    let isWhole = false;
    stream.once('response', ({ statusCode, headers }: PlainResponse) => {
      body = new BodyDecoder(headers['content-type']);
      isWhole = statusCode >= 200 && statusCode < 300 && method === 'GET';
      maxBytes = isWhole ? maxPageBytes : method === 'POST' && statusCode < 300 ? maxAcceptedBytes : maxRefusalBytes;
    });
    const onData = (chunk: Uint8Array): void => {
      const space = maxBytes - body.bytes;
      body.add(chunk.byteLength > space ? chunk.subarray(0, space) : chunk);
      if (chunk.byteLength <= space) return;
      stream.off('data', onData);
      if (isWhole) reject(new Failure('tooLarge'));
      else resolve({ text: body.end(), isCut: true });
      stream.destroy();
    };
    stream.on('data', onData);
    stream.once('end', () => resolve({ text: body.end(), isCut: false }));
    stream.on('error', reject);
    stream.once('close', () => reject(new Failure('offline', { cause: 'ERR_STREAM_PREMATURE_CLOSE' })));
  });
}

function brokenBy(error: unknown, signal: AbortSignal, mayHaveLeft: boolean): Failure {
  if (signal.aborted) return new Failure('cancelled');
  const failure = error instanceof Failure ? error : nameTransportFailure(error);
  if (failure.code !== 'timeout' || mayHaveLeft) return failure;
  return new Failure('timeout', { ...failure.facts, connecting: true });
}
