import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sample } from './sampleClient.ts';

test('page URLs lead to the combined list with status, offset and limit alone, whichever endpoint was queried', async () => {
  await using sample = await Sample.open({ count: 400 });
  const base = `${sample.service.baseUrl}/v2/transcription`;
  for (const endpoint of ['pre-recorded', 'live', 'transcription']) {
    const query = 'status=done&status=error&offset=10&limit=5&kind=live&after_date=2020-01-01&custom_metadata={}';
    const { body } = await sample.get(`/v2/${endpoint}?${query}`);
    assert.deepEqual(Object.keys(body), ['first', 'current', 'next', 'items']);
    assert.equal(body.first, `${base}?status=done&status=error&offset=0&limit=5`);
    assert.equal(body.current, `${base}?status=done&status=error&offset=10&limit=5`);
    assert.equal(body.next, `${base}?status=done&status=error&offset=15&limit=5`);
    assert.equal(body.items.length, 5);
  }
});

test('statuses are repeated as in the query, and omitted if it had none', async () => {
  await using sample = await Sample.open({ count: 100 });
  const base = `${sample.service.baseUrl}/v2/transcription`;
  assert.equal((await sample.get('/v2/live')).body.current, `${base}?offset=0&limit=20`);
  const comma = await sample.get('/v2/live?status=error,done,error&limit=3');
  assert.equal(comma.body.current, `${base}?status=error&status=done&offset=0&limit=3`);
});

test('next is null exactly when nothing follows', async () => {
  await using sample = await Sample.open({ count: 60 });
  const nextOf = async (query: string): Promise<string | null> =>
    (await sample.get(`/v2/transcription?${query}`)).body.next;
  assert.match((await nextOf('offset=39')) ?? '', /offset=59&limit=20$/);
  assert.equal(await nextOf('offset=40'), null);
  assert.equal(await nextOf('offset=59'), null);
  assert.equal(await nextOf('offset=60'), null);
  assert.equal(await nextOf('limit=60'), null);
  assert.match((await nextOf('limit=59')) ?? '', /offset=59&limit=59$/);
});

test('following next with the filters of the first request lists everything once', async () => {
  await using sample = await Sample.open({ count: 333 });
  const ids: string[] = [];
  let path: string | null = '/v2/transcription?limit=50';
  while (path !== null) {
    const { body } = await sample.get(path);
    ids.push(...body.items.map((item) => item.id));
    path = body.next === null ? null : body.next.slice(sample.service.baseUrl.length);
  }
  assert.deepEqual(
    ids,
    (await sample.all()).map((item) => item.id),
  );
  assert.equal(new Set(ids).size, 333);
});

test('a limit beyond ten thousand is lowered', async () => {
  await using sample = await Sample.open({ count: 10_050 });
  const { body } = await sample.get('/v2/transcription?limit=1000000');
  assert.equal(body.items.length, 10_000);
  assert.match(body.next ?? '', /offset=10000&limit=10000$/);
});
