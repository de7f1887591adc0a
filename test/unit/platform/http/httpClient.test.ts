import type { Connection } from '../../../../src/connections/common/connection.ts';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { suite, test, type TestContext } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { Failure, isFailure } from '../../../../src/base/failure.ts';
import { minuteMs } from '../../../../src/base/time.ts';
import { HttpClient } from '../../../../src/platform/http/httpClient.ts';
import { faultRun, sentinelKey, type FaultRun } from '../../../support/faults/faultRun.ts';
import {
  startFaultServer,
  type FaultServer,
  type Play,
  type SeenRequest,
} from '../../../support/faults/faultServer.ts';
import { answer, goodPage, inTurn, pageText, redirect, silence, stalledBody } from '../../../support/faults/plays.ts';
import { until } from '../../../support/until.ts';
import { connectionDefaults } from '../../../support/builders/workConnection.ts';
import { exposeGarbageCollection } from '../../../support/hostile/exposeGarbageCollection.ts';

const started = async (t: TestContext, play: Play): Promise<FaultServer & FaultRun> => {
  const server = await startFaultServer(play);
  t.after(() => server.stop());
  const run = faultRun(server.origin);
  t.after(() => run.client.dispose());
  return { ...server, ...run };
};
const text = ({ text }: { readonly text: string }): string => text;
const code = (error: unknown): unknown => (isFailure(error) ? error.code : error);

suite('GET', () => {
  test('requests compressed JSON with only the necessary headers', async (t) => {
    const { client, seen, origin } = await started(t, goodPage);
    assert.equal(await client.get('/v2/live', 'limit=1', text), pageText);
    const { host, ...headers } = headersOf(seen[0]);
    assert.equal(`http://${host}`, origin);
    assert.deepEqual(headers, {
      'x-service-key': sentinelKey,
      accept: 'application/json',
      'accept-encoding': 'gzip, deflate, br',
      'user-agent': 'transcription-jobs',
      connection: 'keep-alive',
    });
    assert.equal(seen[0]?.path, '/v2/live?limit=1');
  });

  for (const [encoding, compress] of Object.entries({ gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync })) {
    test(`reads ${encoding}`, async (t) => {
      const { client } = await started(t, answer(200, compress(pageText), { 'content-encoding': encoding }));
      assert.equal(await client.get('/', '', text), pageText);
    });
  }

  test('reads a body of up to 32 MiB', async (t) => {
    const limit = 32 * 1024 * 1024;
    const { client } = await started(t, ({ request, response }) =>
      response.end(Buffer.alloc(Number(request.url?.slice(2)))),
    );
    assert.equal((await client.get('/', `${limit}`, text)).length, limit);
    await assert.rejects(client.get('/', `${limit + 1}`, text), (error) => isFailure(error, 'tooLarge'));
  });

  test('keeps the connection alive', async (t) => {
    const sockets = new Set<Socket>();
    const { client } = await started(t, (stage) => {
      sockets.add(stage.request.socket);
      goodPage(stage);
    });
    for (let count = 0; count < 3; count++) await client.get('/', '', text);
    assert.equal(sockets.size, 1);
  });

  test('sends no cookies', async (t) => {
    const { client, seen } = await started(t, answer(200, '{}', { 'set-cookie': 'a=b' }));
    await client.get('/', '', text);
    await client.get('/', '', text);
    assert.ok(!seen.some(({ rawHeaders }) => rawHeaders.some((each) => each.toLowerCase() === 'cookie')));
  });

  test('waits as requested by the service before a retry', async (t) => {
    const play = inTurn(answer(429, '', { 'retry-after': '7' }), answer(503), goodPage);
    const { client, clock, lines } = await started(t, play);
    assert.equal(await client.get('/', '', text), pageText);
    assert.ok(Math.abs((clock.delaysMs[0] ?? 0) - 7000) < 500, String(clock.delaysMs));
    assert.deepEqual(clock.delaysMs.slice(1), [750]);
    assert.deepEqual(
      lines.map((line) => line.replace(/\d+ ms/, 'N ms')),
      ['GET / → 429 rateLimited, N ms', 'GET / → 503 serverFailed, N ms', 'GET / → 200, N ms'],
    );
  });

  test('reports when to retry if the wait is too long', async (t) => {
    const { client, clock } = await started(t, answer(429, '', { 'retry-after': '3600' }));
    const error = await client.get('/', '', text).catch((reason: unknown) => reason);
    assert.ok(isFailure(error, 'rateLimited'));
    assert.ok(Math.abs((error.facts.retryAtMs ?? 0) - clock.now() - 3_600_000) < 2000);
  });

  test('reports the message of the service and the request ID', async (t) => {
    const complaint = { message: `no: ${sentinelKey}`, validation_errors: ['limit: at least 1'], request_id: 'G-7' };
    const { client, lines } = await started(t, answer(400, JSON.stringify(complaint), { 'x-request-id': 'other' }));
    const error = await client.get('/v2/live', 'limit=0', text).catch((reason: unknown) => reason);
    assert.ok(isFailure(error, 'rejected'));
    assert.deepEqual(error.facts, {
      status: 400,
      serviceMessage: 'no: •••',
      fieldErrors: ['limit: at least 1'],
      requestId: 'G-7',
    });
    assert.match(lines.join('\n'), /^GET \/v2\/live\?limit=0 → 400 rejected \(G-7\), \d+ ms$/);
  });

  test('reads at most 64 KiB of an error response', async (t) => {
    const said = async (length: number): Promise<unknown> => {
      const { client } = await started(t, answer(400, `{"pad":"${'x'.repeat(length)}","message":"heard"}`));
      const error = await client.get('/', '', text).catch((reason: unknown) => reason);
      return isFailure(error, 'rejected') ? error.facts.serviceMessage : error;
    };
    const around = '{"pad":"","message":"heard"}'.length;
    assert.equal(await said(64 * 1024 - around), 'heard');
    assert.equal(await said(64 * 1024), undefined);
    assert.equal(await said(20 * 1024 * 1024), undefined);
  });

  test('reveals no part of the key, however it is escaped and wherever a text is truncated', async (t) => {
    const written = sentinelKey.replace(/[^]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
    for (let before = 80; before < 130; before++) {
      const words = `"${'x'.repeat(before)} ${written} is unknown"`;
      const body = `{"message":${words},"errors":[${words},{"field":${words},"message":${words}}],"request_id":${words}}`;
      const { client } = await started(t, answer(401, body));
      const error = await client.get('/', '', text).catch((reason: unknown) => reason);
      assert.ok(isFailure(error, 'keyRejected'));
      assert.ok(!/sk-|•[^•]*sentinel/.test(JSON.stringify([error.message, error.facts])), error.message);
    }
  });

  test('reports the first words of a response that is not JSON', async (t) => {
    const { client, api, lines } = await started(
      t,
      answer(200, `<h1>Sign in</h1>${sentinelKey}`, { 'request-id': 'G-8' }),
    );
    const error = await api.listJobs('live', {}).catch((reason: unknown) => reason);
    assert.ok(isFailure(error, 'notJson'));
    assert.deepEqual(error.facts, { status: 200, serviceMessage: 'Sign in •••', requestId: 'G-8' });
    assert.equal(lines.at(-1), 'GET /v2/live → notJson 200: Sign in •••');
    client.dispose();
  });

  for (const status of [400, 503]) {
    test(`reads at most 64 KiB of the body of a ${status} at each attempt`, async (t) => {
      const written: number[] = [];
      const { client, seen } = await started(t, ({ response }) => {
        const nth = written.push(0) - 1;
        const chunk = Buffer.from(`${JSON.stringify(sentinelKey).slice(1, -1)} `.repeat(1000));
        response.writeHead(status, { 'content-type': 'application/json' }).write('{"message":"No, ');
        const send = (): void => {
          while (!response.destroyed) {
            written[nth] = (written[nth] ?? 0) + chunk.length;
            if (!response.write(chunk)) return void response.once('drain', send);
          }
        };
        send();
      });
      const error = await client.get('/', '', text).catch((reason: unknown) => reason);
      assert.ok(isFailure(error));
      assert.match(error.facts.serviceMessage ?? '', /^No, (?:••• ){20,}•*…$/);
      assert.equal(seen.length, status === 503 ? 3 : 1);
      // Includes what the socket buffers hold. Without a limit, the client would read until the timeout.
      for (const bytes of written) assert.ok(bytes < 16 * 1024 * 1024, String(bytes));
    });
  }

  test('limits a long request ID to a short line, in failures and in the log', async (t) => {
    const { client, lines } = await started(t, answer(400, '{}', { 'x-request-id': `G-${'7'.repeat(8000)}` }));
    const error = await client.get('/', '', text).catch((reason: unknown) => reason);
    assert.ok(isFailure(error) && (error.facts.requestId ?? '').length === 120);
    assert.ok((lines[0] ?? '').length < 200);
  });

  test('rejects a redirect to another host, and logs no part of a key in its name', async (t) => {
    const host = 'Sk-Live-1234567890.example';
    const server = await startFaultServer(redirect(302, () => `http://${host}/`));
    t.after(() => server.stop());
    const { client, lines } = faultRun(server.origin, 30_000, 'Sk-Live-1234567890');
    t.after(() => client.dispose());
    const error = await client.get('/', '', text).catch((reason: unknown) => reason);
    assert.ok(isFailure(error, 'redirected'));
    assert.doesNotMatch(JSON.stringify([error.message, error.facts, lines]), /sk-live/i);
  });

  test('adds no authorization from the URL of a redirect', async (t) => {
    const { client, seen } = await started(
      t,
      inTurn(
        redirect(307, ({ origin }) => `${origin.replace('//', '//user:password@')}/moved`),
        goodPage,
      ),
    );
    await client.get('/v2/live', '', text);
    assert.equal(seen[1]?.path, '/moved');
    assert.ok(!seen[1]?.rawHeaders.some((each) => /authorization|basic/i.test(each)));
  });

  test('sends the key with a redirect within its own origin', async (t) => {
    const { client, seen } = await started(
      t,
      inTurn(
        redirect(308, () => '/moved?limit=1'),
        goodPage,
      ),
    );
    await client.get('/v2/live', 'limit=1', text);
    assert.equal(seen[1]?.path, '/moved?limit=1');
    assert.ok(seen[1]?.rawHeaders.includes(sentinelKey));
  });

  test('passes on an exception of the reader', async (t) => {
    const { client } = await started(t, goodPage);
    const broken = new TypeError('a bug');
    await assert.rejects(
      client.get('/', '', () => {
        throw broken;
      }),
      broken,
    );
  });

  test('ends at once when its caller cancels', async (t) => {
    for (const play of [silence, stalledBody]) {
      const { client, seen } = await started(t, play);
      const caller = new AbortController();
      const call = client.get('/', '', text, caller.signal).catch(code);
      await until('the request', () => seen.length === 1);
      caller.abort();
      assert.equal(await call, 'cancelled');
    }
  });

  test('can be cancelled while it waits for a retry', async (t) => {
    const server = await startFaultServer(answer(503));
    t.after(() => server.stop());
    const caller = new AbortController();
    let disposed = 0;
    // A clock on which time stands still; waiting makes the caller cancel.
    const clock = {
      now: () => 0,
      after: () => {
        queueMicrotask(() => caller.abort());
        return { dispose: () => disposed++ };
      },
    };
    const client = new HttpClient(connectionTo(server.origin), async () => 'key', { ...httpDeps, clock });
    assert.equal(await client.get('/', '', text, caller.signal).catch(code), 'cancelled');
    assert.deepEqual([server.seen.length, disposed], [1, 1]);
  });

  test('asks a failing service again once for all lists of a path, and then once for each', async (t) => {
    let isFailing = true;
    const { client, seen, clock } = await started(t, (stage) => (isFailing ? answer(503) : goodPage)(stage));
    const readAll = async () => {
      const before = seen.length;
      const lists = ['queued', 'processing', 'done', 'error'].map((status) => client.get('/v2/live', status, text));
      const results = await Promise.allSettled(lists);
      return [results.filter(({ status }) => status === 'fulfilled').length, seen.length - before];
    };
    assert.deepEqual(await readAll(), [0, 6]);
    assert.deepEqual(await readAll(), [0, 4]);
    clock.delaysMs.push(5 * minuteMs);
    assert.deepEqual(await readAll(), [0, 6]);
    // Another path may be in order, and one answer ends the outage.
    assert.equal(await client.get('/v2/pre-recorded', '', text).catch(code), 'serverFailed');
    assert.equal(seen.length, 19);
    isFailing = false;
    assert.deepEqual(await readAll(), [4, 4]);
    isFailing = true;
    assert.deepEqual(await readAll(), [0, 6]);
  });

  test('is sent again with all others of its path once one of them is answered', async (t) => {
    const { client, seen } = await started(t, (stage) => (stage.nth <= 4 ? answer(503) : goodPage)(stage));
    const pages = ['1', '2', '3', '4'].map((query) => client.get('/v2/live', query, text));
    assert.deepEqual(await Promise.all(pages), [pageText, pageText, pageText, pageText]);
    assert.equal(seen.length, 8);
  });

  test('sends nothing with an invalid base URL', async () => {
    const client = new HttpClient(connectionTo('nowhere'), async () => 'key', httpDeps);
    assert.equal(await client.get('/', '', text).catch(code), 'noConnection');
    const outcome = await client.post('/', '{}');
    assert.deepEqual([outcome.type, 'failure' in outcome && outcome.failure.code], ['notSent', 'noConnection']);
  });

  test('sends nothing without a key, or with one that HTTP forbids', async (t) => {
    const server = await startFaultServer(goodPage);
    t.after(() => server.stop());
    const withKeys = (keys: () => Promise<string | undefined>): Promise<unknown> =>
      new HttpClient(connectionTo(server.origin), keys, httpDeps).get('/', '', text).catch(code);
    assert.equal(await withKeys(async () => undefined), 'noKey');
    assert.equal(await withKeys(async () => ''), 'noKey');
    assert.equal(await withKeys(async () => Promise.reject(new Error('keyring is locked'))), 'noKey');
    assert.equal(await withKeys(async () => 'line\nbreak'), 'keyRejected');
    assert.equal(server.seen.length, 0);
  });

  test('masks the key of each request, even if the user has changed it in between', async (t) => {
    const server = await startFaultServer((stage) => {
      const key = String(stage.request.headers['x-service-key']);
      answer(400, JSON.stringify({ message: `no such key: ${key}` }))(stage);
    });
    t.after(() => server.stop());
    const keys = ['k7Qz91mmWv4RtY', 'Xu38bbLpTe02Ja'];
    const left = [...keys];
    const client = new HttpClient(connectionTo(server.origin), async () => left.shift(), httpDeps);
    t.after(() => client.dispose());
    for (const key of keys) {
      const failure: unknown = await client.get('/', '', text).catch((error: unknown) => error);
      assert.ok(isFailure(failure, 'rejected'));
      assert.match(failure.facts.serviceMessage ?? '', /^no such key: /u);
      assert.ok(!JSON.stringify(failure.facts).includes(key));
    }
    assert.deepEqual(
      server.seen.map((seen) => headersOf(seen)['x-service-key']),
      keys,
    );
  });
});

suite('POST', () => {
  test('keeps the beginning of a long answer without the rest of it', async (t) => {
    const { client } = await started(t, answer(201, 'x'.repeat(200_000)));
    exposeGarbageCollection();
    const heldBytes = (): number => {
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    await client.post('/', '{}');
    const before = heldBytes();
    const answers: (string | undefined)[] = [];
    for (let post = 0; post < 50; post++) {
      const outcome = await client.post('/', '{}');
      answers.push('answer' in outcome ? outcome.answer?.text : undefined);
    }
    // Connections that are not closed yet still hold the whole.
    await until('the rest is released', () => (heldBytes() - before) / answers.length < 60_000);
    assert.deepEqual(
      answers.map((kept) => kept?.slice(-3)),
      answers.map(() => 'xx…'),
    );
  });

  test('sends the body unchanged, over its own connection', async (t) => {
    const sockets = new Set<Socket>();
    const bodies: string[] = [];
    const { client, seen } = await started(t, (stage) => {
      sockets.add(stage.request.socket);
      bodies.push(stage.body);
      answer(stage.request.method === 'POST' ? 201 : 200, '{"id":"x"}')(stage);
    });
    await client.get('/', '', text);
    const body = '{ "audio_url": "https://example.com/é.wav" }';
    const outcome = await client.post('/v2/pre-recorded', body);
    assert(outcome.type === 'accepted');
    assert.deepEqual([outcome.status, outcome.text], [201, '{"id":"x"}']);
    await client.get('/', '', text);
    await client.post('/v2/pre-recorded', body);
    assert.deepEqual(bodies, ['', body, '', body]);
    assert.equal(sockets.size, 3);
    const headers = headersOf(seen[1]);
    assert.equal(headers['content-type'], 'application/json');
    assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
    assert.equal(headers['expect'], undefined);
  });

  test('has an unknown outcome if cancelled after the service received it', async (t) => {
    const { client, seen } = await started(t, silence);
    const caller = new AbortController();
    const call = client.post('/', '{}', caller.signal);
    await until('the request', () => seen.length === 1);
    caller.abort();
    const outcome = await call;
    assert.deepEqual([outcome.type, 'failure' in outcome && outcome.failure.code], ['unknown', 'cancelled']);
  });

  test('is accepted if cancelled after the headers of a success', async (t) => {
    let underWay = false;
    const onHeaders = (): void => {
      underWay = true;
    };
    subscribe('http.client.response.finish', onHeaders);
    t.after(() => unsubscribe('http.client.response.finish', onHeaders));
    const { client } = await started(t, ({ response }) => response.writeHead(202).write('{'));
    const caller = new AbortController();
    const call = client.post('/', '{}', caller.signal);
    await until('the headers of the answer', () => underWay);
    caller.abort();
    const outcome = await call;
    assert(outcome.type === 'accepted');
    assert.deepEqual([outcome.status, outcome.text], [202, '']);
  });

  for (const [status, verdict, failureCode] of [
    [400, 'rejected', 'rejected'],
    [401, 'rejected', 'keyRejected'],
    [429, 'rejected', 'rateLimited'],
    [409, 'unknown', 'rejected'],
    [502, 'unknown', 'serverFailed'],
  ] as const) {
    test(`is ${verdict} after status ${status} with an incomplete body`, async (t) => {
      const { client, clock } = await started(t, ({ request, response }) => {
        const headers = { 'content-length': '500', 'x-request-id': `G ${sentinelKey}`, 'retry-after': '60' };
        // As bytes: for a string, Node would write the headers with the string's encoding.
        response.writeHead(status, headers).write(Buffer.from('{"message":"audio_url is'));
        setTimeout(() => request.socket.resetAndDestroy(), 30);
      });
      const outcome = await client.post('/', '{}');
      assert.ok(outcome.type === verdict);
      const { retryAtMs = 0, ...facts } = outcome.failure.facts;
      assert.deepEqual([outcome.failure.code, facts], [failureCode, { status, requestId: 'G •••' }]);
      assert.ok(Math.abs(retryAtMs - clock.now() - 60_000) < 5000);
    });
  }

  test('is not sent if cancelled before, or after disposal', async (t) => {
    const { client, seen } = await started(t, goodPage);
    const cancelled = { type: 'notSent', failure: new Failure('cancelled') };
    assert.deepEqual(await client.post('/', '{}', AbortSignal.abort()), cancelled);
    client.dispose();
    assert.deepEqual(await client.post('/', '{}'), cancelled);
    assert.equal(seen.length, 0);
  });

  for (const [name, end] of [
    ['cancelled', (caller: AbortController) => caller.abort()],
    ['timed out', () => {}],
    ['disposed', (_caller: AbortController, client: HttpClient) => client.dispose()],
  ] as const) {
    test(`is not sent if ${name} during the TLS handshake`, async (t) => {
      const { sockets, origin } = await mute(t);
      const { client } = faultRun(origin, name === 'timed out' ? 100 : 30_000);
      const caller = new AbortController();
      const call = client.post('/', '{}', caller.signal);
      await until('the connection', () => sockets.length === 1);
      end(caller, client);
      const outcome = await call;
      assert.deepEqual(
        [outcome.type, 'failure' in outcome && outcome.failure.code],
        ['notSent', name === 'timed out' ? 'timeout' : 'cancelled'],
      );
    });
  }
});

test('a connection timeout is retried for a GET, but not for a POST', async (t) => {
  const { sockets, origin } = await mute(t);
  const { client } = faultRun(origin);
  t.after(() => client.dispose());
  // Speeds up the connection timeouts but not the clock of the call, so that the client still has time left.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const ends = async (call: Promise<unknown>): Promise<unknown> => {
    const outcomes: unknown[] = [];
    void call.then((value) => outcomes.push(value));
    while (outcomes.length === 0) {
      t.mock.timers.tick(100);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return outcomes[0];
  };
  const outcome = await ends(client.post('/', '{}'));
  assert.ok(typeof outcome === 'object' && outcome !== null && 'type' in outcome);
  assert.deepEqual([outcome.type, sockets.length], ['notSent', 1]);
  assert.deepEqual([await ends(client.get('/', '', text).catch(code)), sockets.length], ['timeout', 4]);
});

/** A listener that accepts connections and never sends anything, so that a TLS handshake hangs. */
async function mute(t: TestContext): Promise<{ readonly origin: string; readonly sockets: readonly Socket[] }> {
  const server = createTcpServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sockets: Socket[] = [];
  server.on('connection', (socket) => sockets.push(socket));
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(typeof address === 'object' && address !== null);
  return { origin: `https://127.0.0.1:${address.port}`, sockets };
}

const httpDeps = {
  clock: { now: () => 0, after: () => ({ dispose: () => {} }) },
  log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
  random: () => 0,
};

function connectionTo(baseUrl: string): Connection {
  return { ...connectionDefaults, name: 'A', baseUrl };
}

function headersOf(request: SeenRequest | undefined): Readonly<Record<string, string>> {
  const raw = request?.rawHeaders ?? [];
  return Object.fromEntries(raw.flatMap((name, at) => (at % 2 === 0 ? [[name.toLowerCase(), raw[at + 1] ?? '']] : [])));
}
