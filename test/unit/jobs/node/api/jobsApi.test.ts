import assert from 'node:assert/strict';
import { suite, test, type TestContext } from 'node:test';
import { ParameterError } from '../../../../../src/base/failure.ts';
import { startSampleService } from '../../../../../src/sample/sampleService.ts';
import { HttpClient } from '../../../../../src/platform/http/httpClient.ts';
import { JobsApi } from '../../../../../src/jobs/node/api/jobsApi.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import type { ArrayFormat, MetadataFormat } from '../../../../../src/connections/common/connection.ts';
import { faultRun, sentinelKey, type FaultRun } from '../../../../support/faults/faultRun.ts';
import { startFaultServer, type FaultServer, type Play } from '../../../../support/faults/faultServer.ts';
import { pageScenarios, scenarioIds } from '../../../../support/faults/pageScenarios.ts';
import { answer, goodPage, inTurn } from '../../../../support/faults/plays.ts';
import { workConnection } from '../../../../support/builders/workConnection.ts';

const started = async (t: TestContext, play: Play): Promise<FaultServer & FaultRun> => {
  const other = await startFaultServer(goodPage);
  t.after(() => {
    assert.deepEqual(other.seen, [], 'no request goes to another origin');
    return other.stop();
  });
  const server = await startFaultServer(play, { otherOrigin: other.origin });
  t.after(() => server.stop());
  const run = faultRun(server.origin);
  t.after(() => run.client.dispose());
  return { ...server, ...run };
};
const ids = ({ entries }: ListPage): readonly unknown[] =>
  entries.map((entry) => (entry.type === 'job' ? entry.id : entry));

suite('listJobs', () => {
  test('queries the endpoint of the kind, and sends kinds only to the combined one', async (t) => {
    const { api, seen } = await started(t, goodPage);
    for (const endpoint of ['pre-recorded', 'live', 'combined'] as const) {
      await api.listJobs(endpoint, { limit: 2, kinds: ['live'] });
    }
    assert.deepEqual(
      seen.map(({ path }) => path),
      ['/v2/pre-recorded?limit=2', '/v2/live?limit=2', '/v2/transcription?limit=2&kind=live'],
    );
  });

  test('reports a 429 of the service as a request to slow down', async (t) => {
    const { api } = await started(t, inTurn(goodPage, answer(429), goodPage, goodPage));
    const pages = [await api.listJobs('live', {}), await api.listJobs('live', {}), await api.listJobs('live', {})];
    assert.deepEqual(
      pages.map(({ slowDown }) => slowDown),
      [false, true, false],
    );
  });

  test("reports the time of the service's clock", async (t) => {
    const date = 'Fri, 20 Nov 2026 10:00:00 GMT';
    const page = '{"first":"","current":"","next":null,"items":[]}';
    const { api } = await started(t, answer(200, page, { date }));
    assert.equal((await api.listJobs('live', {})).serviceDateMs, Date.parse(date));
  });

  test('reports no time if the service sends none', async (t) => {
    const { api } = await started(t, (stage) => {
      stage.response.sendDate = false;
      goodPage(stage);
    });
    assert.equal((await api.listJobs('live', {})).serviceDateMs, undefined);
  });

  test('rejects an invalid parameter without a request', async (t) => {
    const { api, seen } = await started(t, goodPage);
    await assert.rejects(api.listJobs('live', { limit: 0 }), ParameterError);
    assert.equal(seen.length, 0);
  });

  test('reads below a base URL with a path', async (t) => {
    const server = await startFaultServer(goodPage);
    t.after(() => server.stop());
    const { api } = faultRun(`${server.origin}/speech`);
    await api.listJobs('live', {});
    assert.equal(server.seen[0]?.path, '/speech/v2/live');
  });

  for (const [name, play] of Object.entries(pageScenarios)) {
    test(`needs one request for a page with ${name}`, async (t) => {
      const { api, seen } = await started(t, play);
      const page = await api.listJobs('pre-recorded', { offset: 0, limit: 2 });
      assert.deepEqual([seen.length, page.hasMore], [1, true]);
      assert.deepEqual(ids(page), name === 'unsorted' ? ['job-2', 'job-5'] : scenarioIds.slice(0, 2));
    });
  }
});

suite('query styles at the sample service', () => {
  for (const arrayFormat of ['repeat', 'comma', 'brackets'] satisfies ArrayFormat[]) {
    for (const metadataFormat of ['json', 'brackets'] satisfies MetadataFormat[]) {
      test(`${arrayFormat}, ${metadataFormat}`, async (t) => {
        const now = Date.parse('2026-11-20T10:00:00Z');
        const sample = await startSampleService({ count: 0, clock: () => now });
        t.after(() => sample.stop());
        const add = (id: string, status: 'done' | 'error' | 'queued', user: string): string =>
          sample.add({ id, status, createdAt: now - 60_000, fields: { custom_metadata: { user, episode: 7 } } });
        add('wanted', 'error', 'Zoë & Co, [x]');
        add('also wanted', 'done', 'Zoë & Co, [x]');
        add('other status', 'queued', 'Zoë & Co, [x]');
        add('other user', 'done', 'Ada');
        const connection = { ...workConnection, baseUrl: sample.baseUrl, arrayFormat, metadataFormat };
        const client = new HttpClient(connection, async () => sample.key, {
          clock: { now: Date.now, after: () => assert.fail('nothing fails') },
          log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
          random: Math.random,
        });
        t.after(() => client.dispose());
        const page = await new JobsApi(connection, client).listJobs('pre-recorded', {
          statuses: ['done', 'error'],
          afterDate: '2026-11-20T10:58:00+01:00',
          beforeDate: '2026-11-20T10:00:00Z',
          customMetadata: { user: 'Zoë & Co, [x]', episode: 7 },
        });
        assert.deepEqual(new Set(ids(page)), new Set(['wanted', 'also wanted']));
      });
    }
  }
});

suite('submit', () => {
  const body = '{"audio_url":"https://example.com/a.wav"}';
  const rows: readonly (readonly [status: number, answer: string, id: string | undefined])[] = [
    [201, '{"id":"a-1","result_url":"https://example.com"}', 'a-1'],
    [200, '{"id":"a-1"}', 'a-1'],
    [202, '{"id":7}', '7'],
    [202, '{"id":12345678901234567890}', '12345678901234567890'],
    [202, '{"id":{}}', undefined],
    [201, '{"id":""}', undefined],
    [201, '[{"id":"a-1"}]', undefined],
    [201, '{"id":"a-1\\nService: done"}', undefined],
    [201, '{"id":"a-1\\u202e"}', undefined],
    [201, `{"id":"${'a'.repeat(501)}"}`, undefined],
    [201, `{"id":"1${'0'.repeat(600)}"}`, undefined],
    [201, JSON.stringify({ id: `job-${sentinelKey}` }), undefined],
    [201, `{"pad":"${'x'.repeat(300 * 1024)}","id":"a-1"}`, undefined],
    [200, 'thank you', undefined],
    [204, '', undefined],
    [299, 'null', undefined],
  ];
  for (const [status, text, id] of rows) {
    test(`treats ${status} ${text.slice(0, 60)} as accepted`, async (t) => {
      const { api, seen } = await started(t, answer(status, text));
      const { answer: answered, ...outcome } = await api.submit(body);
      assert.deepEqual(outcome, { type: 'accepted', status, id });
      assert.equal(answered?.status, status);
      const shown = text.replaceAll(JSON.stringify(sentinelKey).slice(1, -1), '•••');
      assert.equal(answered.text, shown.length > 20_000 ? `${shown.slice(0, 20_000)}…` : shown);
      assert.deepEqual([seen[0]?.method, seen[0]?.path, seen.length], ['POST', '/v2/pre-recorded', 1]);
    });
  }

  test('keeps what the service answered to a refused submission, without the key', async (t) => {
    const { api } = await started(t, answer(422, JSON.stringify({ message: 'no audio', echo: sentinelKey })));
    const { type, answer: answered } = await api.submit(body);
    assert.deepEqual([type, answered?.status], ['rejected', 422]);
    assert.deepEqual(JSON.parse(answered?.text ?? ''), { message: 'no audio', echo: '•••' });
  });

  test('reports why a submission was rejected', async (t) => {
    const refusal = {
      statusCode: 400,
      message: 'Invalid',
      request_id: 'G-1',
      validation_errors: ['audio_url is no URL'],
    };
    const { api } = await started(t, answer(400, JSON.stringify(refusal)));
    const outcome = await api.submit(body);
    assert.ok(outcome.type === 'rejected');
    assert.equal(outcome.failure.code, 'rejected');
    assert.deepEqual(outcome.failure.facts, {
      status: 400,
      serviceMessage: 'Invalid',
      fieldErrors: ['audio_url is no URL'],
      requestId: 'G-1',
    });
  });

  test('sends nothing without a key', async (t) => {
    const server = await startFaultServer(goodPage);
    t.after(() => server.stop());
    const outcome = await faultRun(server.origin, 30_000, '').api.submit(body);
    assert.deepEqual([outcome.type, 'failure' in outcome && outcome.failure.code], ['notSent', 'noKey']);
    assert.equal(server.seen.length, 0);
  });
});
