import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clock } from '../../../../src/base/clock.ts';
import { Failure } from '../../../../src/base/failure.ts';
import { JobsApi } from '../../../../src/jobs/node/api/jobsApi.ts';
import { HttpClient } from '../../../../src/platform/http/httpClient.ts';
import { ActiveService } from '../../../../src/jobs/node/activeService.ts';
import type { ConnectionState } from '../../../../src/connections/common/connectionState.ts';
import { SampleConnection } from '../../../../src/connections/node/sampleConnection.ts';
import type { Connection } from '../../../../src/connections/common/connection.ts';
import { SkippingClock } from '../../../support/faults/faultRun.ts';
import { startFaultServer } from '../../../support/faults/faultServer.ts';
import { answer, goodPage } from '../../../support/faults/plays.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { connectionDefaults } from '../../../support/builders/workConnection.ts';
import { until } from '../../../support/until.ts';
import { ConnectedApi } from '../../../../src/jobs/node/connectedApi.ts';

const never = (): Promise<never> => Promise.reject(new Error('nothing is sent here'));

/** A service whose connection can be changed. */
function openService(
  loadHttp: ConstructorParameters<typeof ActiveService>[0]['loadHttp'] = never,
  clock: Clock = new SkippingClock(),
) {
  let state: ConnectionState = { type: 'none' };
  const log = new KeptLog();
  const service = new ActiveService({
    active: {
      get state() {
        return state;
      },
      get current() {
        return state.type === 'ready' ? state.connection : undefined;
      },
      keyOf: () => Promise.resolve('key'),
      reach: () => (state.type === 'ready' ? Promise.resolve(state.connection) : never()),
    },
    sample: new SampleConnection(connectionDefaults, never, {}),
    http: { clock, log, random: () => 0 },
    loadHttp,
  });
  return {
    service,
    log,
    use: (connection: Connection) => {
      state = { type: 'ready', connection, keyFrom: 'environment' };
      service.connect();
    },
  };
}

const connectionTo = (name: string): Connection => ({
  ...connectionDefaults,
  name,
  baseUrl: `https://${name}.example`,
});

test('submissions over a connection share an API until many other connections were used', () => {
  const { service, use } = openService();
  const first = connectionTo('first');
  use(first);
  const { api } = service.toSubmit();
  assert.equal(service.toSubmit().api, api);
  for (let other = 0; other < 9; other++) {
    use(connectionTo(`other-${other}`));
    service.toSubmit();
  }
  use(first);
  assert.equal(service.toSubmit().api, api);
  for (let other = 0; other < 10; other++) {
    use(connectionTo(`another-${other}`));
    service.toSubmit();
  }
  use(first);
  assert.notEqual(service.toSubmit().api, api);
  // A submission in progress is not aborted.
  assert.ok(api instanceof ConnectedApi && !api.isDisposed);
});

test('the keys of all connections used in the window are masked, because loaded jobs may belong to any of them', async () => {
  const { service } = openService(async () => ({ HttpClient, JobsApi }));
  assert.equal(service.keyMask.apply('key one, key two'), 'key one, key two');
  for (const key of ['key one', 'key two']) {
    const unreachable = { ...connectionTo(key), baseUrl: 'http://127.0.0.1:1' };
    const api = service.open(
      async () => unreachable,
      async () => key,
    );
    await assert.rejects(api.lists.readPage('live', {}), Failure);
    api.dispose();
  }
  assert.equal(service.keyMask.apply('key one, key two, key three'), '•••, •••, key three');
});

test('a key that was sent before is masked in errors and log lines of later requests, also to another service', async (t) => {
  const { service, log } = openService(async () => ({ HttpClient, JobsApi }));
  const server = await startFaultServer(answer(400, '{"message": "was it key one or key two?"}'));
  t.after(() => server.stop());
  let failure: unknown;
  for (const key of ['key one', 'key two']) {
    const connection = { ...connectionTo(key), baseUrl: server.origin };
    const api = service.open(
      async () => connection,
      async () => key,
    );
    failure = await api.lists.readPage('live', {}).catch((error: unknown) => error);
    api.dispose();
  }
  assert.ok(failure instanceof Failure);
  assert.equal(failure.facts.serviceMessage, 'was it ••• or •••?');
  assert.ok(log.lines.length > 0);
  assert.doesNotMatch(log.lines.at(-1) ?? '', /key/);
});

test('a change of the connection ends the requests to the former one, and forgets that it fails', async (t) => {
  const former = await startFaultServer(answer(503));
  const next = await startFaultServer(goodPage);
  t.after(() => Promise.all([former.stop(), next.stop()]));
  const clock = new FakeClock();
  const { service, log, use } = openService(async () => ({ HttpClient, JobsApi }), clock);
  t.after(() => service.dispose());
  use({ ...connectionTo('service'), baseUrl: former.origin });
  const lists = service.connected();
  const ended = assert.rejects(lists.readPage('live', {}), { code: 'cancelled' });
  await until('the wait before a retry', () => log.lines.some((line) => line.includes('503')), 1);
  assert.ok(clock.pending > 0);
  use({ ...connectionTo('service'), baseUrl: next.origin });
  await ended;
  assert.equal(clock.pending, 0);
  assert.equal((await service.connected().readPage('live', {})).entries.length, 1);
  assert.deepEqual([former.seen.length, next.seen.length], [1, 1]);
});

test('disposal ends the list and the submissions', () => {
  const { service, use } = openService();
  use(connectionTo('first'));
  const { api } = service.toSubmit();
  service.dispose();
  for (const each of [api, service.api, service.toSubmit().api])
    assert.ok(each instanceof ConnectedApi && each.isDisposed);
});
