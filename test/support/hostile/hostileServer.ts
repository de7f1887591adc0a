import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { listen, stop } from '../faults/faultServer.ts';
import { asJson, pageAround, type HostileAnswer, type HostileAsk, type HostileReply } from './hostileAnswer.ts';
import { hostileAnswers } from './hostileAnswers.ts';
import { markedKey } from './keyForms.ts';

/** Relative to the project's root, because a bundled test runs from another folder. */
const processFile = 'test/support/hostile/hostileProcess.ts';

/** A request as seen by the hostile service. */
export interface HostileRequest {
  readonly answer: string;
  readonly method: string;
  readonly path: string;
}

/** A listener that serves each hostile response at its own base URL. */
export interface HostileServer {
  readonly origin: string;
  /** Base URL of a connection whose lists and submissions get that response. */
  baseUrl(answer: HostileAnswer): string;
  stop(): Promise<void>;
}

/**
 * Starts the listener in a child process, so that the cost of sending is not measured as the cost of receiving.
 * Received requests are passed to `onRequest`.
 */
export async function startHostileServer(
  onRequest: (request: HostileRequest) => void = () => {},
): Promise<HostileServer> {
  const service = fork(processFile, { execArgv: [] });
  const ended = once(service, 'exit');
  const [origin] = (await Promise.race([once(service, 'message'), ended])) as [unknown];
  if (typeof origin !== 'string') throw new Error(`${processFile} ended before it listened`);
  service.on('message', (message) => onRequest(message as HostileRequest));
  return {
    origin,
    baseUrl: (answer) => `${origin}/${hostileAnswers.indexOf(answer)}`,
    stop: async () => {
      service.disconnect();
      await ended;
    },
  };
}

/** Starts the listener in this process. */
export async function listenHostile(
  onRequest: (request: HostileRequest) => void,
): Promise<{ readonly origin: string; stop(): Promise<void> }> {
  let origin = '';
  const server = createServer((request) => {
    const [, number = '', path = ''] = /^\/(\d+)(\/.*)?$/u.exec(request.url ?? '') ?? [];
    const answer = hostileAnswers[Number(number)];
    const { method = '' } = request;
    onRequest({ answer: answer?.name ?? 'none', method, path });
    void playHostile(answer, request, { method, path, key: keyOf(request), baseUrl: `${origin}/${number}` });
  });
  server.maxHeadersCount = 0;
  origin = `http://127.0.0.1:${await listen(server)}`;
  return { origin, stop: async () => stop(server) };
}

/** Sends a hostile response, bypassing Node's own checks, and closes the connection. */
async function playHostile(
  answer: HostileAnswer | undefined,
  request: IncomingMessage,
  ask: HostileAsk,
): Promise<void> {
  const { socket } = request;
  socket.on('error', () => {}); // The attacked client may disconnect.
  await text(request).catch(() => '');
  const isMeant = answer !== undefined && (answer.to === 'both' || answer.to === ask.method);
  await writeReply(socket, isMeant ? answer.reply(ask) : harmless(ask.method));
}

function harmless(method: string): HostileReply {
  if (method === 'POST') return { status: 201, headers: asJson, body: ['{"id":"a"}'] };
  return { status: 200, headers: asJson, body: pageAround('') };
}

async function writeReply(
  socket: Socket,
  { status, reason = 'Reason', headers = [], body, framing = 'chunked', pauseMs }: HostileReply,
): Promise<void> {
  const hasFrame = framing === 'chunked' && status !== 204 && status !== 304;
  if (framing !== 'raw') {
    const all = [...headers, ['connection', 'close'], ...(hasFrame ? [['transfer-encoding', 'chunked']] : [])];
    const lines = all.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`HTTP/1.1 ${status} ${reason}\r\n${lines}\r\n`, 'latin1');
  }
  const closed = once(socket, 'close').catch(() => {});
  for (const piece of body) {
    if (socket.destroyed) return;
    const bytes = Buffer.from(piece);
    if (bytes.length === 0) continue;
    const framed = hasFrame
      ? Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
      : bytes;
    if (!socket.write(framed)) await Promise.race([once(socket, 'drain'), closed]).catch(() => {});
    if (pauseMs !== undefined) await delay(pauseMs);
  }
  socket.end(hasFrame ? '0\r\n\r\n' : '');
}

function keyOf({ headers }: IncomingMessage): string {
  const key = headers['x-service-key'];
  return typeof key === 'string' && key !== '' ? key : markedKey;
}
