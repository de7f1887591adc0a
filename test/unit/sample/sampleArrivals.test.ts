import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sample, start } from './sampleClient.ts';

const minuteMs = 60_000;

test('jobs keep arriving in the lists of a service that lives, and no other', async () => {
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

test('an incident has begun before the start, with one code and one customer', async () => {
  await using sample = await Sample.open({ count: 0, life: 'incident' });
  sample.now = start + minuteMs;
  const failed = (await sample.all()).filter(({ error_code: code }) => code === 422);
  assert.ok(failed.length >= 5, `${failed.length} failures`);
  assert.ok(failed.every((item) => JSON.stringify(item.custom_metadata).includes('Aurora Health')));
  assert.ok(failed.some(({ created_at: at }) => Date.parse(at) < start));
});
