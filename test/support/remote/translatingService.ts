import { createServer, type ServerResponse } from 'node:http';
import { listen, stop } from '../faults/faultServer.ts';

/** A real service behind a listener that rewrites queries. */
export interface TranslatingService {
  readonly baseUrl: string;
  /** Path and query of every request as received. */
  readonly paths: readonly string[];
  stop(): Promise<void>;
}

/**
 * @param translate rewrites a query; undefined: the response is 400.
 * @param closed paths whose response is always 400.
 */
export async function startTranslatingService(
  target: string,
  translate: (query: URLSearchParams) => URLSearchParams | undefined,
  closed?: RegExp,
): Promise<TranslatingService> {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', target);
    paths.push(`${url.pathname}${url.search}`);
    const query = closed?.test(url.pathname) ? undefined : translate(url.searchParams);
    if (query === undefined) {
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"statusCode":400,"message":"Invalid query"}');
      return;
    }
    url.search = query.toString();
    void forward(url, String(request.headers['x-service-key']), response);
  });
  const port = await listen(server);
  return { baseUrl: `http://127.0.0.1:${port}`, paths, stop: async () => stop(server) };
}

async function forward(url: URL, key: string, response: ServerResponse): Promise<void> {
  const answer = await fetch(url, { headers: { 'x-service-key': key } });
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
}
