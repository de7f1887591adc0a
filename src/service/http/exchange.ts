import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { Got, PlainResponse, Request } from 'got';
import { Failure } from '../../domain/failure.ts';
import { onRequestCanLeave, requestOnFreshConnection } from './requestConnection.ts';
import { nameTransportFailure } from './transportFailure.ts';

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
    return { type: 'answered', answer: { ...head, text: decodeBody(body, head.headers['content-type']) } };
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
  const failure = error instanceof Failure ? error : nameTransportFailure(error);
  if (failure.code !== 'timeout' || mayHaveLeft) return failure;
  return new Failure('timeout', { ...failure.facts, connecting: true });
}

/**
 * The text of a body. A byte order mark decides, then the charset of the content type, else it is UTF-8 (RFC 8259);
 * the mark is not part of the text. An unknown charset is read as UTF-8.
 */
export function decodeBody(body: Uint8Array, contentType: string | undefined): string {
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
