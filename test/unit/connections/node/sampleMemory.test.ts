import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs } from '../../../../src/base/time.ts';
import { startSampleService } from '../../../../src/sample/sampleService.ts';
import { continueSample } from '../../../../src/connections/node/sampleMemory.ts';
import type { StateStore } from '../../../../src/base/stateStore.ts';

const beginMs = Date.UTC(2026, 10, 19, 10);

function memoryOf(kept?: unknown): StateStore & { kept: unknown } {
  const memory = {
    kept,
    get: () => memory.kept,
    update: (_name: string, value: unknown) => {
      memory.kept = JSON.parse(JSON.stringify(value));
      return Promise.resolve();
    },
  };
  return memory;
}

/** Starts a sample service as after a reload, and runs `work` with it. */
async function session(
  memory: StateStore,
  nowMs: number,
  work: (list: () => Promise<string[]>, submit: (name: string) => Promise<string>) => Promise<void>,
): Promise<void> {
  const clock = { now: () => nowMs };
  const service = await startSampleService({
    life: 'arrivals',
    count: 40,
    clock: clock.now,
    ...(await continueSample(memory, clock, 'forty')),
  });
  const headers = { 'x-service-key': service.key, 'content-type': 'application/json' };
  try {
    await work(
      async () => {
        const response = await fetch(`${service.baseUrl}/v2/pre-recorded?limit=1000`, { headers });
        const { items } = (await response.json()) as { items: readonly { id: string; status: string }[] };
        return items.map(({ id, status }) => `${id} ${status}`);
      },
      async (name) => {
        const body = JSON.stringify({ audio_url: `https://audio.example/${name}` });
        const response = await fetch(`${service.baseUrl}/v2/pre-recorded`, { method: 'POST', headers, body });
        return ((await response.json()) as { id: string }).id;
      },
    );
  } finally {
    await service.stop();
  }
}

test('sample jobs continue after a reload, including submitted ones', async () => {
  const memory = memoryOf();
  let submitted = '';
  await session(memory, beginMs, async (list, submit) => {
    await list();
    submitted = await submit('one.wav');
    assert.ok((await list()).includes(`${submitted} queued`));
  });
  let before: string[] = [];
  await session(memory, beginMs + hourMs, async (list) => {
    before = await list();
    assert.ok(before.includes(`${submitted} done`));
    assert.ok(before.length > 40, 'jobs have arrived meanwhile');
  });
  await session(memory, beginMs + hourMs, async (list, submit) => {
    assert.deepEqual(await list(), before);
    assert.notEqual(await submit('two.wav'), submitted);
  });
  await session(memory, beginMs + 10 * hourMs, async (list) => {
    const ids = (await list()).map((line) => line.split(' ')[0]);
    for (const line of before) assert.ok(ids.includes(line.split(' ')[0] ?? ''), line);
    assert.equal(new Set(ids).size, ids.length);
  });
});

test('submitted sample jobs end after a reload as their requests asked', async () => {
  const memory = memoryOf();
  const clock = { now: () => beginMs };
  const start = async () =>
    startSampleService({ count: 0, results: true, clock: clock.now, ...(await continueSample(memory, clock, 'none')) });
  const first = await start();
  const headers = { 'x-service-key': first.key, 'content-type': 'application/json' };
  const translation = { translation: true, translation_config: { target_languages: ['fr'] } };
  for (const audio_url of ['https://audio.example/404.mp3', 'https://audio.example/one.mp3']) {
    const body = JSON.stringify({ audio_url, ...translation });
    await fetch(`${first.baseUrl}/v2/pre-recorded`, { method: 'POST', headers, body });
  }
  await first.stop();
  clock.now = () => beginMs + hourMs;
  const second = await start();
  const response = await fetch(`${second.baseUrl}/v2/pre-recorded`, { headers: { 'x-service-key': second.key } });
  const { items } = (await response.json()) as {
    items: readonly { error_code: number | null; result?: { translation?: unknown } }[];
  };
  await second.stop();
  const ends = new Map(items.map(({ error_code: code, result }) => [code, result?.translation !== undefined]));
  assert.deepEqual(
    ends,
    new Map([
      [404, false],
      [null, true],
    ]),
  );
});

test('sample jobs restart after a day, in another form, or without valid stored state', async () => {
  const clock = { now: () => beginMs + 25 * hourMs };
  const kept = { version: 1, kind: 'forty', startedAt: beginMs, submitted: [] };
  for (const each of [
    kept,
    { ...kept, startedAt: beginMs + 24 * hourMs, kind: 'other' },
    { ...kept, startedAt: beginMs + 26 * hourMs },
    { ...kept, version: 2 },
    'nonsense',
    undefined,
  ]) {
    const { startedAt, submitted } = await continueSample(memoryOf(each), clock, 'forty');
    assert.equal(startedAt, clock.now());
    assert.deepEqual(submitted, []);
  }
  const memory = memoryOf({ ...kept, startedAt: beginMs + 24 * hourMs });
  const { startedAt, onSubmitted } = await continueSample(memory, clock, 'forty');
  assert.equal(startedAt, beginMs + 24 * hourMs);
  for (let at = 0; at < 60; at++) onSubmitted({ id: `job-${at}`, createdAt: at });
  const after = await continueSample(memory, clock, 'forty');
  assert.equal(after.submitted.length, 50, 'the number of stored jobs is bounded');
  assert.equal(after.submitted.at(-1)?.id, 'job-59');
});
