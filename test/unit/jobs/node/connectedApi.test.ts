import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { Failure } from '../../../../src/base/failure.ts';
import { ConnectedApi, type ConnectedApiDeps } from '../../../../src/jobs/node/connectedApi.ts';
import { HttpClient } from '../../../../src/platform/http/httpClient.ts';
import { JobsApi } from '../../../../src/jobs/node/api/jobsApi.ts';
import { type Log, nonThrowingLog } from '../../../../src/base/log.ts';
import { systemClock } from '../../../../src/base/clock.ts';
import { startFaultServer, type Play } from '../../../support/faults/faultServer.ts';
import { answer } from '../../../support/faults/plays.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { workConnection } from '../../../support/builders/workConnection.ts';

/** The editor's log channel after it was closed. */
const closed: Log = { debug: refuse, info: refuse, warn: refuse, error: refuse };

function refuse(): never {
  throw new Error('Channel has been closed');
}

async function apiOf(context: TestContext, log: Log, play: Play, needs: Partial<ConnectedApiDeps> = {}) {
  const bodies: string[] = [];
  const server = await startFaultServer((stage) => {
    bodies.push(stage.body);
    play(stage);
  });
  const api = new ConnectedApi({
    reach: async () => ({ ...workConnection, baseUrl: server.origin }),
    keyOf: async () => 'key',
    httpDeps: { clock: systemClock, log, random: Math.random },
    loadHttp: async () => ({ HttpClient, JobsApi }),
    ...needs,
  });
  context.after(async () => {
    api.dispose();
    await server.stop();
  });
  return { api, bodies };
}

test('a POST that was sent is never reported as not sent, even if the log is closed before the response', async (context) => {
  const { api, bodies } = await apiOf(context, closed, answer(201, '{"id":"x"}'));
  assert.equal((await api.submit('{}')).type, 'unknown');
  assert.deepEqual(bodies, ['{}']);
});

test('a closed log loses only its lines', async (context) => {
  const { api } = await apiOf(context, nonThrowingLog(closed), answer(201, '{"id":"x"}'));
  assert.deepEqual(await api.submit('{}'), {
    type: 'accepted',
    status: 201,
    id: 'x',
    answer: { status: 201, text: '{"id":"x"}' },
  });
});

test('deviations of items are logged for each list, once per shape', async (context) => {
  const log = new KeptLog();
  const page = { first: 'x', current: 'x', next: null, items: [{ id: 'a', status: 5 }] };
  const { api } = await apiOf(context, log, answer(200, JSON.stringify(page)));
  for (let time = 0; time < 2; time++) {
    for (const endpoint of ['live', 'pre-recorded'] as const) await api.lists.readPage(endpoint, {});
  }
  const logged = log.lines.filter((line) => line.includes('unexpected in the answers of'));
  // The same item is unexpected in both lists.
  for (const list of ['live', 'pre-recorded'])
    assert(
      logged.some((line) => line.includes(list)),
      logged.join('\n'),
    );
  assert.equal(new Set(logged).size, logged.length);
  assert(logged.length >= 2, logged.join('\n'));
});

test('a submission that fails before the HTTP client is loaded was not sent', async (context) => {
  const failure = new Failure('noConnection');
  const { api, bodies } = await apiOf(context, closed, answer(201, ''), { reach: () => Promise.reject(failure) });
  assert.deepEqual(await api.submit('{}'), { type: 'notSent', failure });
  const broken = await apiOf(context, closed, answer(201, ''), { loadHttp: () => Promise.reject(new Error('gone')) });
  assert.equal((await broken.api.submit('{}')).type, 'notSent');
  assert.deepEqual([...bodies, ...broken.bodies], []);
});

test('deviations of pages are logged for each list, once per shape', async (context) => {
  const log = new KeptLog();
  const { api } = await apiOf(context, log, answer(200, '{"first":1,"items":[{"id":"a","status":5}],"next":null}'));
  for (const endpoint of ['live', 'live', 'pre-recorded'] as const) await api.lists.readPage(endpoint, {});
  const shown = log.lines.filter((line) => line.includes('unexpected in the answers of'));
  assert.equal(shown.filter((line) => line.includes('live: wrongType first')).length, 1);
  assert.equal(shown.filter((line) => line.includes('pre-recorded: wrongType first')).length, 1);
  assert.equal(new Set(shown).size, shown.length);
});
