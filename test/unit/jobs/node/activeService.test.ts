import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../src/base/failure.ts';
import { JobsApi } from '../../../../src/jobs/node/api/jobsApi.ts';
import { HttpClient } from '../../../../src/platform/http/httpClient.ts';
import { ActiveService } from '../../../../src/jobs/node/activeService.ts';
import type { ConnectionState } from '../../../../src/connections/common/connectionState.ts';
import { SampleConnection } from '../../../../src/connections/node/sampleConnection.ts';
import type { Connection } from '../../../../src/connections/common/connection.ts';
import { SkippingClock } from '../../../support/faults/faultRun.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { connectionDefaults } from '../../../support/builders/workConnection.ts';
import { ConnectedApi } from '../../../../src/jobs/node/connectedApi.ts';

const never = (): Promise<never> => Promise.reject(new Error('nothing is sent here'));

/** A service whose connection can be changed. */
function openService(
  loadHttp: ConstructorParameters<typeof ActiveService>[0]['loadHttp'] = never,
  reach: () => Promise<Connection> = never,
) {
  let state: ConnectionState = { type: 'none' };
  const service = new ActiveService({
    active: {
      get state() {
        return state;
      },
      get current() {
        return state.type === 'ready' ? state.connection : undefined;
      },
      keyOf: () => Promise.resolve('key'),
      reach,
    },
    sample: new SampleConnection(connectionDefaults, never, {}),
    http: { clock: new SkippingClock(), log: new KeptLog(), random: () => 0 },
    loadHttp,
  });
  return {
    service,
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

test('disposal ends the list and the submissions', () => {
  const { service, use } = openService();
  use(connectionTo('first'));
  const { api } = service.toSubmit();
  service.dispose();
  for (const each of [api, service.api, service.toSubmit().api])
    assert.ok(each instanceof ConnectedApi && each.isDisposed);
});
