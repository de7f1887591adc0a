import type { FaultRow } from './faultMatrix.ts';
import type { Play, Stage } from './faultServer.ts';
import { answer, cutOff, goodPage, inTurn, redirect } from './plays.ts';
import type { Fault } from './scene.ts';

const play = (it: Play): Fault => ({ type: 'play', play: it });
const says = (status: number, body: unknown, headers: Record<string, string> = {}): Fault =>
  play(answer(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers }));
const elsewhere = ({ request, origin }: Stage): string => `${origin}/moved${request.url}`;
const there = ({ otherOrigin, request }: Stage): string => `${otherOrigin}${request.url}`;
const flat = {
  statusCode: 400,
  message: 'limit is too small',
  request_id: 'G-1',
  validation_errors: ['limit: at least 1'],
};
const inSeconds = (seconds: number): Record<string, string> => ({ 'retry-after': String(seconds) });
const atDate = (seconds: number): Play => {
  // Relative to the service's own clock, which may be wrong by hours.
  const now = Date.parse('2020-01-01T00:00:00Z');
  const date = (ms: number): string => new Date(ms).toUTCString();
  return answer(429, '{}', { date: date(now), 'retry-after': date(now + seconds * 1000) });
};
const badGateway = '<html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>';
/** Returns the key in the body and in a header. */
const echo: Play = (stage) => {
  const key = String(stage.request.headers['x-service-key']);
  answer(401, JSON.stringify({ message: `no such key: ${key}`, errors: [key] }), { 'x-request-id': key })(stage);
};

/** Responses with statuses other than 200. */
export const statusFaults: readonly FaultRow[] = [
  ...[301, 302, 303, 307, 308].flatMap((status): FaultRow[] => [
    {
      name: `${status} to the same origin`,
      fault: play(inTurn(redirect(status, elsewhere), goodPage)),
      get: ['page', 2],
      post: ['unknown', 1],
    },
    {
      name: `${status} to another origin`,
      fault: play(redirect(status, there)),
      get: ['redirected', 1],
      post: ['unknown', 1],
    },
  ]),
  {
    name: '302 to itself',
    fault: play(redirect(302, ({ request }) => request.url ?? '')),
    get: ['redirected', 1],
    post: ['unknown', 1],
  },
  {
    name: '302 in a circle',
    fault: play(redirect(302, ({ nth }) => `/${nth % 2}`)),
    get: ['redirected', 3],
    post: ['unknown', 1],
  },
  {
    name: '302 without end',
    fault: play(redirect(302, ({ nth }) => `/${nth}`)),
    get: ['redirected', 4],
    post: ['unknown', 1],
  },
  { name: '302 to nowhere', fault: play(answer(302)), get: ['redirected', 1], post: ['unknown', 1] },
  { name: '304', fault: play(answer(304)), get: ['redirected', 1], post: ['unknown', 1] },
  { name: '400 flat', fault: says(400, flat), get: ['rejected', 1], post: ['rejected', 1] },
  { name: '400 nested', fault: says(400, { error: { message: 'no' } }), get: ['rejected', 1], post: ['rejected', 1] },
  { name: '400 text', fault: play(answer(400, 'no')), get: ['rejected', 1], post: ['rejected', 1] },
  { name: '401', fault: says(401, { message: 'no key provided' }), get: ['keyRejected', 1], post: ['rejected', 1] },
  { name: '401 that repeats the key', fault: play(echo), get: ['keyRejected', 1], post: ['rejected', 1] },
  { name: '403', fault: says(403, {}), get: ['keyRejected', 1], post: ['rejected', 1] },
  { name: '404', fault: says(404, {}), get: ['notFound', 1], post: ['rejected', 1] },
  { name: '408', fault: says(408, {}), get: ['rejected', 3], post: ['unknown', 1] },
  { name: '409', fault: says(409, {}), get: ['rejected', 1], post: ['unknown', 1] },
  { name: '413', fault: play(answer(413, 'Payload Too Large')), get: ['rejected', 1], post: ['rejected', 1] },
  {
    name: '422',
    fault: says(422, { detail: [{ loc: ['a'], msg: 'b' }] }),
    get: ['rejected', 1],
    post: ['rejected', 1],
  },
  { name: '429', fault: says(429, {}), get: ['rateLimited', 3], post: ['rejected', 1] },
  { name: '429 for 2 s', fault: says(429, {}, inSeconds(2)), get: ['rateLimited', 3], post: ['rejected', 1] },
  { name: '429 for an hour', fault: says(429, {}, inSeconds(3600)), get: ['rateLimited', 1], post: ['rejected', 1] },
  { name: '429 until a date', fault: play(atDate(2)), get: ['rateLimited', 3], post: ['rejected', 1] },
  { name: '429 until a far date', fault: play(atDate(3600)), get: ['rateLimited', 1], post: ['rejected', 1] },
  { name: '429 for ages', fault: says(429, {}, inSeconds(1e15)), get: ['rateLimited', 1], post: ['rejected', 1] },
  {
    name: '429 for nonsense',
    fault: says(429, {}, { 'retry-after': 'soon' }),
    get: ['rateLimited', 3],
    post: ['rejected', 1],
  },
  { name: '500', fault: says(500, {}), get: ['serverFailed', 3], post: ['unknown', 1] },
  { name: '501', fault: says(501, {}), get: ['serverFailed', 1], post: ['unknown', 1] },
  { name: '502 HTML', fault: play(answer(502, badGateway)), get: ['serverFailed', 3], post: ['unknown', 1] },
  { name: '503', fault: says(503, {}), get: ['serverFailed', 3], post: ['unknown', 1] },
  { name: '503 once', fault: play(inTurn(answer(503), goodPage)), get: ['page', 2], post: ['unknown', 1] },
  { name: '503 cut off', fault: play(cutOff(503)), get: ['offline', 3], post: ['unknown', 1] },
  { name: '400 cut off', fault: play(cutOff(400)), get: ['offline', 3], post: ['rejected', 1] },
  { name: '799', fault: says(799, {}), get: ['serverFailed', 1], post: ['unknown', 1] },
  { name: '504', fault: says(504, {}), get: ['serverFailed', 3], post: ['unknown', 1] },
];
