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

/** Starts a listener on a random port of loopback that answers as the world does; whoever starts it stops it. */
export async function startWorldServer(world: World): Promise<WorldServer> {
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request;
    // Only what the world says: Node would add a right `Date` of its own.
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
  // More is announced than comes.
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': String(Buffer.byteLength(answer.body) * 2 + 2),
  });
  response.write(answer.body, () => response.destroy());
}
