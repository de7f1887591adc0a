import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs, minuteMs } from '../../../src/base/time.ts';
import { Sample, start } from './sampleClient.ts';

test('jobs keep arriving in the lists of a service with arrivals, and of no other', async () => {
  for (const [life, arrives] of [
    ['arrivals', true],
    ['none', false],
  ] as const) {
    await using sample = await Sample.open({ count: 50, life });
    sample.now = start + 30 * minuteMs;
    const ids = await sample.ids('/v2/transcription?limit=1000');
    assert.equal(ids.length > 50, arrives);
    assert.equal(new Set(ids).size, ids.length);
  }
});

test('arriving jobs end within minutes, except a few that are stuck', async () => {
  await using sample = await Sample.open({ count: 0, life: 'arrivals' });
  sample.now = start + 12 * hourMs;
  const before = sample.now - 20 * minuteMs;
  const older = (await sample.all()).filter(({ created_at: at }) => Date.parse(at) < before);
  const stuck = older.filter(({ status }) => status === 'queued' || status === 'processing');
  assert.ok(older.length > 500 && stuck.length > 5 && stuck.length < older.length / 10, `${stuck.length} are stuck`);
  sample.now += 10 * hourMs;
  const later = new Map((await sample.all()).map((item) => [item.id, item.status]));
  assert.ok(stuck.every(({ id }) => later.get(id) === 'processing'));
});

test('the same jobs arrive, however often the lists are read', async () => {
  await using often = await Sample.open({ count: 20, life: 'incident' });
  await using once = await Sample.open({ count: 20, life: 'incident' });
  for (; often.now < start + hourMs; often.now += minuteMs) await often.ids('/v2/live?limit=1');
  once.now = often.now;
  assert.deepEqual(await often.all(), await once.all());
});

test('an incident has begun before the start, with one code and one customer', async () => {
  await using sample = await Sample.open({ count: 0, life: 'incident' });
  sample.now = start + minuteMs;
  const failed = (await sample.all()).filter(({ error_code: code }) => code === 422);
  assert.ok(failed.length >= 5, `${failed.length} failures`);
  assert.ok(failed.every((item) => JSON.stringify(item.custom_metadata).includes('Aurora Health')));
  assert.ok(failed.some(({ created_at: at }) => Date.parse(at) < start));
});
