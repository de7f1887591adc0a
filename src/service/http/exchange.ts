import http from 'node:http';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Got, PlainResponse, Request, RequestFunction } from 'got';
import { Failure, type FailureCode } from '../../domain/failure.ts';
import net from 'node:net';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import https from 'node:https';

/** One HTTP request, sent at most once. */
export interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From the start to the last byte of the answer. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** An answer without its body. */
export interface HttpResponseHead {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export interface HttpResponse extends HttpResponseHead {
  readonly text: string;
}

export type ExchangeResult =
  | { readonly type: 'answered'; readonly answer: HttpResponse }
  | {
      readonly type: 'broken';
      readonly failure: Failure;
      /** Some of the request could have left this machine. */
      readonly mayHaveLeft: boolean;
      /** How an answer began of which the body did not arrive whole. */
      readonly head: HttpResponseHead | undefined;
    };

/** How much of a decoded body is read before the answer is given up (`tooLarge`). */
const maxBodyBytes = 32 * 1024 * 1024;

/** Longest time for a connection to be made, and again for its TLS handshake, when the whole request may take longer. */
const maxConnectMs = 10_000;

/** What all requests have in common, settled once. Loaded with the first of them, not with the extension. */
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
 * Sends one request and reads the answer whole: no retry, no redirect, no cookies, whatever the status. Never throws.
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
      onRequestCanLeave(sent, () => {
        mayHaveLeft = true;
      });
    });
    stream.once('response', (response: PlainResponse) => {
      head = { status: response.statusCode, headers: response.headers };
    });
    const body = await readCapped(stream);
    if (head === undefined) throw new Failure('offline', { cause: 'no answer' });
    return { type: 'answered', answer: { ...head, text: bodyText(body, head.headers['content-type']) } };
  } catch (error) {
    return { type: 'broken', failure: brokenBy(error, request.signal, mayHaveLeft), mayHaveLeft, head };
  }
}

/** By events, which cost less for each chunk than an iterator over the stream. */
function readCapped(stream: Request): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    stream.on('data', (chunk: Uint8Array) => {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes <= maxBodyBytes) return;
      reject(new Failure('tooLarge'));
      stream.destroy();
    });
    stream.once('end', () => resolve(Buffer.concat(chunks, bytes)));
    stream.on('error', reject);
    stream.once('close', () => reject(new Failure('offline', { cause: 'ERR_STREAM_PREMATURE_CLOSE' })));
  });
}

function brokenBy(error: unknown, signal: AbortSignal, mayHaveLeft: boolean): Failure {
  if (signal.aborted) return new Failure('cancelled');
  const failure = error instanceof Failure ? error : transportFailure(error);
  if (failure.code !== 'timeout' || mayHaveLeft) return failure;
  return new Failure('timeout', { ...failure.facts, connecting: true });
}

/**
 * The text of a body. A byte order mark decides, then the charset of the content type, else it is UTF-8 (RFC 8259);
 * the mark is not part of the text. An unknown charset is read as UTF-8.
 */
export function bodyText(body: Uint8Array, contentType: string | undefined): string {
  const label = markedCharset(body) ?? /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1] ?? 'utf-8';
  return decoded(body, label);
}

function markedCharset(body: Uint8Array): string | undefined {
  const [first, second, third] = body;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return undefined;
}

function decoded(body: Uint8Array, label: string): string {
  try {
    return new TextDecoder(label).decode(body);
  } catch {
    return new TextDecoder().decode(body);
  }
}

/**
 * Calls back when the first byte of a request could leave this machine: the connection stands and, with TLS, the
 * handshake is over and the certificate trusted. Before that moment a failed request has certainly not been sent.
 */
export function onRequestCanLeave(request: ClientRequest, callback: () => void): void {
  const watch = (socket: Socket): void => {
    if (socket instanceof tls.TLSSocket) {
      // `getFinished` is undefined until the handshake is over, also where the TCP connection (to a proxy) stands already.
      if (socket.getFinished() === undefined) socket.once('secureConnect', callback);
      else callback();
    } else if (socket.connecting) socket.once('connect', callback);
    else callback();
  };
  if (request.socket) watch(request.socket);
  else request.once('socket', watch);
}

/**
 * Requests over a connection of their own, so that a POST never travels on a kept-alive one that the service may be
 * closing this very moment: that would break it after it may have left.
 *
 * `createConnection` and not an agent, because the editor routes a request through the user's proxy only if it names no
 * agent (with `http.proxySupport` "on"). Where the editor does so it puts its own agent there, which opens a connection
 * for each request anyway and ignores `createConnection`. The functions are read from their modules at each call, because
 * the editor replaces them there.
 */
export const requestOnFreshConnection: RequestFunction = (url, options, callback) => {
  const secure = url.protocol === 'https:';
  const defaultPort = secure ? 443 : 80;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || defaultPort;
  const createConnection = (): net.Socket =>
    secure ? tls.connect({ host, port, servername: net.isIP(host) === 0 ? host : '' }) : net.connect({ host, port });
  return (secure ? https : http).request(url, { ...options, defaultPort, createConnection }, callback);
};

/**
 * Names what went wrong on the road by the error's code alone. Nothing of the error itself is kept, because errors of
 * the HTTP library hold the request's options, and those hold the key.
 */
export function transportFailure(error: unknown): Failure {
  const { code, message } = described(error);
  return new Failure(failureCode(code, message), code === undefined ? {} : { cause: code });
}

function failureCode(code: string | undefined, message: string): FailureCode {
  if (code === 'ETIMEDOUT' || code === 'ESOCKETTIMEDOUT') return 'timeout';
  // The editor's proxy agents throw errors without a code: "Failed to establish a socket connection to proxies: …".
  if (code?.startsWith('ERR_PROXY') || /\bprox(?:y|ies)\b/i.test(message)) return 'proxy';
  if (code === undefined) return 'offline';
  if (tlsCode.test(code)) return 'tls';
  if (garbledCode.test(code)) return 'notJson';
  return 'offline';
}

/** OpenSSL's reasons to distrust a certificate, Node's own, and what a peer that speaks no TLS causes. */
const tlsCode =
  /^(?:EPROTO|ERR_TLS_|ERR_SSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_EXCEEDED)/;

/** The answer is no HTTP (`HPE_`), or its compression is broken (zlib, brotli). */
const garbledCode = /^(?:HPE_|Z_|ERR__ERROR_|ERR_BROTLI|BROTLI)/;

/** Code and message of the system's own error, which the library wraps. */
function described(error: unknown): { readonly code: string | undefined; readonly message: string } {
  if (!(error instanceof Error)) return { code: undefined, message: '' };
  if (error.cause instanceof Error) return described(error.cause);
  return { code: 'code' in error && typeof error.code === 'string' ? error.code : undefined, message: error.message };
}
