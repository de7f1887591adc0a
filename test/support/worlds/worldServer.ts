import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { listen, stop } from '../faults/faultServer.ts';
import { BrokenConnection, type World, type WorldAnswer } from './world.ts';

/** A world on a real listener. */
export interface WorldServer {
  /** Also the base URL of a connection. */
  readonly origin: string;
  readonly world: World;
  stop(): Promise<void>;
}

/** Starts a listener on a random loopback port that responds as the world does. The caller stops it. */
export async function startWorldServer(world: World): Promise<WorldServer> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    // The world sets its own headers: Node would add a correct `Date`.
    response.sendDate = false;
    void text(request)
      .then(async (body) => world.handle(method, url, headers, body))
      .then(
        (answer) => response.writeHead(answer.status, answer.headers).end(answer.body),
        (error: unknown) => breakOff(response, error instanceof BrokenConnection ? error.answer : undefined),
      );
  });
  server.keepAliveTimeout = 120_000;
  world.origin = `http://127.0.0.1:${await listen(server)}`;
  return { origin: world.origin, world, stop: async () => stop(server) };
}

function breakOff(response: ServerResponse, answer: WorldAnswer | undefined): void {
  if (answer === undefined) {
    response.destroy();
    return;
  }
  // Declares more bytes than it sends.
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': String(Buffer.byteLength(answer.body) * 2 + 2),
  });
  response.write(answer.body, () => response.destroy());
}
