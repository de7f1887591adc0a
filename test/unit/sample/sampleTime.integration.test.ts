import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sample, start } from './sampleClient.ts';

test('a submitted job goes from queued over processing to done', async () => {
  await using sample = await Sample.open({ count: 50 });
  sample.now = start + 1000;
  const { body } = await sample.post({ audio_url: 'https://media.example.com/a.mp3' });
  const seen = async (): Promise<string | undefined> => {
    const newest = (await sample.items('/v2/pre-recorded?limit=1'))[0];
    assert.equal(newest?.id, body.id);
    assert.equal(newest.created_at, '2026-05-20T12:00:01.000Z');
    assert.equal(newest.completed_at, newest.status === 'done' ? '2026-05-20T12:00:21.000Z' : null);
    for (const status of ['queued', 'processing', 'done', 'error']) {
      const listed = (await sample.ids(`/v2/pre-recorded?status=${status}&limit=100`)).includes(body.id);
      assert.equal(listed, status === newest.status, status);
    }
    return newest.status;
  };
  assert.equal(await seen(), 'queued');
  sample.now += 4999;
  assert.equal(await seen(), 'queued');
  sample.now += 1;
  assert.equal(await seen(), 'processing');
  sample.now += 14_999;
  assert.equal(await seen(), 'processing');
  sample.now += 1;
  assert.equal(await seen(), 'done');
});

test('some jobs are unfinished at the start; ninety seconds later all have ended, and the lists always agree', async () => {
  await using sample = await Sample.open({ count: 240 });
  const unfinished = async (): Promise<number> =>
    (await sample.items('/v2/transcription?status=queued,processing')).length;
  assert.equal(await unfinished(), 10);
  for (const kind of ['pre-recorded', 'live'])
    assert.ok((await sample.ids(`/v2/${kind}?status=queued,processing`)).length > 0, kind);
  for (const status of ['queued', 'processing'])
    assert.ok((await sample.ids(`/v2/transcription?status=${status}`)).length > 2, status);
  const before = await sample.all();
  for (sample.now = start; sample.now <= start + 90_000; sample.now += 5000) {
    const all = await sample.all();
    for (const status of ['queued', 'processing', 'done', 'error']) {
      const listed = await sample.ids(`/v2/transcription?status=${status}&limit=1000`);
      assert.deepEqual(
        listed,
        all.filter((item) => item.status === status).map((item) => item.id),
      );
    }
  }
  assert.equal(await unfinished(), 0);
  const later = await sample.all();
  assert.deepEqual(
    later.map((item) => item.id),
    before.map((item) => item.id),
  );
  const ended = later.filter((_, at) => before[at]?.completed_at === null);
  assert.deepEqual(new Set(ended.map((item) => item.status)), new Set(['done', 'error']));
  assert.ok(ended.every((item) => item.completed_at !== null && item.completed_at > '2026-05-20T12:00:00'));
});

test('a job can be added at any position, in any state and shape', async () => {
  await using sample = await Sample.open({ count: 100 });
  const middle = (await sample.all())[50]?.created_at ?? '';
  sample.service.add({ id: 'live-one', kind: 'live', createdAt: Date.parse(middle) + 1, status: 'processing' });
  sample.service.add({
    id: 'odd',
    status: 'error',
    errorCode: 418,
    fields: { custom_metadata: 'text', extra: [1], version: null },
  });
  const all = await sample.all();
  assert.equal(all.length, 102);
  assert.equal(all[51]?.id, 'live-one');
  assert.equal(all[51].status, 'processing');
  assert.equal(all[0]?.id, 'odd');
  assert.deepEqual(
    [all[0].error_code, all[0].custom_metadata, all[0]['extra'], all[0].version],
    [418, 'text', [1], null],
  );
  sample.now += 86_400_000;
  assert.equal((await sample.all())[51]?.status, 'processing');
});

test('jobs created at the same moment are listed by id', async () => {
  await using sample = await Sample.open({ count: 100 });
  const archived = (await sample.all())[50];
  const createdAt = Date.parse(archived?.created_at ?? '');
  const ids = ['00000000-first', 'b', 'ffffffff-last', 'a'];
  for (const id of ids) sample.service.add({ id, createdAt, status: 'done' });
  const listed = (await sample.ids('/v2/transcription?limit=200')).slice(50, 55);
  assert.deepEqual(listed, [...ids, archived?.id ?? ''].toSorted());
});

test('any job can change its status or be removed, old ones too', async () => {
  await using sample = await Sample.open({ count: 500 });
  for (const status of ['queued', 'processing', 'done', 'error'] as const) {
    for (const place of [0, 5, 250, 499]) {
      const before = await sample.all();
      const id = before[place]?.id ?? '';
      sample.now += 1000;
      assert.equal(sample.service.setStatus(id, status), 1);
      const after = await sample.all();
      assert.deepEqual(
        after.map((item) => item.id),
        before.map((item) => item.id),
      );
      assert.equal(after[place]?.status, status);
      assert.ok((await sample.ids(`/v2/transcription?status=${status}&limit=1000`)).includes(id));
      const ended = status === 'done' || status === 'error';
      assert.equal(after[place].completed_at, ended ? new Date(sample.now).toISOString() : null);
    }
  }
  const before = await sample.ids('/v2/transcription?limit=1000');
  for (const place of [499, 300, 250, 3, 0]) {
    assert.equal(sample.service.remove(before[place] ?? ''), 1);
    assert.equal(sample.service.remove(before[place] ?? ''), 0);
  }
  const gone = new Set([499, 300, 250, 3, 0]);
  assert.deepEqual(
    await sample.ids('/v2/transcription?limit=1000'),
    before.filter((_, place) => !gone.has(place)),
  );
  assert.equal(sample.service.setStatus('nobody', 'done'), 0);
  assert.equal(sample.service.setStatus(before[300] ?? '', 'done'), 0);
});

test('two kinds may share an id, and change together', async () => {
  await using sample = await Sample.open({ count: 0 });
  sample.service.add({ id: 'twin', kind: 'live' });
  sample.service.add({ id: 'twin', kind: 'pre-recorded' });
  assert.deepEqual(await sample.ids('/v2/live'), ['twin']);
  assert.deepEqual(await sample.ids('/v2/pre-recorded'), ['twin']);
  assert.equal(sample.service.setStatus('twin', 'error'), 2);
  assert.equal(sample.service.remove('twin'), 2);
  assert.deepEqual(await sample.all(), []);
});
