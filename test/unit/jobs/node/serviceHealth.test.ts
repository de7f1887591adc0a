import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Connection } from '../../../../src/connections/common/connection.ts';
import type { ConnectionState } from '../../../../src/connections/common/connectionState.ts';
import { SampleConnection } from '../../../../src/connections/node/sampleConnection.ts';
import { ActiveService } from '../../../../src/jobs/node/activeService.ts';
import { JobsApi } from '../../../../src/jobs/node/api/jobsApi.ts';
import { HttpClient } from '../../../../src/platform/http/httpClient.ts';
import { connectionDefaults } from '../../../support/builders/workConnection.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { startFaultServer, type Play, type SeenRequest } from '../../../support/faults/faultServer.ts';
import { answer, goodPage, reset } from '../../../support/faults/plays.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { until } from '../../../support/until.ts';

const never = (): Promise<never> => Promise.reject(new Error('not used here'));

/** A real service on loopback whose answers the test changes, and the service in use, by a clock that the test advances. */
async function openService(t: TestContext) {
  let play = goodPage;
  const server = await startFaultServer((stage) => play(stage));
  t.after(() => server.stop());
  const connection: Connection = { ...connectionDefaults, name: 'Work', baseUrl: server.origin };
  const state: ConnectionState = { type: 'ready', connection, keyFrom: 'environment' };
  const clock = new FakeClock();
  const service = new ActiveService({
    active: { state, current: connection, keyOf: () => Promise.resolve('key'), reach: async () => connection },
    sample: new SampleConnection(connectionDefaults, never, {}),
    http: { clock, log: new KeptLog(), random: () => 0 },
    loadHttp: async () => ({ HttpClient, JobsApi }),
  });
  t.after(() => service.dispose());
  service.connect();
  return {
    clock,
    service,
    health: service.health,
    seen: (): readonly SeenRequest[] => server.seen,
    play: (next: Play) => (play = next),
    /** Reads a page like any part of the product; its failure is not important here. */
    read: async (endpoint: 'live' | 'pre-recorded' = 'live') => {
      await service
        .connected()
        .readPage(endpoint, {})
        .catch(() => undefined);
    },
  };
}

/** A play that answers when it is told to. */
function held(then: Play): { readonly play: Play; readonly release: () => void } {
  const waiting: (() => void)[] = [];
  return {
    play: (stage) => void waiting.push(() => then(stage)),
    release: () => {
      for (const respond of waiting.splice(0)) respond();
    },
  };
}

test('a rejected key shows at once, whichever request was answered so, until a request is answered well', async (t) => {
  const { service, health, play, read } = await openService(t);
  let changes = 0;
  health.onDidChange(() => changes++);
  const requests: readonly (() => Promise<unknown>)[] = [
    read,
    () => service.findJob('live', 'a', new AbortController().signal).catch(() => undefined),
    () => service.toSubmit().api.submit('{}'),
  ];
  for (const request of requests) {
    play(answer(401, '{"message":"unknown key"}'));
    changes = 0;
    await request();
    assert.equal(health.trouble?.failure.code, 'keyRejected');
    assert.ok(changes > 0);
    play(goodPage);
    await read();
    assert.equal(health.trouble, undefined);
  }
});

test('consecutive failures of one code have one beginning; another code and another service begin anew', async (t) => {
  const { clock, service, health, play, read } = await openService(t);
  play(answer(401));
  const sinceMs = clock.now();
  await read();
  await clock.advance(60_000);
  await read();
  assert.deepEqual([health.trouble?.sinceMs, health.trouble?.atMs], [sinceMs, sinceMs + 60_000]);
  play(answer(407));
  await read();
  assert.deepEqual([health.trouble?.failure.code, health.trouble?.sinceMs], ['proxy', sinceMs + 60_000]);
  service.connect();
  assert.equal(health.trouble, undefined);
});

test('a request that fails alone is not a failure of the service', async (t) => {
  const { health, play, read } = await openService(t);
  const { play: wait, release } = held(answer(403));
  play((stage) => (stage.request.url?.includes('/live') === true ? wait : goodPage)(stage));
  const failing = read('live');
  await read('pre-recorded');
  release();
  await failing;
  assert.equal(health.trouble, undefined);
  play(answer(404));
  await read();
  assert.equal(health.trouble, undefined, 'the service answers, with another path');
});

test('a rate limit shows while a request waits for its end, and after a request that does not wait', async (t) => {
  const { clock, health, play, read, seen } = await openService(t);
  const { play: wait, release } = held(goodPage);
  play(wait);
  const earlier = read('pre-recorded');
  await until('it is sent', () => seen().length === 1);
  play(answer(429, '', { 'retry-after': '7' }));
  const waiting = read();
  const retryAtMs = () => health.trouble?.failure.facts.retryAtMs;
  await until('it is limited', () => retryAtMs() === clock.now() + 7000);
  release();
  await earlier;
  assert.notEqual(retryAtMs(), undefined, 'an answer to an earlier request does not end it');
  play(goodPage);
  await clock.advance(7000);
  await waiting;
  assert.equal(health.trouble, undefined);

  play(answer(429, '', { 'retry-after': '300' }));
  await read();
  assert.equal(retryAtMs(), clock.now() + 300_000);
});

test('a service is slow while an answer takes over five seconds, and until one arrives in time', async (t) => {
  const { clock, health, play, read, seen } = await openService(t);
  const { play: wait, release } = held(goodPage);
  let sinceMs: number | undefined;
  for (const sent of [1, 2]) {
    play(wait);
    const reading = read();
    await until('it is sent', () => seen().length === sent);
    await clock.advance(4999);
    assert.equal(health.slowSinceMs !== undefined, sent > 1, 'it stays slow between two slow answers');
    await clock.advance(1);
    sinceMs ??= clock.now();
    assert.equal(health.slowSinceMs, sinceMs);
    release();
    await reading;
    assert.equal(health.slowSinceMs, sinceMs);
    await clock.advance(10_000);
    assert.equal(health.slowSinceMs, sinceMs);
  }
  play(goodPage);
  await read();
  assert.equal(health.slowSinceMs, undefined);
  assert.equal(clock.pending, 0);
});

test('a service that cannot be reached is in trouble since then; a canceled request says nothing', async (t) => {
  const { clock, service, health, play, read, seen } = await openService(t);
  play(reset());
  let isRead = false;
  void read().then(() => (isRead = true));
  await until('it is sent', () => seen().length === 1);
  const code = () => health.trouble?.failure.code;
  assert.equal(code(), undefined, 'it is tried again first');
  await until('it has failed', async () => {
    await clock.advance(100);
    return isRead;
  });
  assert.equal(code(), 'offline');
  const { trouble } = health;
  const abort = new AbortController();
  abort.abort();
  await assert.rejects(service.connected().readPage('live', {}, abort.signal));
  assert.equal(health.trouble, trouble);
});
