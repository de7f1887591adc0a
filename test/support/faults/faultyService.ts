import { request as send } from 'node:http';
import { startFaultServer, type FaultServer, type Play, type SeenRequest } from './faultServer.ts';

/**
 * Starts a listener in front of a real service: each request is forwarded unchanged unless `faults` returns a play for
 * it. `faults` is called for each request, so that a test can switch faults on and off.
 * @param target base URL of the service; plain http.
 */
export async function startFaultyService({
  target,
  faults,
  port = 0,
}: {
  readonly target: string;
  /** 0: a random one. */
  readonly port?: number;
  /** @param nth 1 for the first request. */
  readonly faults: (request: SeenRequest, nth: number) => Play | undefined;
}): Promise<FaultServer> {
  return startFaultServer(
    (stage) => {
      const { method = '', url = '', rawHeaders } = stage.request;
      (faults({ method, path: url, rawHeaders }, stage.nth) ?? forwardTo(target))(stage);
    },
    { port },
  );
}

/** Forwards a request to a real service, and its response back. */
export function forwardTo(target: string): Play {
  return ({ request, response, body }) => {
    const { host: _ours, ...headers } = request.headers;
    send(`${target}${request.url}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    })
      .on('error', () => response.destroy())
      .end(body);
  };
}
