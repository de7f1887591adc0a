import http, { type ClientRequest, type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import type { Got, PlainResponse, Request, RequestFunction } from 'got';
import { Failure } from '../../base/failure.ts';
import { isLoopbackHost } from '../../base/webAddress.ts';
import { BodyDecoder } from './bodyDecoder.ts';
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
      /** A part of the request may have left this machine. */
      readonly mayHaveLeft: boolean;
      /** Status and headers of a response whose body did not arrive completely. */
      readonly head: HttpResponseHead | undefined;
    };

/** Maximum size of a page after decompression; larger ones fail as `tooLarge`. */
export const maxPageBytes = 32 * 1024 * 1024;
/** Bytes to read of the response to an accepted POST, of which only the id is needed. */
export const maxAcceptedBytes = 256 * 1024;
/** Bytes to read of the body of an error response, which is shown as a message. */
export const maxRefusalBytes = 64 * 1024;

/** Maximum number of interim (1xx) responses, such as "103 Early Hints". */
const maxProvisional = 20;

/** Maximum time in milliseconds to connect, and again for the TLS handshake, if the request timeout is longer. */
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
 * Agents that never use a proxy. Node's global agents may use one (`NODE_USE_ENV_PROXY`), even for requests that must
 * stay on this machine and contain the key in plain text.
 */
const directAgents = { http: new http.Agent({ keepAlive: true }), https: new https.Agent({ keepAlive: true }) };

/**
 * Sends one request and reads the whole response: no retry, no redirect, no cookies, for any status. Never throws. Sets
 * no agent for other machines: the editor replaces Node's `http.request` to add the user's proxy and certificates, and
 * with `http.proxySupport` "on" it does not change requests that have an agent. Node's global agents keep connections
 * alive.
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
      ...(request.method === 'GET' && isLoopbackHost(request.url.hostname) && { agent: directAgents }),
      // No `lookup` timeout: the editor's own sockets emit no `lookup` event, so its timer would never stop.
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

/** Reads the body with events, which cost less per chunk than a stream iterator. */
function readBody(stream: Request, method: 'GET' | 'POST'): Promise<Pick<HttpResponse, 'text' | 'isCut'>> {
  return new Promise((resolve, reject) => {
    let body: BodyDecoder | undefined;
    let maxBytes = 0;
    let isWhole = false;
    stream.once('response', ({ statusCode, headers }: PlainResponse) => {
      body = new BodyDecoder(headers['content-type']);
      isWhole = statusCode >= 200 && statusCode < 300 && method === 'GET';
      maxBytes = isWhole ? maxPageBytes : method === 'POST' && statusCode < 300 ? maxAcceptedBytes : maxRefusalBytes;
    });
    const onData = (chunk: Uint8Array): void => {
      if (body === undefined) return;
      const space = maxBytes - body.bytes;
      body.add(chunk.byteLength > space ? chunk.subarray(0, space) : chunk);
      if (chunk.byteLength <= space) return;
      stream.off('data', onData);
      if (isWhole) reject(new Failure('tooLarge'));
      else resolve({ text: body.end(), isCut: true });
      stream.destroy();
    };
    stream.on('data', onData);
    stream.once('end', () => resolve({ text: body?.end() ?? '', isCut: false }));
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

/**
 * Sends a request over a new connection. On a kept-alive connection, the service could close the connection at the same
 * moment, and it would be unknown whether the POST had been sent.
 *
 * Uses `createConnection` instead of an agent, because with `http.proxySupport` "on" the editor routes only requests without
 * an agent through the user's proxy. In that case it sets its own agent, which opens a new connection for each request and
 * ignores `createConnection`. The functions are read from their modules at each call, because the editor replaces them there.
 */
const requestOnFreshConnection: RequestFunction = (url, options, callback) => {
  const secure = url.protocol === 'https:';
  const defaultPort = secure ? 443 : 80;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || defaultPort;
  const createConnection = (): net.Socket =>
    secure ? tls.connect({ host, port, servername: net.isIP(host) === 0 ? host : '' }) : net.connect({ host, port });
  return (secure ? https : http).request(url, { ...options, defaultPort, createConnection }, callback);
};

/**
 * Calls back when the first byte of a request can leave this machine: the connection is established and, with TLS, the
 * handshake is complete and the certificate trusted. A request that failed before was certainly not sent.
 */
function onRequestCanLeave(request: ClientRequest, callback: () => void): void {
  const watch = (socket: Socket): void => {
    if (socket instanceof tls.TLSSocket) {
      // `getFinished` is undefined until the handshake is complete, even if the TCP connection (to a proxy) is already
      // established.
      if (socket.getFinished() === undefined) socket.once('secureConnect', callback);
      else callback();
    } else if (socket.connecting) socket.once('connect', callback);
    else callback();
  };
  if (request.socket) watch(request.socket);
  else request.once('socket', watch);
}
