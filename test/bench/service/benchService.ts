// A minimal service in its own process, so that its cost is not measured with the reader's.
// `node benchService.ts '{"jobs":10000,"latencyMs":50}'` prints its base URL and serves until its input ends.
import { createServer, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { benchId, benchItem, createdMs } from './benchItem.ts';
import type { BenchServiceOptions } from './benchServiceOptions.ts';

const options = JSON.parse(process.argv[2] ?? '{}') as BenchServiceOptions;
const { jobs, latencyMs = 0, changes = 0, fleeting = false } = options;
const texts = new Map<number, string>();
/** Numbers of the jobs with the requested status, newest first. Arrivals have negative numbers. */
let listed: Int32Array = Int32Array.from({ length: jobs }, (_, index) => index);
const left = new Set<number>();
let arrivals = 0;
let changed = 0;
let answers = 0;

function textOf(serial: number): string {
  if (fleeting) return benchItem(serial);
  const known = texts.get(serial) ?? benchItem(serial);
  texts.set(serial, known);
  return known;
}

/** Distributes the changes evenly: all have happened once every page has been requested. */
function change(limit: number): void {
  const due = Math.min(changes, Math.ceil((answers * changes * limit) / jobs));
  for (; changed < due; changed++) {
    if (changed % 2 === 0) {
      listed = Int32Array.of(-++arrivals, ...listed);
      continue;
    }
    // Any position in the list, but deterministic so that all runs are alike.
    const place = (Math.imul(changed, 0x9e3779b1) >>> 0) % listed.length;
    left.add(listed[place] ?? 0);
    listed = listed.filter((_, index) => index !== place);
  }
}

function page(path: string, query: URLSearchParams): string {
  const limit = Number(query.get('limit') ?? 20);
  const offset = Number(query.get('offset') ?? 0);
  const before = query.get('before_date');
  answers++;
  change(limit);
  const first = before === null ? 0 : listed.findIndex((serial) => createdMs(serial) < Date.parse(before));
  const matching = listed.subarray(first);
  const end = Math.min(offset + limit, matching.length);
  const items = Array.from(matching.subarray(offset, end), textOf);
  const link = (at: number): string => `"${origin}${path}?status=done&offset=${at}&limit=${limit}"`;
  const next = end < matching.length ? link(end) : 'null';
  return `{"first":${link(0)},"current":${link(offset)},"next":${next},"items":[${items.join(',')}]}`;
}

/** Returns ids of the jobs that were in the list throughout. */
function truth(): string {
  const allAlong = Array.from({ length: jobs }, (_, serial) => serial).filter((serial) => !left.has(serial));
  return JSON.stringify(allAlong.map(benchId));
}

async function answer({ pathname, searchParams }: URL, response: ServerResponse): Promise<void> {
  if (latencyMs > 0) await delay(latencyMs);
  const body = Buffer.from(pathname === '/truth' ? truth() : page(pathname, searchParams));
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    // By the service's clock the newest job is 30 seconds old.
    date: new Date(createdMs(-arrivals) + 30_000).toUTCString(),
  });
  response.end(body);
}

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  void answer(new URL(request.url ?? '/', origin), response);
});
let origin = '';
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  console.log(origin);
});
// The input also ends if the parent process crashes.
process.stdin.resume().on('end', () => process.exit());
