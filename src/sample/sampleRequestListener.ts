import type { JobKind } from '../jobs/common/job.ts';
import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { JsonObject } from '../base/json/json.ts';
import { hash32 } from './random.ts';
import { omitUndefined } from './sampleJob.ts';
import { Refusal, sampleQuery, type SampleQuery } from './sampleQuery.ts';
import { sampleRequestId } from './sampleId.ts';
import type { SampleJobs, SampleJobSpec, SamplePage } from './sampleJobs.ts';
import { sampleSubmission } from './sampleSubmission.ts';

/** A request as received, for tests. */
export interface SampleRequest {
  readonly method: string;
  /** Path and query, as sent. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Dependencies of the listener. */
export interface SampleServiceDeps {
  readonly jobs: SampleJobs;
  readonly key: string;
  /** Base of the page URLs; no slash at the end. */
  readonly baseUrl: string;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly onRequest?: ((request: SampleRequest) => void) | undefined;
  readonly onSubmitted?: ((job: SampleJobSpec) => void) | undefined;
}

interface Reply {
  readonly statusCode: number;
  readonly body: JsonObject;
}

/** The list endpoints and the only kind each of them lists (contract 4.1 to 4.3). */
const listedKind: ReadonlyMap<string, JobKind | undefined> = new Map([
  ['/v2/pre-recorded', 'pre-recorded'],
  ['/v2/live', 'live'],
  ['/v2/transcription', undefined],
]);

/** Serves the endpoints of contract 4; never throws. */
export function sampleRequestListener(context: SampleServiceDeps): RequestListener {
  let failures = 0;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = request;
    context.onRequest?.({ method, path, headers });
    try {
      send(response, await replyTo(context, request, method, path), context.clock());
    } catch (error) {
      const reply = refused(error, path, sampleRequestId(hash32(++failures)), context.clock());
      send(response, reply, context.clock());
    }
  };
  return (request, response) => void answer(request, response);
}

async function replyTo(
  context: SampleServiceDeps,
  request: IncomingMessage,
  method: string,
  target: string,
): Promise<Reply> {
  if (!URL.canParse(context.baseUrl + target)) throw new Refusal(400, 'Invalid address');
  const { pathname, search } = new URL(context.baseUrl + target);
  const lists = method === 'GET' && listedKind.has(pathname);
  const submits = method === 'POST' && pathname === '/v2/pre-recorded';
  if (!lists && !submits) throw new Refusal(404, `Cannot ${method} ${pathname}`);

  const key = request.headers['x-service-key'];
  if (key === undefined) throw new Refusal(401, 'The x-service-key header is missing');
  if (key !== context.key) throw new Refusal(401, 'The service key is not known');

  const { jobs, baseUrl, clock } = context;
  if (submits) {
    const spec = await sampleSubmission(request);
    const createdAt = clock();
    const id = jobs.add(spec, createdAt);
    context.onSubmitted?.({ ...spec, id, createdAt });
    return { statusCode: 201, body: { id, result_url: `${baseUrl}/v2/pre-recorded/${id}` } };
  }
  const query = sampleQuery(search, listedKind.get(pathname));
  return {
    statusCode: 200,
    body: samplePage(query, jobs.list(query.filter, query.offset, query.limit, clock()), baseUrl),
  };
}

function refused(error: unknown, target: string, requestId: string, now: number): Reply {
  const refusal = error instanceof Refusal ? error : new Refusal(500, 'Internal error');
  const { statusCode, message, validationErrors } = refusal;
  return {
    statusCode,
    body: omitUndefined({
      statusCode,
      message,
      request_id: requestId,
      timestamp: new Date(now).toISOString(),
      path: target,
      validation_errors: validationErrors.length > 0 ? validationErrors : undefined,
    }),
  };
}

function send(response: ServerResponse, { statusCode, body }: Reply, now: number): void {
  const text = JSON.stringify(body);
  response.writeHead(statusCode, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    date: new Date(now).toUTCString(),
  });
  response.end(text);
}

/**
 * Creates the page of contract 2.1. Whatever the endpoint, its URLs lead to `/v2/transcription` and keep only status, offset and limit of
 * the query; clients must handle that.
 */
function samplePage(query: SampleQuery, page: SamplePage, baseUrl: string): JsonObject {
  const { statuses, offset, limit } = query;
  const urlAt = (start: number): string => {
    const parameters = new URLSearchParams(statuses.map((status): [string, string] => ['status', status]));
    parameters.append('offset', String(start));
    parameters.append('limit', String(limit));
    return `${baseUrl}/v2/transcription?${parameters.toString()}`;
  };
  return {
    first: urlAt(0),
    current: urlAt(offset),
    next: page.hasMore ? urlAt(offset + limit) : null,
    items: page.items,
  };
}
