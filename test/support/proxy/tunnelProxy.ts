import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen, stop } from '../faults/faultServer.ts';

/** A loopback proxy that opens tunnels (HTTP CONNECT) to hosts that only it knows. */
export interface TunnelProxy {
  readonly url: string;
  /** `host:port` of every requested tunnel. */
  readonly tunnels: readonly string[];
  /** URL and headers of every plain HTTP request. The proxy rejects these. */
  readonly clear: readonly string[];
  /** Everything it received: the tunnel requests with their headers, and the tunnelled data, in latin1. */
  readonly seen: readonly string[];
  stop(): Promise<void>;
}

/** @param ports the loopback port of each host that the proxy knows. */
export async function startTunnelProxy(ports: Readonly<Record<string, number>>): Promise<TunnelProxy> {
  const tunnels: string[] = [];
  const clear: string[] = [];
  const seen: string[] = [];
  // The server does not close connections that have become tunnels, so they are tracked here.
  const clients = new Set<Duplex>();
  const server = createServer((request, response) => {
    clear.push([request.url, ...request.rawHeaders].join(' '));
    seen.push(clear.at(-1) ?? '');
    response.writeHead(501).end();
  });
  server.on('connect', (request, client, head) => {
    const { url: target = '' } = request;
    tunnels.push(target);
    seen.push([target, ...request.rawHeaders].join(' '), head.toString('latin1'));
    client.on('data', (chunk: Buffer) => seen.push(chunk.toString('latin1')));
    const port = ports[target.split(':')[0] ?? ''];
    clients.add(client);
    client.on('error', () => {});
    if (port === undefined) {
      client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      return;
    }
    const remote = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      remote.write(head);
      remote.pipe(client);
      client.pipe(remote);
    });
    remote.on('error', () => client.destroy());
    client.on('close', () => {
      clients.delete(client);
      remote.destroy();
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    tunnels,
    clear,
    seen,
    stop: async () => {
      for (const client of clients) client.destroy();
      await stop(server);
    },
  };
}
