import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { text } from 'node:stream/consumers';
import type { Certificate } from './certificates.ts';

/** A request as a listener saw it: enough to count requests and to search for the key. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly rawHeaders: readonly string[];
}

/** The input of a play. */
export interface Stage {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: string;
  /** 1 for the first request that the server saw. */
  readonly nth: number;
  /** The server's origin. */
  readonly origin: string;
  /** Another listener, which must never see the key. */
  readonly otherOrigin: string;
}

/** Response of a server to one request, correct or not. */
export type Play = (stage: Stage) => void;

/** A real listener on loopback that responds as its play says. */
export interface FaultServer {
  readonly origin: string;
  readonly seen: readonly SeenRequest[];
  stop(): Promise<void>;
}

/** Starts a listener, by default on a random port. The caller stops it. */
export async function startFaultServer(
  play: Play,
  {
    certificate,
    otherOrigin = '',
    port: chosenPort = 0,
  }: { readonly certificate?: Certificate; readonly otherOrigin?: string; readonly port?: number } = {},
): Promise<FaultServer> {
  const seen: SeenRequest[] = [];
  const record = ({ method = '', url = '', rawHeaders }: IncomingMessage): void => {
    seen.push({ method, path: url, rawHeaders });
  };
  const server = certificate === undefined ? createServer() : createSecureServer(certificate);
  // Node's default of five seconds would close connections on a slow machine, a fault that no test requested.
  server.keepAliveTimeout = 120_000;
  const port = await listen(server, chosenPort);
  const origin = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  server.on('request', (request, response) => {
    record(request);
    const nth = seen.length;
    void text(request).then(
      (body) => play({ request, response, body, nth, origin, otherOrigin }),
      () => {}, // The client disconnected while sending the body.
    );
  });
  // A request for a proxy tunnel; none of the plays supports one.
  server.on('connect', (request, socket) => {
    record(request);
    socket.on('error', () => {});
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="proxy"\r\n\r\n');
  });
  return { origin, seen, stop: async () => stop(server) };
}

/** Listens on loopback. @param port 0: a random one @returns the port. */
export async function listen(server: Server, port = 0): Promise<number> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  return address.port;
}

/** Closes a server and all its connections. */
export async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}
