import { createServer, type ClientRequest, type RequestOptions } from 'node:http';
import https, { Agent } from 'node:https';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from './certificates.ts';
import { listen, startFaultServer, stop, type FaultServer, type Play, type SeenRequest } from './faultServer.ts';
import { answer, goodPage } from './plays.ts';

/** A fault of the connection to the service, or of its responses. */
export type Fault =
  | { readonly type: 'play'; readonly play: Play }
  | { readonly type: 'refused' }
  | { readonly type: 'unknownHost' }
  | { readonly type: 'tls'; readonly certificate: 'trusted' | 'selfSigned' | 'expired' | 'otherHost' }
  | { readonly type: 'proxy'; readonly proxy: 'refusesTunnel' | 'isDown' };

/** A fault that has been set up: a service at `baseUrl`, and the requests seen. */
export interface Scene {
  readonly baseUrl: string;
  /** The requests seen by the service. */
  readonly seen: readonly SeenRequest[];
  /** The requests seen by anyone else: another origin, or a proxy. */
  readonly seenByOthers: readonly SeenRequest[];
}

/** Sets up a fault, runs `act`, and cleans up. */
export async function withScene<T>(fault: Fault, act: (scene: Scene) => Promise<T>): Promise<T> {
  const other = await startFaultServer(goodPage);
  const started: FaultServer[] = [other];
  const start = async (...args: Parameters<typeof startFaultServer>): Promise<FaultServer> => {
    const server = await startFaultServer(...args);
    started.push(server);
    return server;
  };
  const scene = (baseUrl: string, seen: readonly SeenRequest[] = []): Scene => ({
    baseUrl,
    seen,
    seenByOthers: other.seen,
  });
  try {
    switch (fault.type) {
      case 'play': {
        const { origin, seen } = await start(fault.play, { otherOrigin: other.origin });
        return await act(scene(origin, seen));
      }
      case 'refused':
        return await act(scene(await deadOrigin()));
      case 'unknownHost':
        // The resolver itself rejects a label of more than 63 letters, so no network is used.
        return await act(scene(`http://${'x'.repeat(64)}.invalid`));
      case 'tls': {
        const certificate = await makeCertificate({
          ...(fault.certificate === 'expired' && { ageDays: 10 }),
          ...(fault.certificate === 'otherHost' && { address: '127.0.0.2' }),
        });
        const { origin, seen } = await start(goodPage, { certificate });
        const run = async (): Promise<T> => act(scene(origin, seen));
        return fault.certificate === 'selfSigned' ? await run() : await trusting(certificate.cert, run);
      }
      case 'proxy': {
        const { origin, seen } = await start(answer(407));
        const agent =
          fault.proxy === 'isDown' ? new DownProxyAgent() : new Agent({ proxyEnv: { HTTPS_PROXY: origin } });
        return await withAgent(agent, async () =>
          act({ baseUrl: 'https://service.invalid', seen: [], seenByOthers: seen }),
        );
      }
    }
  } finally {
    await Promise.all(started.map(async (server) => server.stop()));
  }
}

/** An origin on which nothing listens. */
async function deadOrigin(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  await stop(server);
  return `http://127.0.0.1:${port}`;
}

async function trusting<T>(cert: string, act: () => Promise<T>): Promise<T> {
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, cert]);
  try {
    return await act();
  } finally {
    setDefaultCACertificates(usual);
  }
}

/** Fails as the editor's own proxy agent does when it cannot reach the proxy. */
class DownProxyAgent extends Agent {
  override createConnection(): never {
    throw new Error('Failed to establish a socket connection to proxies: PROXY 127.0.0.1:1');
  }
}

/** Replaces the module's `request` by one that adds a proxy agent, as the editor does. */
async function withAgent<T>(agent: Agent, act: () => Promise<T>): Promise<T> {
  const { request } = https;
  https.request = (url: string | URL | RequestOptions, ...rest: unknown[]): ClientRequest =>
    Reflect.apply(request, https, [url, { ...Object(rest[0]), agent }, rest[1]]) as ClientRequest;
  try {
    return await act();
  } finally {
    https.request = request;
    agent.destroy();
  }
}
