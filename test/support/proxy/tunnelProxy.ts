import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listen, stop } from '../faults/faultServer.ts';

/** A proxy on loopback that digs tunnels (HTTP CONNECT) to hosts that only it knows. */
export interface TunnelProxy {
  readonly url: string;
  /** `host:port` of every tunnel that was asked for. */
  readonly tunnels: readonly string[];
  /** URL and headers of every request that came in clear, which it refuses. */
  readonly clear: readonly string[];
  stop(): Promise<void>;
}

/** @param ports where on loopback the hosts are that the proxy knows. */
export async function startTunnelProxy(ports: Readonly<Record<string, number>>): Promise<TunnelProxy> {
  const tunnels: string[] = [];
  const clear: string[] = [];
  // What became a tunnel is no longer among the connections that the server closes.
  const clients = new Set<Duplex>();
  const server = createServer((request, response) => {
    clear.push([request.url, ...request.rawHeaders].join(' '));
    response.writeHead(501).end();
  });
  server.on('connect', (request, client, head) => {
    const { url: target = '' } = request;
    tunnels.push(target);
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
    stop: async () => {
      for (const client of clients) client.destroy();
      await stop(server);
    },
  };
}
