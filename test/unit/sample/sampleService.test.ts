import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:http';
import { connect } from 'node:net';
import { test } from 'node:test';
import type { SampleRequest } from '../../../src/sample/sampleService.ts';
import { Sample, start } from './sampleClient.ts';

test('a request without the key or with another one is rejected', async () => {
  await using sample = await Sample.open();
  for (const path of ['/v2/pre-recorded', '/v2/live', '/v2/transcription']) {
    const missing = await fetch(sample.service.baseUrl + path);
    assert.equal(missing.status, 401);
    const wrong = await sample.get(path, { headers: { 'x-service-key': `${sample.service.key}x` } });
    assert.equal(wrong.status, 401);
    assert.equal(wrong.body.items, undefined);
    assert.equal((await sample.get(path)).status, 200);
  }
  const refusedPost = await fetch(`${sample.service.baseUrl}/v2/pre-recorded`, { method: 'POST', body: '{}' });
  assert.equal(refusedPost.status, 401);
});

test('the key is random by default', async () => {
  await using one = await Sample.open();
  await using other = await Sample.open();
  await using named = await Sample.open({ key: 'secret' });
  assert.notEqual(one.service.key, other.service.key);
  assert.equal(named.service.key, 'secret');
});

test('errors are flat JSON', async () => {
  await using sample = await Sample.open();
  const { status, headers, body } = await sample.get('/v2/live?limit=0');
  assert.equal(status, 400);
  assert.equal(headers.get('content-type'), 'application/json; charset=utf-8');
  assert.match(body.request_id, /^G-\d{8}$/);
  assert.deepEqual(body, {
    statusCode: 400,
    message: 'Invalid parameters',
    request_id: body.request_id,
    timestamp: '2026-05-20T12:00:00.000Z',
    path: '/v2/live?limit=0',
    validation_errors: ['limit must be a whole number, 1 or more'],
  });
  const unknown = await sample.get('/v2/nothing');
  assert.deepEqual(Object.keys(unknown.body), ['statusCode', 'message', 'request_id', 'timestamp', 'path']);
});

test('an unknown path and a wrong method get the status 404', async () => {
  await using sample = await Sample.open();
  const cases = [
    ['GET', '/'],
    ['GET', '/v2'],
    ['GET', '/v2/live/'],
    ['GET', '/v2/live/00000000-0000-0000-0000-000000000000'],
    ['PUT', '/v2/pre-recorded'],
    ['DELETE', '/v2/transcription'],
    ['POST', '/v2/live'],
  ] as const;
  for (const [method, path] of cases) {
    const { status, body } = await sample.get(path, { method });
    assert.equal(status, 404);
    assert.equal(body.message, `Cannot ${method} ${path}`);
  }
});

test("the Date header shows the service's clock", async () => {
  await using sample = await Sample.open();
  sample.now = start + 90_000;
  assert.equal((await sample.get('/v2/live')).headers.get('date'), 'Wed, 20 May 2026 12:01:30 GMT');
  assert.equal((await sample.get('/v2/live?offset=x')).headers.get('date'), 'Wed, 20 May 2026 12:01:30 GMT');
});

test('malformed addresses get a response, and the service keeps running', async () => {
  await using sample = await Sample.open();
  const port = Number(new URL(sample.service.baseUrl).port);
  const statusOf = async (path: string): Promise<number | undefined> => {
    const sent = request({ port, host: '127.0.0.1', path, headers: { 'x-service-key': sample.service.key } }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  assert.equal(await statusOf('*'), 400);
  assert.equal(await statusOf('http://127.0.0.1/v2/live'), 400);
  assert.equal(await statusOf('//'), 404);
  assert.equal(await statusOf('//v2/live'), 404);
  assert.equal(await statusOf('/v2/live?x=%zz'), 400);
  assert.equal(await statusOf('/v2/live?x=%ff'), 400);
  assert.equal(await statusOf('/v2/live?x=%'), 400);
  assert.equal(await statusOf('/v2/live?&&='), 200);
  assert.equal(await statusOf('/v2/live??'), 200);

  const socket = connect(port, '127.0.0.1');
  socket.end('this is not HTTP\r\n\r\n');
  const [reply] = (await once(socket, 'data')) as [Buffer];
  assert.match(reply.toString(), /^HTTP\/1\.1 400 /);
  assert.equal(await statusOf('/v2/live'), 200);
});

test('every request is reported, including rejected ones, without omissions', async () => {
  const requests: SampleRequest[] = [];
  await using sample = await Sample.open({ key: 'k', onRequest: (each) => void requests.push(each) });
  await sample.get('/v2/live?limit=1', { headers: { 'x-other': 'yes' } });
  await sample.post({});
  await sample.get('/nowhere');
  assert.deepEqual(
    requests.map(({ method, path }) => `${method} ${path}`),
    ['GET /v2/live?limit=1', 'POST /v2/pre-recorded', 'GET /nowhere'],
  );
  assert.equal(requests[0]?.headers['x-service-key'], 'k');
  assert.equal(requests[0]?.headers['x-other'], 'yes');
});

test('one connection serves many requests, and stopping closes it', async () => {
  const sample = await Sample.open();
  const port = Number(new URL(sample.service.baseUrl).port);
  const socket = connect(port, '127.0.0.1');
  const ask = `GET /v2/live?limit=1 HTTP/1.1\r\nhost: x\r\nx-service-key: ${sample.service.key}\r\n\r\n`;
  for (let turn = 0; turn < 3; turn++) {
    socket.write(ask);
    const [reply] = (await once(socket, 'data')) as [Buffer];
    assert.match(reply.toString(), /^HTTP\/1\.1 200 /);
  }
  const closed = once(socket, 'close');
  socket.on('error', () => {
    // The service may reset the connection.
  });
  await sample.service.stop();
  await closed;
  await sample.service.stop();
  await assert.rejects(fetch(`${sample.service.baseUrl}/v2/live`));
});

test('stopping does not wait for a client that is still sending', async () => {
  const arrivals = new EventEmitter();
  const sample = await Sample.open({ onRequest: (each) => void arrivals.emit('request', each) });
  const sent = request(`${sample.service.baseUrl}/v2/pre-recorded`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 10, 'x-service-key': sample.service.key },
  });
  const failed = once(sent, 'error');
  const arrived = once(arrivals, 'request');
  sent.write('{');
  await arrived;
  await sample.service.stop();
  await failed;
});

test('an invalid count is rejected', async () => {
  await assert.rejects(Sample.open({ count: -1 }), RangeError);
  await assert.rejects(Sample.open({ count: 1.5 }), RangeError);
  await using empty = await Sample.open({ count: 0 });
  assert.deepEqual(await empty.all(), []);
  await using single = await Sample.open({ count: 1 });
  assert.equal((await single.all()).length, 1);
});
